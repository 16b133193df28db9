package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// tokenEndpoint asks an authorization server for tokens, as one client of it.
type tokenEndpoint struct {
	web    *http.Client
	server serverMetadata
	client registration
	style  style
	proof  *prover // nil without DPoP
	// params go with every request, such as the resource (RFC 8707 section 2.2).
	params url.Values
	now    func() time.Time
}

// String keeps what is secret out of logs.
func (e tokenEndpoint) String() string { return "token endpoint of " + e.server.Issuer }

// GoString keeps %#v from printing more than String.
func (e tokenEndpoint) GoString() string { return e.String() }

// grantedToken is what a token endpoint gave.
type grantedToken struct {
	access, refresh, kind string
	issued                string    // the type of a token that was exchanged for another (RFC 8693 section 2.2.1)
	expires               time.Time // zero: it does not say
	scopes                []string  // nil: as asked
}

// String keeps the tokens out of logs.
func (g grantedToken) String() string { return "token of kind " + g.kind }

// GoString keeps %#v from printing more than String.
func (g grantedToken) GoString() string { return g.String() }

// code exchanges an authorization code (RFC 6749 section 4.1.3) with its verifier; empty without PKCE.
func (e tokenEndpoint) code(ctx context.Context, code, verifier, redirectURI string) (grantedToken, error) {
	var options []oauth2.AuthCodeOption
	if verifier != "" {
		options = append(options, oauth2.VerifierOption(verifier))
	}
	config := e.config()
	config.RedirectURL = redirectURI
	token, err := config.Exchange(e.context(ctx), code, options...)
	return e.read(token, err)
}

// refresh gets a new token for a refresh token (RFC 6749 section 6).
func (e tokenEndpoint) refresh(ctx context.Context, refreshToken string) (grantedToken, error) {
	token, err := e.config().TokenSource(e.context(ctx), &oauth2.Token{RefreshToken: refreshToken}).Token()
	return e.read(token, err)
}

// grant asks by any other grant (RFC 6749 sections 4.4 and 4.5): params say which.
func (e tokenEndpoint) grant(ctx context.Context, scopes []string, params url.Values) (grantedToken, error) {
	config := clientcredentials.Config{
		ClientID: e.client.ClientID, ClientSecret: e.client.secret(), TokenURL: e.server.TokenEndpoint, Scopes: scopes,
		EndpointParams: params, AuthStyle: e.authStyle(),
	}
	token, err := config.Token(e.context(ctx))
	return e.read(token, err)
}

func (e tokenEndpoint) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID: e.client.ClientID, ClientSecret: e.client.secret(),
		Endpoint: oauth2.Endpoint{AuthURL: e.server.AuthorizationEndpoint, TokenURL: e.server.TokenEndpoint, AuthStyle: e.authStyle()},
	}
}

func (e tokenEndpoint) authStyle() oauth2.AuthStyle {
	if e.client.AuthMethod == methodBasic && e.client.secret() != "" {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

func (e tokenEndpoint) context(ctx context.Context) context.Context {
	adapted := &http.Client{Transport: tokenTripper{e}, CheckRedirect: e.web.CheckRedirect, Timeout: e.web.Timeout}
	return context.WithValue(ctx, oauth2.HTTPClient, adapted)
}

func (e tokenEndpoint) read(token *oauth2.Token, err error) (grantedToken, error) {
	if err != nil {
		return grantedToken{}, e.failed(err)
	}
	g := grantedToken{access: token.AccessToken, refresh: token.RefreshToken, kind: token.Type()}
	if seconds, ok := token.Extra("expires_in").(float64); ok { // by our clock, which is not that of x/oauth2
		g.expires = e.now().Add(time.Duration(seconds) * time.Second)
	}
	g.issued, _ = token.Extra("issued_token_type").(string)
	if strings.ContainsFunc(g.access, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return grantedToken{}, notConforming(e.server.Issuer, "token", "its token cannot be sent in a header")
	}
	if scope, ok := token.Extra("scope").(string); ok {
		g.scopes = append([]string{}, httpauth.ScopesOf(strings.ReplaceAll(scope, ",", " "))...) // "" says that none was granted
	}
	if e.proof != nil && !strings.EqualFold(g.kind, "DPoP") {
		return grantedToken{}, notConforming(e.server.Issuer, "not_bound", "it gave a token that is not bound to our key, though DPoP was asked for")
	}
	return g, nil
}

// maxLifetime is a bound for expires_in: what is beyond it is taken for no statement at all.
const maxLifetime = 10 * 365 * 24 * time.Hour

// refusedError is an answer of a token endpoint that says no.
type refusedError struct {
	shown *domain.Error
	code  string // of RFC 6749 section 5.2
}

// Error is the sentence that people see.
func (r refusedError) Error() string { return r.shown.Error() }

// Unwrap gives the error that people see.
func (r refusedError) Unwrap() error { return r.shown }

// isRefusal reports whether a token endpoint said no with one of these codes; without codes, with any.
func isRefusal(err error, codes ...string) bool {
	r, ok := errors.AsType[refusedError](err)
	return ok && (len(codes) == 0 || slices.Contains(codes, r.code))
}

// failed names why there is no token. What the server sent along is not repeated beyond its own words: it may hold tokens.
func (e tokenEndpoint) failed(err error) error {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		u, wrong := url.Parse(e.server.TokenEndpoint)
		if _, network := errors.AsType[*url.Error](err); wrong == nil && network {
			return unreachable(u, err)
		}
		if known, ok := errors.AsType[*domain.Error](err); ok {
			return known
		}
		if ctx := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); ctx {
			return err
		}
		return notConforming(e.server.Issuer, "token", "its token endpoint gives no token")
	}
	said := refusal{Code: refused.ErrorCode, Description: refused.ErrorDescription, Status: refused.Response.StatusCode}
	if said.isPassing() {
		u, _ := url.Parse(e.server.TokenEndpoint) // it was asked there
		return unreachable(u, errors.New(said.text()))
	}
	failure := notConforming(e.server.Issuer, "token", "its token endpoint says no ("+said.text()+")")
	failure.Args["oauth_error"] = plain(said.Code)
	failure.Hint = "Sign in again. If that does not help, check the client ID and the scopes of this server."
	if said.Code == "" {
		return failure // who knows who says so: a page of a network's own is no word of the server
	}
	return refusedError{shown: failure, code: standardCode(said.Code)}
}

// standardCode is the code of RFC 6749 section 5.2 for the word of a known provider.
func standardCode(code string) string {
	switch code {
	case "bad_refresh_token", "bad_verification_code", "invalid_refresh_token", "invalid_code", "token_expired", "token_revoked":
		return "invalid_grant"
	case "incorrect_client_credentials", "bad_client_secret", "invalid_client_id":
		return "invalid_client"
	}
	return code
}

// tokenTripper adapts the requests of x/oauth2 to what a token endpoint wants besides, and its answers back.
type tokenTripper struct{ tokenEndpoint }

// RoundTrip sends a token request, and once more with the nonce that the server asks for.
func (t tokenTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, errors.Join(err, r.Body.Close())
	}
	_ = r.Body.Close()
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return nil, err
	}
	maps.Copy(form, t.params)
	for attempt := 0; ; attempt++ {
		resp, body, sent, err := t.send(r, form)
		if err != nil {
			return nil, err
		}
		nonce := bytes.Contains(body, []byte("use_dpop_nonce"))
		if t.proof == nil || !t.proof.learn(r.URL, sent, resp, nonce) || attempt > 0 {
			resp.Body = io.NopCloser(bytes.NewReader(t.style.answer(resp, body, t.hiding(form))))
			return resp, nil
		}
	}
}

// hiding hides what is secret in a request.
func (t tokenTripper) hiding(form url.Values) *strings.Replacer {
	secrets := []string{t.client.ClientSecret}
	for _, name := range []string{"code", "code_verifier", "refresh_token", "assertion", "client_assertion", "subject_token"} {
		secrets = append(secrets, form.Get(name))
	}
	return hiding(secrets...)
}

// send sends the form once, and gives the nonce that went with it.
func (t tokenTripper) send(r *http.Request, form url.Values) (resp *http.Response, body []byte, nonce string, err error) {
	kind, encoded := "application/x-www-form-urlencoded", []byte(form.Encode())
	if t.style.JSON {
		kind, encoded = "application/json", asObject(form)
	}
	r = r.Clone(r.Context())
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Accept", "application/json")
	maps.Copy(r.Header, t.style.Header)
	if t.proof != nil {
		var proof string
		if proof, nonce, err = t.proof.proof(r.Method, r.URL, ""); err != nil {
			return nil, nil, "", err
		}
		r.Header.Set("DPoP", proof)
	}
	r.Body, r.ContentLength, r.GetBody = io.NopCloser(bytes.NewReader(encoded)), int64(len(encoded)), nil
	if resp, err = t.web.Transport.RoundTrip(r); err != nil {
		return nil, nil, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err = readAll(resp)
	return resp, body, nonce, err
}

// asObject is a form as a JSON object.
func asObject(form url.Values) []byte {
	object := make(map[string]string, len(form))
	for name := range form {
		object[name] = form.Get(name)
	}
	raw, err := json.Marshal(object)
	if err != nil {
		panic("encode strings: " + err.Error())
	}
	return raw
}
