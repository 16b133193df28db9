package oauthtest

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// asked is an authorization request that nothing speaks against.
type asked struct {
	client Client
	params url.Values
	scopes []string
}

// pending are the requests that wait for the person, by a key that only the page knows.
type pending struct {
	mu    sync.Mutex
	byKey map[string]asked
}

func newPending() *pending { return &pending{byKey: make(map[string]asked)} }

func (p *pending) put(a asked) (key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key = rand.Text()
	p.byKey[key] = a
	return key
}

func (p *pending) take(key string) (asked, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, ok := p.byKey[key]
	delete(p.byKey, key)
	return a, ok
}

// authorize takes an authorization request (OAuth 2.1 section 4.1.1). Without a client and a redirect URI that belong
// together, nobody is sent anywhere.
func (q *request) authorize() {
	params := q.r.URL.Query()
	q.seen.note(func() { q.seen.authorizations = append(q.seen.authorizations, params) })
	client, err := q.identify(params.Get("client_id"))
	if err != nil {
		q.refusePage(err.Error())
		return
	}
	if !q.o.allowsRedirect(client, params.Get("redirect_uri")) {
		q.refusePage("the redirect URI is not registered for this client")
		return
	}
	a := asked{client: client, params: params}
	var refused *refusal
	if a.scopes, refused = q.o.judge(client, params); refused != nil {
		q.redirect(params, url.Values{"error": {refused.code}, "error_description": {refused.description}})
		return
	}
	if q.o.Auto {
		q.allow(a)
		return
	}
	q.ask(a, q.pending.put(a))
}

// decide takes the answer of the person.
func (q *request) decide() {
	a, ok := q.pending.take(q.r.PostFormValue("request"))
	switch {
	case !ok:
		q.refusePage("this page has been answered already")
	case q.r.PostFormValue("decision") == "allow":
		q.allow(a)
	default:
		q.redirect(a.params, url.Values{"error": {"access_denied"}, "error_description": {"The person pressed Deny."}})
	}
}

func (q *request) allow(a asked) {
	code := q.grants.addCode(q.o, code{
		family: &family{
			client: a.client.ID, subject: subject, resource: a.params.Get("resource"), scopes: a.scopes,
			refreshes: a.client.may(grantRefresh) && !q.o.RefreshLess, public: a.client.AuthMethod == methodNone,
		},
		redirect: a.params.Get("redirect_uri"), challenge: a.params.Get("code_challenge"), thumbprint: a.params.Get("dpop_jkt"),
	})
	q.redirect(a.params, url.Values{"code": {code}})
}

// redirect sends the browser back to the client (RFC 9207 section 2 adds the issuer).
func (q *request) redirect(params, answer url.Values) {
	if params.Has("state") {
		answer.Set("state", params.Get("state"))
	}
	switch {
	case q.o.WrongISS:
		answer.Set("iss", stranger)
	case !q.o.NoISS && !q.o.DropISS:
		answer.Set("iss", q.issuer())
	}
	target, separator := params.Get("redirect_uri"), "?"
	if strings.Contains(target, "?") {
		separator = "&"
	}
	// 303 turns the POST of the form into a GET (RFC 9700 section 4.12).
	q.w.Header().Set("Location", target+separator+answer.Encode())
	q.w.WriteHeader(http.StatusSeeOther)
}

// judge says what is granted, or why not.
func (o Options) judge(client Client, params url.Values) (scopes []string, refused *refusal) {
	for name, values := range params {
		if len(values) > 1 && name != "resource" {
			return nil, refuse("invalid_request", name+" is there twice")
		}
	}
	if refused := o.judgeChallenge(params); refused != nil {
		return nil, refused
	}
	scopes, unknown := o.grantable(strings.Fields(params.Get("scope")))
	switch {
	case o.RefuseCIMD && client.Document:
		return nil, refuse("invalid_client", "documents are not accepted after all")
	case params.Get("response_type") != "code":
		return nil, refuse("unsupported_response_type", "response_type is not code")
	case !client.may(grantCode):
		return nil, refuse("unauthorized_client", "the client is not registered for codes")
	case !validResource(params):
		return nil, refuse("invalid_target", "resource is not one absolute URI without a fragment")
	case unknown != "":
		return nil, refuse("invalid_scope", "no scope "+unknown)
	case o.Deny:
		return nil, refuse("access_denied", "The person said no.")
	}
	return scopes, nil
}

// judgeChallenge says what is wrong with the challenge of PKCE (RFC 7636 section 4.4.1).
func (o Options) judgeChallenge(params url.Values) *refusal {
	challenge, method := params.Get("code_challenge"), params.Get("code_challenge_method")
	if method == "" {
		method = "plain"
	}
	switch {
	case challenge == "" && o.NoPKCE:
		return nil
	case challenge == "":
		return refuse("invalid_request", "code_challenge is missing")
	case method != o.challengeMethod():
		return refuse("invalid_request", "no code_challenge_method "+method)
	case len(challenge) < 43 || len(challenge) > 128:
		return refuse("invalid_request", "code_challenge has not 43 to 128 characters")
	}
	return nil
}

// validResource checks the resource parameter, which may be absent (RFC 8707 section 2). Several are not supported.
func validResource(params url.Values) bool {
	return !slices.ContainsFunc(params["resource"], func(resource string) bool {
		address, err := url.Parse(resource)
		return err != nil || !address.IsAbs() || strings.Contains(resource, "#")
	}) && len(params["resource"]) < 2
}
