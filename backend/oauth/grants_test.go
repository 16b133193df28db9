package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

// secrets are those of an Auth, given as name, value, name, value.
func secrets(pairs ...string) []domain.Variable {
	var all []domain.Variable
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, domain.Variable{Name: pairs[i], Value: pairs[i+1]})
	}
	return all
}

// noTab fails when a browser was opened.
func (w *world) noTab() {
	w.t.Helper()
	if len(w.server.Authorizations()) > 0 {
		w.t.Error("somebody was asked")
	}
}

func TestAProgramSignsInByItsSecret(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{
		"plain": {}, "scopes": {RequiredScopes: []string{"mcp"}}, "DPoP": {DPoP: oauthtest.DPoPRequired, DPoPNonce: true}, "metadata at the root": {ResourceMetadata: oauthtest.PlaceRoot},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o)
			us := w.server.AddClient(oauthtest.Client{AuthMethod: methodBasic})
			w.target.Auth = &domain.Auth{Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: secrets(domain.SecretClient, us.Secret)}
			if w.target.NeedsPerson() {
				t.Fatal("it needs a person")
			}
			w.passes("echo")
			w.passes("echo")
			for range 3 { // each time bound to another key
				w.clock.pass(2 * time.Hour)
				w.passes("echo")
			}
			w.server.Expire()
			w.passes("echo")
			w.noTab()
			asked := w.server.TokenRequests()
			if asked[0].GrantType != "client_credentials" || asked[0].AuthMethod != methodBasic || asked[0].Resource == "" {
				t.Errorf("%+v", asked[0])
			}
			if summary, ok, err := w.client.SignedIn(w.target); err != nil || !ok || !summary.Renewable {
				t.Errorf("%+v %v %v", summary, ok, err)
			}
		})
	}
}

// pemOf is a private key as people keep it.
func pemOf(t *testing.T, key crypto.Signer) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

func keys(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	wide, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	r, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"ES256": ec, "ES384": wide, "RS256": r, "PS256": r, "EdDSA": ed}
}

func TestAProgramSignsInByItsKey(t *testing.T) {
	for algorithm, key := range keys(t) {
		t.Run(algorithm, func(t *testing.T) {
			w := newWorld(t, oauthtest.Options{})
			set := &jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), Algorithm: algorithm}}}
			us := w.server.AddClient(oauthtest.Client{AuthMethod: methodKeyJWT, Keys: set})
			w.target.Auth = &domain.Auth{Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: secrets(domain.SecretKey, pemOf(t, key))}
			if algorithm == "PS256" {
				w.target.Auth.SigningAlg = algorithm
			}
			w.passes("echo")
			w.clock.pass(2 * time.Hour)
			w.passes("echo")
			if got := w.server.TokenRequests()[0]; got.AuthMethod != methodKeyJWT || got.Error != "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestKeysInTheirOlderForms(t *testing.T) {
	all := keys(t)
	ec, err := x509.MarshalECPrivateKey(all["ES256"].(*ecdsa.PrivateKey))
	if err != nil {
		t.Fatal(err)
	}
	for algorithm, block := range map[string]*pem.Block{
		"ES256": {Type: "EC PRIVATE KEY", Bytes: ec},
		"RS256": {Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(all["RS256"].(*rsa.PrivateKey))},
	} {
		if _, got, err := readPrivateKey(string(pem.EncodeToMemory(block))); err != nil || got != algorithm {
			t.Errorf("%s: %s %v", algorithm, got, err)
		}
	}
	for _, text := range []string{"", "s3cret", "-----BEGIN PRIVATE KEY-----\nczNjcmV0\n-----END PRIVATE KEY-----\n"} {
		_, _, err := readPrivateKey(text)
		wantError(t, err, domain.CodeConfigInvalid, "field", "auth.private_key")
		if strings.Contains(err.Error(), "czNjcmV0") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("the error repeats the key: %v", err)
		}
	}
	_, err = clientAssertion(pemOf(t, all["ES256"]), "RS256", "us", "https://as.example", time.Now())
	wantError(t, err, domain.CodeConfigInvalid, "field", "auth.private_key")
}

// idToken is what a person's company gives out when they sign in there.
func idToken(w *world, client string) string {
	w.t.Helper()
	us := w.server.AddClient(oauthtest.Client{ID: client, RedirectURIs: []string{"http://127.0.0.1/callback"}})
	query := url.Values{
		"response_type": {"code"}, "client_id": {us.ID}, "redirect_uri": us.RedirectURIs, "scope": {"openid"},
		"code_challenge": {strings.Repeat("x", 43)}, "code_challenge_method": {"S256"},
	}
	verifier := newVerifier()
	query.Set("code_challenge", challengeFor(verifier))
	answer, err := oauthtest.Browse(w.ctx(), w.browser, w.server.IDP()+"/authorize?"+query.Encode())
	if err != nil {
		w.t.Fatal(err)
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {us.ID}, "code": {answer.Query().Get("code")}, "redirect_uri": us.RedirectURIs, "code_verifier": {verifier},
	}
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodPost, w.server.IDP()+"/token", strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	_, body := w.fetch(r)
	return memberOf(w.t, body, "id_token")
}

func TestACompanyManagesTheAccess(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	token := idToken(w, "company-client")
	before := len(w.server.Authorizations())
	w.target.Auth = &domain.Auth{
		Grant: domain.EnterpriseManaged, ClientID: "company-client", IDPTokenURL: w.server.IDP() + "/token", IDPClientID: "company-client",
		Secrets: secrets(domain.SecretIDToken, token),
	}
	w.passes("echo")
	asked := w.server.TokenRequests()[1:]
	if len(asked) != 2 || asked[0].GrantType != grantTokenExchange || asked[1].GrantType != grantJWTBearer || asked[1].Resource != w.target.URL {
		t.Errorf("asked %+v", asked)
	}
	w.clock.pass(2 * time.Hour) // and the identity token has ended too
	wantError(t, w.call("echo").err, domain.CodeSignInRefused, "oauth_error", "invalid_request")
	if len(w.server.Authorizations()) != before {
		t.Error("somebody was asked")
	}
}

func TestTheSurroundingsVouchForAProgram(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	w.target.Auth = &domain.Auth{Grant: domain.WorkloadIdentity, ClientID: "us", Secrets: secrets(domain.SecretAssertion, "e.y.j")}
	w.server.AddClient(oauthtest.Client{ID: "us"})
	wantError(t, w.call("echo").err, domain.CodeSignInRefused, "oauth_error", "invalid_grant")
	if asked := w.server.TokenRequests()[0]; asked.GrantType != grantJWTBearer || asked.Resource != w.target.URL {
		t.Errorf("%+v", asked)
	}
	w.noTab()

	company := w.target
	company.Auth = &domain.Auth{
		Grant: domain.EnterpriseManaged, ClientID: "us", IDPTokenURL: w.server.IDP() + "/token", IDPClientID: "us", Secrets: secrets(domain.SecretIDToken, idToken(w, "us")),
	}
	assertion, err := w.client.exchangeIDToken(w.ctx(), company, place{server: serverMetadata{Issuer: w.server.Issuer()}, resource: w.target.URL})
	if err != nil {
		t.Fatal(err)
	}
	w.target.Auth.Secrets = secrets(domain.SecretAssertion, assertion) // the surroundings give another one
	w.passes("echo")
}

func TestATokenOfTheCompanyIsShownToNobodyElse(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	idp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"access_token":"of-the-company","issued_token_type":"urn:ietf:params:oauth:token-type:access_token","token_type":"Bearer"}`))
	}))
	defer idp.Close()
	w.target.Auth = &domain.Auth{Grant: domain.EnterpriseManaged, ClientID: "us", IDPTokenURL: idp.URL, IDPClientID: "us", Secrets: secrets(domain.SecretIDToken, "e.y.j")}
	wantError(t, w.call("echo").err, domain.CodeSignInRefused, "reason", "issued_token_type")
	if len(w.server.TokenRequests()) > 0 {
		t.Error("it was shown")
	}
}

func TestAProgramThatIsRefusedDoesNotAskAgainByItself(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	us := w.server.AddClient(oauthtest.Client{AuthMethod: methodBasic})
	w.target.Auth = &domain.Auth{Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: secrets(domain.SecretClient, "wrong")}
	for range 3 {
		wantError(t, w.call("echo").err, domain.CodeSignInRefused, "oauth_error", "invalid_client")
		w.clock.pass(time.Minute)
	}
	if n := len(w.server.TokenRequests()); n != 1 {
		t.Errorf("%d token requests", n)
	}
	wantError(t, w.client.Obtain(w.ctx(), w.target), domain.CodeSignInRefused)
	if n := len(w.server.TokenRequests()); n != 2 {
		t.Errorf("%d token requests after a person asked", n)
	}
	w.target.Auth.Secrets = secrets(domain.SecretClient, us.Secret) // another configuration is asked with at once
	w.passes("echo")
	if err := w.client.Obtain(w.ctx(), w.target); err != nil {
		t.Error(err)
	}
}

func TestObtainAsksAgainThoughATokenIsStored(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	us := w.server.AddClient(oauthtest.Client{AuthMethod: methodBasic})
	w.target.Auth = &domain.Auth{Grant: domain.ClientCredentials, ClientID: us.ID, Secrets: secrets(domain.SecretClient, us.Secret)}
	w.passes("echo")
	later := New(w.options)
	defer later.Close()
	if err := later.Obtain(w.ctx(), w.target); err != nil || len(w.server.TokenRequests()) != 2 {
		t.Errorf("%v, %d token requests", err, len(w.server.TokenRequests()))
	}
}

func TestAProgramOnThisComputerGetsItsTokenWithoutAChallenge(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	us := w.server.AddClient(oauthtest.Client{AuthMethod: methodBasic})
	w.target.URL = ""
	w.target.Auth = &domain.Auth{
		Grant: domain.ClientCredentials, Provider: "custom", ClientID: us.ID, Secrets: secrets(domain.SecretClient, us.Secret),
		AuthorizeURL: w.server.URL() + "/authorize", TokenURL: w.server.URL() + "/token",
	}
	token, renewAt, err := w.client.Token(w.ctx(), w.target)
	if err != nil || token == "" || !renewAt.Equal(w.clock.Now().Add(time.Hour-earlyAtMost)) {
		t.Errorf("%q %v %v", token, renewAt, err)
	}
}

func TestAnIncompleteConfigurationNamesTheField(t *testing.T) {
	for field, auth := range map[string]domain.Auth{
		"auth.client_id":                    {Grant: domain.ClientCredentials},
		"auth.client_secret or private_key": {Grant: domain.ClientCredentials, ClientID: "us"},
		"auth.assertion":                    {Grant: domain.WorkloadIdentity},
		"auth.idp_token_url":                {Grant: domain.EnterpriseManaged, ClientID: "us"},
		"auth.idp_client_id":                {Grant: domain.EnterpriseManaged, ClientID: "us", IDPTokenURL: "https://idp.example"},
		"auth.id_token":                     {Grant: domain.EnterpriseManaged, ClientID: "us", IDPTokenURL: "https://idp.example", IDPClientID: "x"},
		"auth.grant":                        {Grant: "implicit"},
		"auth.private_key":                  {Grant: domain.ClientCredentials, ClientID: "us", Secrets: secrets(domain.SecretKey, "no key")},
	} {
		w := newWorld(t, oauthtest.Options{}, withAuth(auth))
		wantError(t, w.call("echo").err, domain.CodeConfigInvalid, "field", field)
		if len(w.server.TokenRequests()) > 0 {
			t.Errorf("%s: it was asked all the same", field)
		}
	}
	for field, auth := range map[string]*domain.Auth{
		"auth.provider": {Provider: "nobody"}, "auth.provider ": {Provider: "custom", AuthorizeURL: "https://a.example"}, "auth.provider  ": nil,
	} {
		w := newWorld(t, oauthtest.Options{})
		w.target.URL, w.target.Auth = "", auth
		_, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
		wantError(t, err, domain.CodeConfigInvalid, "field", strings.TrimSpace(field))
	}
}
