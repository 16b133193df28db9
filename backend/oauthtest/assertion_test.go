package oauthtest_test

import (
	"crypto/ecdsa"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"apollia.fr/connexions/backend/oauthtest"
)

const (
	bearerGrant   = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
	idJAG         = "urn:ietf:params:oauth:token-type:id-jag"
	idToken       = "urn:ietf:params:oauth:token-type:id_token"
)

func TestClientCredentials(t *testing.T) {
	a := newStranger(t, oauthtest.Options{RequiredScopes: []string{"mcp"}})
	params := url.Values{"grant_type": {"client_credentials"}, "resource": {a.mcp}}
	use := func(client oauthtest.Client) {
		client = a.server.AddClient(client)
		a.id, a.secret, a.method = client.ID, client.Secret, client.AuthMethod
	}
	use(oauthtest.Client{AuthMethod: basic})
	r := a.token(params)
	r.wants(t, http.StatusOK, "")
	if r.body["refresh_token"] != nil || a.call(r.body, "echo").status != http.StatusNoContent {
		t.Errorf("tokens %v", r.body)
	}
	use(oauthtest.Client{})
	a.token(params).wants(t, http.StatusBadRequest, "unauthorized_client")
	use(oauthtest.Client{AuthMethod: basic, GrantTypes: []string{"authorization_code"}})
	a.token(params).wants(t, http.StatusBadRequest, "unauthorized_client")
}

func TestPrivateKeyJWT(t *testing.T) {
	a := newStranger(t, oauthtest.Options{})
	key := newKey(t)
	a.id = a.server.AddClient(oauthtest.Client{AuthMethod: "private_key_jwt", Keys: keySet(key)}).ID
	claims := func(changes object) object {
		c := object{"iss": a.id, "sub": a.id, "aud": a.server.Issuer(), "exp": time.Now().Add(time.Minute).Unix(), "jti": rand.Text()}
		maps.Copy(c, changes)
		return c
	}
	ask := func(by *ecdsa.PrivateKey, changes object) reply {
		return a.token(url.Values{
			"grant_type": {"client_credentials"}, "resource": {a.mcp},
			"client_assertion":      {sign(t, by, &jose.SignerOptions{}, claims(changes))},
			"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
		})
	}
	ask(key, nil).wants(t, http.StatusOK, "")
	ask(key, object{"aud": a.server.Issuer() + "/token", "jti": "once"}).wants(t, http.StatusOK, "")
	tests := map[string]object{
		"used": {"jti": "once"}, "no id": {"jti": ""}, "issuer": {"iss": "x"}, "subject": {"sub": "x"}, "audience": {"aud": "x"},
		"expired": {"exp": time.Now().Add(-time.Hour).Unix()}, "without end": {"exp": nil},
	}
	for name, changes := range tests {
		t.Run(name, func(t *testing.T) { ask(key, changes).wants(t, http.StatusUnauthorized, "invalid_client") })
	}
	alone := url.Values{
		"grant_type": {"client_credentials"}, "client_assertion": {sign(t, key, &jose.SignerOptions{}, claims(nil))},
		"client_assertion_type": {"urn:ietf:params:oauth:client-assertion-type:jwt-bearer"},
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	a.do(http.MethodPost, a.server.Issuer()+"/token", alone.Encode(), header).wants(t, http.StatusOK, "")
	ask(newKey(t), nil).wants(t, http.StatusUnauthorized, "invalid_client")
	if seen := a.server.TokenRequests(); seen[0].AuthMethod != "private_key_jwt" || seen[0].ClientID != a.id {
		t.Errorf("seen %v", seen[0])
	}
}

func keySet(key *ecdsa.PrivateKey) *jose.JSONWebKeySet {
	return &jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "k"}}}
}

func TestIdentityProviderVouchesForThePerson(t *testing.T) {
	a := newStranger(t, oauthtest.Options{})
	client := a.server.AddClient(oauthtest.Client{AuthMethod: post, RedirectURIs: []string{redirectURI}})
	a.id, a.secret, a.method = client.ID, client.Secret, client.AuthMethod

	provider := a.get(a.server.IDP() + openIDDocument).body
	if provider["issuer"] != a.server.IDP() {
		t.Fatalf("provider %v", provider)
	}
	tokenURL, _ := provider["token_endpoint"].(string)
	authorizeURL, err := url.Parse(a.authorizeURL(url.Values{"scope": {"openid"}}))
	if err != nil {
		t.Fatal(err)
	}
	authorizeURL.Path = "/idp/authorize"
	redirect, err := oauthtest.Browse(t.Context(), a.http, authorizeURL.String())
	if err != nil || redirect.Query().Get("iss") != a.server.IDP() {
		t.Fatalf("redirect %s, %v", redirect, err)
	}
	identity, _ := a.tokenAt(tokenURL, codeParams(redirect.Query().Get("code"))).body["id_token"].(string)

	var keys jose.JSONWebKeySet
	if err := json.Unmarshal([]byte(a.get(provider["jwks_uri"].(string)).text), &keys); err != nil || len(keys.Keys) != 1 {
		t.Fatalf("keys %v, %v", keys, err)
	}
	signed, err := jwt.ParseSigned(identity, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	var said jwt.Claims
	if err := signed.Claims(keys, &said); err != nil || said.Issuer != a.server.IDP() || said.Subject == "" {
		t.Fatalf("identity %v, %v", said, err)
	}

	exchange := url.Values{
		"grant_type": {exchangeGrant}, "requested_token_type": {idJAG}, "subject_token_type": {idToken}, "subject_token": {identity},
		"audience": {a.server.Issuer()}, "resource": {a.mcp}, "scope": {"read"},
	}
	a.token(exchange).wants(t, http.StatusBadRequest, "unsupported_grant_type")
	r := a.tokenAt(tokenURL, exchange)
	r.wants(t, http.StatusOK, "")
	assertion, _ := r.body["access_token"].(string)
	if r.body["issued_token_type"] != idJAG || r.body["token_type"] != "N_A" {
		t.Fatalf("answer %s", r.text)
	}
	grant := url.Values{"grant_type": {bearerGrant}, "assertion": {assertion}}
	tokens := a.token(grant)
	tokens.wants(t, http.StatusOK, "")
	if tokens.body["scope"] != "read" || a.call(tokens.body, "echo").status != http.StatusNoContent {
		t.Errorf("tokens %v", tokens.body)
	}
	a.token(grant).wants(t, http.StatusBadRequest, "invalid_grant")

	elsewhere := url.Values{"audience": {"https://elsewhere.invalid"}}
	change(exchange, elsewhere)
	a.tokenAt(tokenURL, exchange).wants(t, http.StatusBadRequest, "invalid_target")
	change(exchange, url.Values{"subject_token": {"made-up"}})
	a.tokenAt(tokenURL, exchange).wants(t, http.StatusBadRequest, "invalid_request")
	a.token(url.Values{"grant_type": {bearerGrant}, "assertion": {identity}}).wants(t, http.StatusBadRequest, "invalid_grant")
}
