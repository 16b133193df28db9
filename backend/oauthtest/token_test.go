package oauthtest_test

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestCodeIsBoundToItsRequest(t *testing.T) {
	tests := []struct {
		name    string
		changes url.Values
		status  int
		want    string
	}{
		{"good", nil, http.StatusOK, ""},
		{"no verifier", url.Values{"code_verifier": {""}}, http.StatusBadRequest, "invalid_grant"},
		{"wrong verifier", url.Values{"code_verifier": {verifier + "x"}}, http.StatusBadRequest, "invalid_grant"},
		{"wrong redirect", url.Values{"redirect_uri": {"http://127.0.0.1:1/callback"}}, http.StatusBadRequest, "invalid_grant"},
		{"wrong code", url.Values{"code": {"code-x"}}, http.StatusBadRequest, "invalid_grant"},
		{"wrong resource", url.Values{"resource": {"https://elsewhere.invalid"}}, http.StatusBadRequest, "invalid_target"},
		{"wrong grant type", url.Values{"grant_type": {"password"}}, http.StatusBadRequest, "unsupported_grant_type"},
		{"twice", url.Values{"code": {"a", "b"}}, http.StatusBadRequest, "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAgent(t, oauthtest.Options{})
			params := codeParams(a.browse(nil).Get("code"))
			change(params, tt.changes)
			a.token(params).wants(t, tt.status, tt.want)
			seen := a.server.TokenRequests()
			if len(seen) != 1 || seen[0].Error != tt.want || seen[0].AuthMethod != "none" || seen[0].ClientID != a.id {
				t.Errorf("seen %v", seen)
			}
		})
	}
}

func TestPlainChallengeIsVerified(t *testing.T) {
	a := newAgent(t, oauthtest.Options{PlainPKCEOnly: true})
	if got := a.get(a.server.Issuer() + serverDocument).body["code_challenge_methods_supported"]; got.([]any)[0] != "plain" {
		t.Errorf("metadata: %v", got)
	}
	ask := url.Values{"code_challenge": {verifier}, "code_challenge_method": {"plain"}}
	wrong := codeParams(a.browse(ask).Get("code"))
	wrong.Set("code_verifier", verifier+"x")
	a.token(wrong).wants(t, http.StatusBadRequest, "invalid_grant")
	a.token(codeParams(a.browse(ask).Get("code"))).wants(t, http.StatusOK, "")
}

func TestServerWithoutPKCEStillVerifiesWhatItIsSent(t *testing.T) {
	a := newAgent(t, oauthtest.Options{NoPKCE: true})
	params := codeParams(a.browse(nil).Get("code"))
	params.Set("code_verifier", verifier+"x")
	a.token(params).wants(t, http.StatusBadRequest, "invalid_grant")
	none := url.Values{"code_challenge": {""}}
	a.token(codeParams(a.browse(none).Get("code"))).wants(t, http.StatusBadRequest, "invalid_grant") // a verifier without a challenge
	params = codeParams(a.browse(none).Get("code"))
	params.Del("code_verifier")
	a.token(params).wants(t, http.StatusOK, "")
}

func TestCodeOfAnotherClient(t *testing.T) {
	a := newAgent(t, oauthtest.Options{})
	code := a.browse(nil).Get("code")
	a.register(object{})
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_grant")
}

func TestCodeLivesAMinuteAndCountsOnce(t *testing.T) {
	clock := time.Now()
	a := newAgent(t, oauthtest.Options{Now: func() time.Time { return clock }})
	late := a.browse(nil).Get("code")
	clock = clock.Add(61 * time.Second)
	a.token(codeParams(late)).wants(t, http.StatusBadRequest, "invalid_grant")

	code := a.browse(nil).Get("code")
	tokens := a.token(codeParams(code)).body
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_grant")
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	if got := a.server.RevokedFamilies(); got != 1 {
		t.Errorf("%d families ended", got)
	}
}

func TestRotationEndsAFamilyWhoseOldTokenComesBack(t *testing.T) {
	a := newAgent(t, oauthtest.Options{Rotate: true})
	first := a.signIn("")
	second := a.token(refreshParams(first["refresh_token"])).body
	if second["refresh_token"] == nil || second["refresh_token"] == first["refresh_token"] {
		t.Fatalf("no new refresh token: %v", second)
	}
	a.token(refreshParams(first["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_grant")
	a.token(refreshParams(second["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_grant")
	a.call(second, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	if a.server.RevokedFamilies() != 1 || a.server.Refreshes() != 1 {
		t.Errorf("%d families ended, %d refreshes", a.server.RevokedFamilies(), a.server.Refreshes())
	}
}

func TestOnlyOneOfManyRefreshesAtOnceIsGranted(t *testing.T) {
	a := newAgent(t, oauthtest.Options{Rotate: true})
	refresh := a.signIn("")["refresh_token"]
	var racing sync.WaitGroup
	var granted atomic.Int32
	for range 8 {
		racing.Go(func() {
			if a.token(refreshParams(refresh)).status == http.StatusOK {
				granted.Add(1)
			}
		})
	}
	racing.Wait()
	if granted.Load() != 1 || a.server.Refreshes() != 1 || a.server.RevokedFamilies() != 1 {
		t.Errorf("%d granted, %d families ended", granted.Load(), a.server.RevokedFamilies())
	}
}

func TestRefreshStaysWithinTheGrant(t *testing.T) {
	a := newAgent(t, oauthtest.Options{RequiredScopes: []string{"read"}})
	refresh := a.signIn("read write")["refresh_token"]
	tests := []struct {
		name    string
		changes url.Values
		status  int
		want    string
	}{
		{"more scopes", url.Values{"scope": {"read admin"}}, http.StatusBadRequest, "invalid_scope"},
		{"another resource", url.Values{"resource": {"https://elsewhere.invalid"}}, http.StatusBadRequest, "invalid_target"},
		{"fewer scopes", url.Values{"scope": {"write"}}, http.StatusOK, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params := refreshParams(refresh)
			change(params, tt.changes)
			r := a.token(params)
			r.wants(t, tt.status, tt.want)
			if tt.status == http.StatusOK {
				a.call(r.body, "echo").challenged(t, http.StatusForbidden, "insufficient_scope", `scope="read"`)
			}
		})
	}
}

func TestDelayedTokenRequestChangesNothingWhenTheClientLeaves(t *testing.T) {
	a := newAgent(t, oauthtest.Options{Rotate: true})
	refresh := a.signIn("")["refresh_token"]
	a.server.SetOptions(func(o *oauthtest.Options) { o.TokenDelay = time.Hour })
	params := refreshParams(refresh)
	params.Set("client_id", a.id)
	ctx, leave := context.WithCancel(t.Context())
	request, _ := http.NewRequestWithContext(ctx, http.MethodPost, a.server.Issuer()+"/token", strings.NewReader(params.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	left := make(chan error)
	go func() {
		_, err := a.http.Do(request)
		left <- err
	}()
	mcptest.Eventually(t, "the request arrives", func() bool { return len(a.server.TokenRequests()) == 2 })
	leave()
	if err := <-left; err == nil {
		t.Fatal("the request was answered")
	}

	a.server.SetOptions(func(o *oauthtest.Options) { o.TokenDelay = 20 * time.Millisecond })
	start := time.Now()
	a.token(refreshParams(refresh)).wants(t, http.StatusOK, "")
	if took := time.Since(start); took < 20*time.Millisecond || a.server.Refreshes() != 1 {
		t.Errorf("after %s %d refreshes", took, a.server.Refreshes())
	}
}

func TestLifeOfTokens(t *testing.T) {
	clock := time.Now()
	a := newAgent(t, oauthtest.Options{Now: func() time.Time { return clock }, Lifetime: time.Minute})
	tokens := a.signIn("")
	if tokens["expires_in"] != float64(60) {
		t.Errorf("tokens %v", tokens)
	}
	clock = clock.Add(time.Minute)
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusOK, "")
	a.server.RevokeAll()
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_grant")

	a.server.SetOptions(func(o *oauthtest.Options) { o.NoExpiry, o.RefreshLess = true, true })
	tokens = a.signIn("")
	if tokens["expires_in"] != nil || tokens["refresh_token"] != nil || a.call(tokens, "echo").status != http.StatusNoContent {
		t.Errorf("tokens %v", tokens)
	}
	a.register(object{"grant_types": []string{"authorization_code"}})
	if a.signIn("")["refresh_token"] != nil {
		t.Error("a client that is not registered for refresh tokens has one")
	}
}

func TestClientsAuthenticateAsTheyAreRegistered(t *testing.T) {
	for _, registered := range []string{"none", basic, post} {
		for _, used := range []string{"none", basic, post} {
			t.Run(registered+" by "+used, func(t *testing.T) {
				a := newStranger(t, oauthtest.Options{})
				a.register(object{"token_endpoint_auth_method": registered})
				code := a.browse(nil).Get("code")
				a.method = used
				if registered == used {
					a.token(codeParams(code)).wants(t, http.StatusOK, "")
				} else {
					a.token(codeParams(code)).wants(t, http.StatusUnauthorized, "invalid_client")
				}
				if seen := a.server.TokenRequests(); seen[0].AuthMethod != used {
					t.Errorf("seen %v", seen)
				}
			})
		}
	}
	t.Run("wrong secret", func(t *testing.T) {
		a := newStranger(t, oauthtest.Options{})
		a.register(object{"token_endpoint_auth_method": post})
		code := a.browse(nil).Get("code")
		a.secret = "wrong"
		a.token(codeParams(code)).wants(t, http.StatusUnauthorized, "invalid_client")
	})
	t.Run("forgotten", func(t *testing.T) {
		a := newAgent(t, oauthtest.Options{})
		refresh := a.signIn("")["refresh_token"]
		a.server.ForgetClients()
		a.token(refreshParams(refresh)).wants(t, http.StatusUnauthorized, "invalid_client")
	})
	t.Run("several ways", func(t *testing.T) {
		a := newStranger(t, oauthtest.Options{})
		a.register(object{"token_endpoint_auth_method": basic})
		params := refreshParams("x")
		params.Set("client_secret", a.secret)
		a.token(params).wants(t, http.StatusBadRequest, "invalid_request")
	})
}

func TestClientThatWasAddedBeforehand(t *testing.T) {
	a := newStranger(t, oauthtest.Options{NoRegistration: true})
	client := a.server.AddClient(oauthtest.Client{Secret: "a:b %+c", AuthMethod: basic, RedirectURIs: []string{redirectURI}})
	a.id, a.secret, a.method = client.ID, client.Secret, client.AuthMethod
	if tokens := a.signIn(""); tokens["refresh_token"] == nil {
		t.Errorf("tokens %v", tokens)
	}
	if !strings.Contains(strings.Join(a.server.Secrets(), "\n"), "a:b %+c") {
		t.Error("its secret is not known")
	}
}

func TestRevocation(t *testing.T) {
	a := newAgent(t, oauthtest.Options{})
	revoke := func(token any, hint string) reply {
		value, _ := token.(string)
		return a.tokenAt(a.server.Issuer()+"/revoke", url.Values{"token": {value}, "token_type_hint": {hint}})
	}
	tokens := a.signIn("")
	revoke("unknown", "").wants(t, http.StatusOK, "")
	revoke(tokens["access_token"], "access_token").wants(t, http.StatusOK, "")
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	renewed := a.token(refreshParams(tokens["refresh_token"])).body
	revoke(tokens["refresh_token"], "refresh_token").wants(t, http.StatusOK, "")
	a.call(renewed, "echo").challenged(t, http.StatusUnauthorized, "invalid_token")
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_grant")

	seen := a.server.Revocations()
	if len(seen) != 3 || seen[1].Kind != "access_token" || seen[2].Kind != "refresh_token" || a.server.RevokedFamilies() != 0 {
		t.Errorf("seen %v, %d families ended by reuse", seen, a.server.RevokedFamilies())
	}
	others := a.signIn("")
	a.register(object{})
	revoke(others["refresh_token"], "").wants(t, http.StatusBadRequest, "invalid_grant")
	a.server.SetOptions(func(o *oauthtest.Options) { o.NoRevocation = true })
	if r := revoke("x", ""); r.status != http.StatusNotFound {
		t.Errorf("no revocation: %d", r.status)
	}
}

func TestGitHubStyle(t *testing.T) {
	a := newAgent(t, oauthtest.Options{GitHubStyle: true})
	r := a.token(codeParams(a.browse(url.Values{"scope": {"repo gist"}}).Get("code")))
	form, err := url.ParseQuery(r.text)
	if err != nil || form.Get("access_token") == "" || form.Get("scope") != "repo,gist" || form.Get("token_type") != "bearer" {
		t.Errorf("answer %s", r.text)
	}
	r = a.token(codeParams("wrong"))
	if r.status != http.StatusOK || !strings.Contains(r.text, "error=bad_verification_code") {
		t.Errorf("error %d %s", r.status, r.text)
	}
	params := codeParams("wrong")
	params.Set("client_id", a.id)
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Accept": {"application/json"}}
	a.do(http.MethodPost, a.server.Issuer()+"/token", params.Encode(), header).wants(t, http.StatusOK, "bad_verification_code")
}

func TestSlackStyle(t *testing.T) {
	a := newAgent(t, oauthtest.Options{SlackStyle: true})
	answer := a.signIn("chat search")
	user, _ := answer["authed_user"].(object)
	if answer["ok"] != true || user["scope"] != "chat,search" || user["token_type"] != "user" {
		t.Errorf("answer %v", answer)
	}
	user["token_type"] = "Bearer"
	if r := a.call(user, "echo"); r.status != http.StatusNoContent {
		t.Errorf("the token does not count: %d", r.status)
	}
	r := a.token(refreshParams("wrong"))
	r.wants(t, http.StatusOK, "invalid_refresh_token")
	if r.body["ok"] != false {
		t.Errorf("error %s", r.text)
	}
}

func TestNotionStyle(t *testing.T) {
	a := newStranger(t, oauthtest.Options{NotionStyle: true, NoExpiry: true})
	a.register(object{"token_endpoint_auth_method": basic})
	code := a.browse(nil).Get("code")
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_request")
	body := `{"grant_type":"authorization_code","code":"` + code + `","redirect_uri":"` + redirectURI + `","code_verifier":"` + verifier + `"}`
	header := http.Header{
		"Content-Type":  {"application/json"},
		"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(a.id+":"+a.secret))},
	}
	r := a.do(http.MethodPost, a.server.Issuer()+"/token", body, header)
	r.wants(t, http.StatusOK, "")
	if r.body["access_token"] == nil || r.body["expires_in"] != nil {
		t.Errorf("answer %s", r.text)
	}
	header.Del("Authorization")
	a.do(http.MethodPost, a.server.Issuer()+"/token", body, header).wants(t, http.StatusUnauthorized, "invalid_client")
}
