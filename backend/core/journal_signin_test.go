package core_test

import (
	"net/http"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
	"apollia.fr/connexions/backend/servers"
)

func TestEverySignInHasItsLinesAndNoToken(t *testing.T) {
	cases := []struct {
		name    string
		options oauthtest.Options
		do      func(t *testing.T, c *core.Core)
		want    []string
	}{
		{"in and out", oauthtest.Options{Auto: true}, func(t *testing.T, c *core.Core) {
			signIn(t, window(c), "vault")
			ask(t, window(c), http.MethodPost, "/api/servers/vault/sign-out", nil)
		}, []string{"sign_in begun", "sign_in signed_in", "sign_in signed_out", "sign_in tokens_revoked"}},
		{"refused", oauthtest.Options{Deny: true}, func(t *testing.T, c *core.Core) {
			begun := beginSignIn(t, c)
			if _, err := oauthtest.Visit(mcptest.Within(t), nil, begun.AuthorizeURL); err != nil {
				t.Fatal(err)
			}
		}, []string{"sign_in begun", "sign_in refused"}},
		{"given up", oauthtest.Options{}, func(t *testing.T, c *core.Core) {
			ask(t, window(c), http.MethodDelete, "/api/sign-ins/"+beginSignIn(t, c).ID, nil)
		}, []string{"sign_in begun", "sign_in given_up"}},
	}
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			provider := oauthtest.New(t, test.options)
			d := mcptest.Serve(t, domain.StreamableHTTP, provider.Guard(mcptest.NewHTTP(mcptest.Options{})))
			d.Name = "vault"
			o := options(t, core.Serve)
			callbackAt(t, o.Home)
			c := open(t, o)
			ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
			becomes(t, window(c), "vault", domain.StateNeedsSignIn)
			test.do(t, c)
			lines := slices.DeleteFunc(journalOf(t, c, 0), func(e audit.Entry) bool { return e.Kind != audit.KindSignIn })
			if got := summary(lines); !slices.Equal(got, test.want) {
				t.Fatalf("the lines are %q, want %q", got, test.want)
			}
			for _, e := range lines[:2] {
				if e.Caller.Kind != domain.CallerWindow || e.Server != "vault" || e.Name != provider.Issuer() {
					t.Errorf("the line is %+v, want who signs in to what, and where", e)
				}
			}
			leaksNothing(t, window(c), o.Home, "vault", provider.Secrets())
			verified(t, c)
		})
	}
}

func beginSignIn(t *testing.T, c *core.Core) servers.SignIn {
	t.Helper()
	return decode[servers.SignIn](t, ask(t, window(c), http.MethodPost, "/api/sign-ins", api.NewSignIn{ServerID: "vault"}))
}
