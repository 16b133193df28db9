package oauthtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Grant types.
const (
	grantCode     = "authorization_code"
	grantRefresh  = "refresh_token"
	grantClient   = "client_credentials"
	grantBearer   = "urn:ietf:params:oauth:grant-type:jwt-bearer"     // RFC 7523 section 2.1
	grantExchange = "urn:ietf:params:oauth:grant-type:token-exchange" // RFC 8693 section 2.1
)

// refusal is an error answer (OAuth 2.1 sections 3.2.4 and 4.1.2.1).
type refusal struct {
	status            int
	code, description string
}

func refuse(code, description string) *refusal {
	return &refusal{status: http.StatusBadRequest, code: code, description: description}
}

func refuseClient(description string) *refusal {
	return &refusal{status: http.StatusUnauthorized, code: "invalid_client", description: description}
}

// token answers one token request (OAuth 2.1 section 3.2).
func (q *request) token() {
	params, refused := q.tokenParams()
	entry := q.noteToken(params)
	if !q.wait() {
		return // the client has left: nothing was changed
	}
	var answer object
	if refused == nil {
		answer, refused = q.exchange(params)
	}
	q.w.Header().Set("Cache-Control", "no-store")
	q.offerNonce()
	if refused != nil {
		q.seen.note(func() { entry.Error = refused.code })
		q.refuseToken(params, refused)
		return
	}
	q.answerToken(answer)
}

// tokenParams reads the whole body, without which the server does not notice that the client leaves.
func (q *request) tokenParams() (url.Values, *refusal) {
	raw, err := io.ReadAll(io.LimitReader(q.r.Body, maxBody))
	if err != nil {
		return nil, refuse("invalid_request", "the body does not arrive")
	}
	kind, _, _ := strings.Cut(q.r.Header.Get("Content-Type"), ";")
	if q.o.NotionStyle {
		return jsonParams(kind, raw)
	}
	params, err := url.ParseQuery(string(raw))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return params, refuse("invalid_request", "the body is not a form")
	}
	for name, values := range params {
		if len(values) > 1 && name != "resource" {
			return params, refuse("invalid_request", name+" is there twice")
		}
	}
	return params, nil
}

func jsonParams(kind string, raw []byte) (url.Values, *refusal) {
	var members object
	if kind != "application/json" || json.Unmarshal(raw, &members) != nil {
		return nil, refuse("invalid_request", "the body is not JSON")
	}
	params := url.Values{}
	for name, value := range members {
		params.Set(name, fmt.Sprint(value))
	}
	return params, nil
}

// wait lasts for the delay, or until the client leaves.
func (q *request) wait() bool {
	if q.o.TokenDelay == 0 {
		return true
	}
	delay := time.NewTimer(q.o.TokenDelay)
	defer delay.Stop()
	select {
	case <-delay.C:
		return q.r.Context().Err() == nil
	case <-q.r.Context().Done():
		return false
	}
}

func (q *request) exchange(params url.Values) (object, *refusal) {
	client, refused := q.authenticate(params)
	if refused != nil {
		return nil, refused
	}
	grant, known := q.grant(params.Get("grant_type"))
	switch {
	case !known:
		return nil, refuse("unsupported_grant_type", "no grant type "+params.Get("grant_type"))
	case !client.may(params.Get("grant_type")):
		return nil, refuse("unauthorized_client", "the client is not registered for this grant type")
	case !validResource(params):
		return nil, refuse("invalid_target", "resource is not one absolute URI without a fragment")
	}
	thumbprint, refused := q.tokenProof()
	if refused != nil {
		return nil, refused
	}
	return grant(client, thumbprint, params)
}

type grant func(client Client, thumbprint string, params url.Values) (object, *refusal)

func (q *request) grant(grantType string) (grant, bool) {
	switch grantType {
	case grantCode:
		return q.redeem, true
	case grantRefresh:
		return q.renew, true
	case grantClient:
		return q.giveClient, true
	case grantBearer:
		return q.giveBearer, true
	case grantExchange:
		return q.exchangeToken, q.prefix == idpPath
	}
	return nil, false
}

func (q *request) redeem(client Client, thumbprint string, params url.Values) (object, *refusal) {
	answer, refused := q.grants.redeem(q.o, params.Get("code"), redemption{
		client: client.ID, redirect: params.Get("redirect_uri"), verifier: params.Get("code_verifier"),
		resource: params.Get("resource"), thumbprint: thumbprint,
	})
	if refused != nil {
		return nil, refused
	}
	return q.withIDToken(client, answer)
}

func (q *request) renew(client Client, thumbprint string, params url.Values) (object, *refusal) {
	return q.grants.renew(q.o, params.Get("refresh_token"), renewal{
		client: client.ID, resource: params.Get("resource"), thumbprint: thumbprint, scopes: strings.Fields(params.Get("scope")),
	})
}
