package oauthtest

import (
	"crypto/rand"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"
)

// Token types (RFC 8693 section 3, draft-ietf-oauth-identity-assertion-authz-grant).
const (
	typeIDToken  = "urn:ietf:params:oauth:token-type:id_token"
	typeIDJAG    = "urn:ietf:params:oauth:token-type:id-jag"
	headerIDJAG  = "oauth-id-jag+jwt"
	assertionAge = 5 * time.Minute
)

// giveClient gives a token to a client for itself (OAuth 2.1 section 4.2).
func (q *request) giveClient(client Client, thumbprint string, params url.Values) (object, *refusal) {
	if client.AuthMethod == methodNone {
		return nil, refuse("unauthorized_client", "the client has no secret and no key")
	}
	scopes, unknown := q.o.grantable(strings.Fields(params.Get("scope")))
	if unknown != "" {
		return nil, refuse("invalid_scope", "no scope "+unknown)
	}
	f := &family{client: client.ID, subject: client.ID, resource: params.Get("resource"), scopes: scopes}
	return q.grants.give(q.o, f, thumbprint), nil
}

// giveBearer gives a token for what the identity provider asserts (RFC 7523 section 2.1, section 4.4 of the draft).
func (q *request) giveBearer(client Client, thumbprint string, params url.Values) (object, *refusal) {
	c, kind, err := verified(params.Get("assertion"), q.keys.public())
	switch {
	case err != nil:
		return nil, refuse("invalid_grant", "the assertion: "+err.Error())
	case kind != headerIDJAG || c.Issuer != q.base+idpPath:
		return nil, refuse("invalid_grant", "the assertion is no ID-JAG of the identity provider")
	case !slices.Contains(c.Audience, q.issuer()):
		return nil, refuse("invalid_grant", "the assertion is for another server")
	case c.ClientID != client.ID:
		return nil, refuse("invalid_grant", "the assertion is for another client")
	}
	if resource := params.Get("resource"); resource != "" && c.Resource != "" && resource != c.Resource {
		return nil, refuse("invalid_target", "resource is not that of the assertion")
	}
	scopes := strings.Fields(params.Get("scope"))
	if len(scopes) == 0 {
		scopes = strings.Fields(c.Scope)
	}
	if !contains(strings.Fields(c.Scope), scopes) {
		return nil, refuse("invalid_scope", "scope goes beyond the assertion")
	}
	if err := q.assertions.fresh(c, q.o.now()); err != nil {
		return nil, refuse("invalid_grant", "the assertion: "+err.Error())
	}
	resource := c.Resource
	if resource == "" {
		resource = params.Get("resource")
	}
	return q.grants.give(q.o, &family{client: client.ID, subject: c.Subject, resource: resource, scopes: scopes}, thumbprint), nil
}

// exchangeToken gives an ID-JAG for an ID token (RFC 8693 section 2, section 4.3 of the draft).
func (q *request) exchangeToken(client Client, _ string, params url.Values) (object, *refusal) {
	if params.Get("requested_token_type") != typeIDJAG || params.Get("subject_token_type") != typeIDToken {
		return nil, refuse("invalid_request", "only ID tokens are exchanged, for an ID-JAG")
	}
	c, _, err := verified(params.Get("subject_token"), q.keys.public())
	switch {
	case err != nil:
		return nil, refuse("invalid_request", "the subject token: "+err.Error())
	case c.Issuer != q.issuer() || !slices.Contains(c.Audience, client.ID):
		return nil, refuse("invalid_request", "the subject token is of another issuer or for another client")
	case c.ValidateWithLeeway(jwt.Expected{Time: q.o.now()}, leeway) != nil:
		return nil, refuse("invalid_request", "the subject token has expired")
	case params.Get("audience") != q.base+q.o.IssuerPath:
		return nil, refuse("invalid_target", "audience is no authorization server that is known here")
	}
	scopes, unknown := q.o.grantable(strings.Fields(params.Get("scope")))
	if unknown != "" {
		return nil, refuse("invalid_scope", "no scope "+unknown)
	}
	scope := strings.Join(scopes, " ")
	grant, err := q.assert(headerIDJAG, claims{
		Claims:   jwt.Claims{Issuer: q.issuer(), Subject: c.Subject, Audience: jwt.Audience{params.Get("audience")}},
		ClientID: client.ID, Resource: params.Get("resource"), Scope: scope,
	})
	if err != nil {
		return nil, refuse("server_error", err.Error())
	}
	return object{
		"issued_token_type": typeIDJAG, "access_token": grant, "token_type": "N_A", "scope": scope,
		"expires_in": int(assertionAge / time.Second),
	}, nil
}

// withIDToken adds an ID token where the scope openid was granted (OpenID Connect Core section 3.1.3.3).
func (q *request) withIDToken(client Client, answer object) (object, *refusal) {
	scope, _ := answer["scope"].(string)
	if !slices.Contains(strings.Fields(scope), scopeOpenID) {
		return answer, nil
	}
	token, err := q.assert("JWT", claims{Claims: jwt.Claims{Issuer: q.issuer(), Subject: subject, Audience: jwt.Audience{client.ID}}})
	if err != nil {
		return nil, refuse("server_error", err.Error())
	}
	answer["id_token"] = token
	return answer, nil
}

// assert signs a short-lived JWT that counts once.
func (q *request) assert(kind string, c claims) (string, error) {
	now := q.o.now()
	c.ID, c.IssuedAt, c.Expiry = rand.Text(), jwt.NewNumericDate(now), jwt.NewNumericDate(now.Add(assertionAge))
	token, err := q.keys.sign(kind, c)
	if err == nil {
		q.seen.given(token)
	}
	return token, err
}
