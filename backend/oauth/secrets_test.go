package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

// spoken is all that could be seen of values: by people, in logs, in the API.
func spoken(t *testing.T, values ...any) string {
	t.Helper()
	var b strings.Builder
	log := slog.New(slog.NewJSONHandler(&b, nil))
	text := slog.New(slog.NewTextHandler(&b, nil))
	for _, v := range values {
		_, _ = fmt.Fprintf(&b, "%v %+v %#v %s\n", v, v, v, v)
		log.Info("value", "value", v)
		text.Info("value", "value", v)
		if err, ok := v.(error); ok {
			raw, wrong := json.Marshal(domain.AsError(err))
			if wrong != nil {
				t.Fatal(wrong)
			}
			b.Write(raw)
		}
	}
	return b.String()
}

func wantNone(t *testing.T, where, text string, secrets []string) {
	t.Helper()
	for _, secret := range secrets {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("%s holds %s", where, secret)
		}
	}
}

func TestNothingSecretIsShown(t *testing.T) {
	w := newWorld(t, oauthtest.Options{Rotate: true, AuthMethods: []string{methodPost}, DPoP: oauthtest.DPoPAllowed}, withAuth(domain.Auth{DPoP: true}))
	begun := w.road()
	kept := w.kept()
	summary, _, err := w.client.SignedIn(w.target)
	if err != nil {
		t.Fatal(err)
	}
	f := &flow{target: w.target, attempts: []attempt{{begun: begun, plan: plan{client: kept.Client}, verifier: "the-verifier"}}}
	prover, err := newProver(kept.Key, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	endpoint := tokenEndpoint{client: kept.Client, proof: prover}
	shown := spoken(t,
		kept, &kept, kept.Client, f, f.last(), f.last().plan, w.client, w.client.account(w.target), &renewal{kept: kept}, prover, endpoint, tokenTripper{endpoint},
		grantedToken{access: kept.Access, refresh: kept.Refresh}, w.client.Transport(w.target, w.wire), Finished{Target: w.target}, begun, summary,
	)
	for _, v := range []any{begun, summary} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		shown += string(raw)
	}
	var private struct{ D string }
	if err := json.Unmarshal(kept.Key, &private); err != nil || private.D == "" {
		t.Fatalf("the key is stored otherwise: %v", err)
	}
	if kept.Client.ClientSecret == "" {
		t.Fatal("the test needs a client secret")
	}
	all := append(w.server.Secrets(), private.D, "the-verifier")
	wantNone(t, "what is shown", shown, all)

	w.server.RevokeAll()
	w.clock.pass(2 * time.Hour)
	w.refused("echo", http.StatusUnauthorized)
	_, err = w.client.account(w.target).renew(w.ctx(), w.target, kept.Access, nil)
	_, _, token := w.client.Token(w.ctx(), w.target)
	gone := w.client.Forget(w.ctx(), w.target)
	wantNone(t, "an error", spoken(t, err, token, gone), all)
	wantNone(t, "the log", w.log.String(), w.server.Secrets())
}

func TestServersThatRepeatSecretsDoNotShowThem(t *testing.T) {
	var status int
	var repeat func(said string) (kind, body string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		id, password, _ := r.BasicAuth()
		said := "you sent " + r.PostForm.Encode() + id + password
		for name := range r.PostForm {
			said += " " + r.PostForm.Get(name)
		}
		kind, body := repeat(said)
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	defer server.Close()
	hidden := []string{"1//the-refresh-token", "4/the-code", "the-verifier-of-the-code", "s3cret+of/ours", "the-assertion", "s3cret%2Bof%2Fours", "1%2F%2Fthe-refresh-token"}
	repeats := map[string]func(string) (string, string){
		"JSON": func(said string) (string, string) {
			return "application/json", fmt.Sprintf(`{"error":"invalid_request","error_description":%q}`, said)
		},
		"JSON of PHP": func(said string) (string, string) {
			return "text/html", strings.ReplaceAll(fmt.Sprintf(`{"error":%q,"error_description":"x"}`, said), "/", `\/`)
		},
		"JSON in capitals": func(said string) (string, string) {
			return "application/json", fmt.Sprintf(`{"Error":"invalid_request","Error_Description":%q}`, said)
		},
		"a form": func(said string) (string, string) {
			return "application/x-www-form-urlencoded", url.Values{"error": {"invalid_request"}, "error_description": {said}}.Encode()
		},
	}
	for name, as := range repeats {
		for _, status = range []int{200, 400, 401, 403, 500} {
			for _, method := range []string{methodBasic, methodPost} {
				repeat = as
				e := endpointAt(t, server.URL)
				e.client.AuthMethod, e.client.ClientSecret = method, "s3cret+of/ours"
				_, refresh := e.refresh(t.Context(), "1//the-refresh-token")
				_, code := e.code(t.Context(), "4/the-code", "the-verifier-of-the-code", "http://127.0.0.1/")
				_, grant := e.grant(t.Context(), nil, url.Values{"grant_type": {grantJWTBearer}, "assertion": {"the-assertion"}})
				if refresh == nil || code == nil || grant == nil {
					t.Fatal("granted")
				}
				wantNone(t, "an error of "+name, spoken(t, refresh, code, grant), hidden)
			}
		}
	}
	status = 400
	kept := credential{Server: serverMetadata{RevocationEndpoint: server.URL}, Client: registration{ClientSecret: "s3cret+of/ours", AuthMethod: methodPost}}
	for name, as := range repeats {
		repeat = as
		err := revokeOne(t.Context(), endpointAt(t, server.URL).web, kept, "1//the-refresh-token", "refresh_token")
		if err == nil {
			t.Fatal("revoked")
		}
		wantNone(t, "an error of a revocation, "+name, spoken(t, err), hidden)
	}
}

func TestTheWordsOfStrangersAreBoundedAndPlain(t *testing.T) {
	evil := "\x1b[31mred\u202e" + strings.Repeat("x", 10000)
	for _, err := range []error{
		denied(evil, refusal{Code: evil, Description: evil}), notConforming(evil, "reason", evil), clientIDNeeded(evil, "http://127.0.0.1/"), refusedAddress(evil, "private"),
		unreachable(&url.URL{Scheme: "https", Host: "as.example", Path: "/" + evil}, errors.New(evil)),
	} {
		e := domain.AsError(err)
		for what, text := range map[string]string{"message": e.Message, "issuer": e.Args["issuer"], "address": e.Args["address"], "description": e.Args["description"], "proof": e.Proof} {
			if strings.ContainsAny(text, "\x1b\u202e") || len(text) > 4*maxWords {
				t.Errorf("%s of %d bytes: %.80q", what, len(text), text)
			}
		}
	}
}
