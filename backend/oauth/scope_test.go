package oauth

import (
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestStepUpAsksForAllScopesTogether(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, ToolScopes: map[string]string{"write": "files:write", "send": "mail:send"}})
	w.road()
	for tool, want := range map[string][]string{"write": {"mcp", "files:write"}, "send": {"mcp", "mail:send"}} {
		w.refused(tool, http.StatusForbidden)
		begun := w.signIn()
		if !covers(begun.Scopes, want) {
			t.Errorf("scopes %v, want %v among them", begun.Scopes, want)
		}
		w.passes(tool)
	}
	w.passes("write")
	w.passes("send")
}

func TestStepUpIsKnownToTheNextProcess(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ScopesSupported: []string{"mcp"}, ToolScopes: map[string]string{"write": "files:write", "send": "mail:send"}})
	w.road()
	w.refused("write", http.StatusForbidden)
	w.refused("send", http.StatusForbidden)
	w.client.Close()
	w.client = New(w.options)
	if begun := w.signIn(); !covers(begun.Scopes, []string{"mcp", "files:write", "mail:send"}) {
		t.Errorf("scopes %v", begun.Scopes)
	}
	w.passes("write")
	w.passes("send")
	if kept, _, err := w.client.account(w.target).peek(); err != nil || len(kept.Missing) > 0 {
		t.Errorf("%v still missing: %v", kept.Missing, err)
	}
}

func TestAServerThatIsNeverContentIsAskedABoundedNumberOfTimes(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NeverEnough: true, ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	var err error
	for range maxSameScopes + 1 {
		w.refused("write", http.StatusForbidden)
		var begun Begun
		if begun, err = w.client.Begin(w.ctx(), w.target, BeginOptions{}); err != nil {
			break
		}
		if _, err := w.visit(begun); err != nil {
			t.Fatal(err)
		}
		w.passes("echo") // what it grants elsewhere says nothing of this
	}
	wantError(t, err, domain.CodeSignInRefused, "reason", "scope_loop")
	if err := w.client.Forget(w.ctx(), w.target); err != nil {
		t.Fatal(err)
	}
	w.signIn()
}

func TestOnlyWhatIsMissedAgainIsALoop(t *testing.T) {
	w := newWorld(t, oauthtest.Options{NeverEnough: true, ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	for range maxSameScopes {
		w.refused("write", http.StatusForbidden)
		w.signIn()
	}
	w.signIn() // nobody missed anything since
}

func TestSigningInOftenIsNoLoop(t *testing.T) {
	w := newWorld(t, oauthtest.Options{RequiredScopes: []string{"mcp"}, RefreshLess: true})
	for range maxSameScopes + 2 {
		w.refused("echo", http.StatusUnauthorized)
		w.signIn()
		w.server.Expire()
	}
}

func TestSigningInOftenAfterAStepUpIsNoLoop(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	w.refused("write", http.StatusForbidden)
	for range maxSameScopes + 2 {
		w.signIn()
	}
	w.passes("write")
}

func TestAScopeThatThePersonWithholdsIsNotTakenForGranted(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ToolScopes: map[string]string{"write": "files:write"}, WithholdScopes: []string{"files:write"}})
	w.road()
	w.refused("write", http.StatusForbidden)
	w.signIn()
	w.refused("write", http.StatusForbidden)
	if summary, _, _ := w.client.SignedIn(w.target); len(summary.Scopes) != 0 {
		t.Errorf("scopes %v", summary.Scopes)
	}
	w.server.SetOptions(func(o *oauthtest.Options) { o.WithholdScopes = nil })
	w.signIn()
	w.passes("write")
}

func TestAStepUpThatIsWantedAfterARefreshIsKnown(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	w.server.Expire()
	w.refused("write", http.StatusForbidden)
	if begun := w.signIn(); !covers(begun.Scopes, []string{"files:write"}) {
		t.Errorf("scopes %v", begun.Scopes)
	}
	w.passes("write")
}

func TestWhereTheMetadataIsCountsUntilTheServerNamesAnotherPlace(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ResourceMetadata: oauthtest.PlaceOdd})
	w.road()
	for _, bare := range []httpauth.Challenge{{}, {Scheme: "bearer", Params: map[string]string{"error": "insufficient_scope", "scope": "files:write"}}} {
		w.client.account(w.target).challengedBy(bare)
		w.signIn()
	}
	if last := w.server.Authorizations()[2]; last.Get("scope") != "files:write" {
		t.Errorf("scopes %q", last.Get("scope"))
	}
}

func TestARefusalThatSaysNothingOfASignInChangesNothing(t *testing.T) {
	w := newWorld(t, oauthtest.Options{ToolScopes: map[string]string{"write": "files:write"}})
	w.road()
	w.refused("write", http.StatusForbidden)
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodGet, w.target.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := w.client.Transport(w.target, trip(http.StatusForbidden, "text/plain", nil)).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if begun := w.signIn(); !covers(begun.Scopes, []string{"files:write"}) {
		t.Errorf("scopes %v", begun.Scopes)
	}
}

func TestScopesToAsk(t *testing.T) {
	for _, test := range []struct {
		configured, challenged, resource, granted, offered []string
		want                                               string
	}{
		{nil, nil, nil, nil, nil, ""},
		{nil, nil, []string{"r1", "r2"}, nil, nil, "r1 r2"},
		{nil, []string{"c"}, []string{"r"}, nil, nil, "c"},
		{[]string{"mine"}, nil, []string{"r"}, nil, nil, "mine"},
		{[]string{"mine"}, []string{"c"}, []string{"r"}, nil, nil, "mine c"},
		{nil, []string{"c"}, nil, []string{"had"}, nil, "had c"},
		{nil, []string{"c"}, nil, nil, []string{"c", "offline_access"}, "c offline_access"},
		{nil, []string{"c", "c"}, nil, []string{"c"}, []string{"other"}, "c"},
	} {
		got := strings.Join(scopesToAsk(test.configured, test.challenged, test.resource, test.granted, test.offered), " ")
		if got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}
