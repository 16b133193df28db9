package oauthtest

import (
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
)

// Ways in which clients authenticate (RFC 7591 section 2, OpenID Connect Core section 9).
const (
	methodNone    = "none"
	methodBasic   = "client_secret_basic"
	methodPost    = "client_secret_post"
	methodKey     = "private_key_jwt"
	methodSeveral = "several" // which is one too many (RFC 6749 section 2.3)

	assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" // RFC 7523 section 2.2
)

// identity is what a request says of its client, before anybody has looked whether it is true.
type identity struct {
	id, method, secret, assertion string
}

func identityOf(r *http.Request, params url.Values) identity {
	who := identity{id: params.Get("client_id"), method: methodNone}
	var methods []string
	if id, secret, ok := r.BasicAuth(); ok {
		methods = append(methods, methodBasic)
		who.id, who.secret = unescaped(id), unescaped(secret)
	}
	if params.Has("client_secret") {
		methods = append(methods, methodPost)
		who.secret = params.Get("client_secret")
	}
	if params.Has("client_assertion") {
		methods = append(methods, methodKey)
		who.assertion = params.Get("client_assertion")
		if who.id == "" {
			who.id = subjectOf(who.assertion)
		}
	}
	switch len(methods) {
	case 0:
	case 1:
		who.method = methods[0]
	default:
		who.method = methodSeveral
	}
	return who
}

// unescaped undoes what RFC 6749 section 2.3.1 asks for before Basic.
func unescaped(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// authenticate finds the client of a request and checks it in the way for which it is registered.
func (q *request) authenticate(params url.Values) (Client, *refusal) {
	who := identityOf(q.r, params)
	client, ok := q.clients.find(who.id)
	switch {
	case who.method == methodSeveral:
		return Client{}, refuse("invalid_request", "more than one client authentication")
	case who.method == methodBasic && params.Has("client_id") && params.Get("client_id") != who.id:
		return Client{}, refuse("invalid_request", "client_id is not that of the authorization header")
	case q.o.NotionStyle && who.method != methodBasic:
		return Client{}, refuseClient("clients authenticate with HTTP Basic")
	case !ok || client.Document && q.o.RefuseCIMDAtToken:
		return Client{}, refuseClient("no such client")
	case who.method != client.AuthMethod:
		return Client{}, refuseClient("the client is registered for " + client.AuthMethod + ", not " + who.method)
	case client.hasSecret() && subtle.ConstantTimeCompare([]byte(who.secret), []byte(client.Secret)) != 1:
		return Client{}, refuseClient("the secret is wrong")
	case who.method == methodKey && params.Get("client_assertion_type") != assertionType:
		return Client{}, refuse("invalid_request", "unknown client_assertion_type")
	case who.method == methodKey:
		return client, q.checkAssertion(client, who.assertion)
	}
	return client, nil
}

// checkAssertion checks a JWT by which a client authenticates (RFC 7523 section 3).
func (q *request) checkAssertion(client Client, assertion string) *refusal {
	if client.Keys == nil {
		return refuseClient("the client has no keys")
	}
	claims, _, err := verified(assertion, *client.Keys)
	switch {
	case err != nil:
		return refuseClient("the assertion: " + err.Error())
	case claims.Issuer != client.ID || claims.Subject != client.ID:
		return refuseClient("the assertion is of another client")
	case !slices.Contains(claims.Audience, q.issuer()) && !slices.Contains(claims.Audience, q.issuer()+"/token"):
		return refuseClient("the assertion is for another server")
	}
	if err := q.assertions.fresh(claims, q.o.now()); err != nil {
		return refuseClient("the assertion: " + err.Error())
	}
	return nil
}
