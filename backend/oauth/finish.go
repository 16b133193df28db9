package oauth

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Finished is what the person's browser is to be told.
type Finished struct {
	Target Target
	// Next is another address to go on to: the server did not take us as we came first.
	Next     string
	Language string
	Err      error
}

// Finish takes the answer of an authorization server (RFC 6749 section 4.1.2, RFC 9207), which arrived at an address, once:
// the state is used up. The token is kept before it returns, though the browser that brought the answer goes away.
// CodeUnknownItem for a state that nobody knows, or that was to arrive at another path.
func (c *Client) Finish(ctx context.Context, arrived *url.URL) (Finished, error) {
	query := arrived.Query()
	c.mu.Lock()
	f := c.flows[query.Get("state")]
	if f == nil || f.over() || pathOf(arrived) != f.path {
		c.mu.Unlock()
		return Finished{}, unknownState()
	}
	delete(c.flows, query.Get("state"))
	c.mu.Unlock()
	f.answered.Store(true)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	defer context.AfterFunc(c.life, cancel)()
	var done Finished
	finished := make(chan struct{})
	if !c.start(func() {
		defer close(finished)
		done = c.finish(ctx, f, query)
	}) {
		return Finished{}, unknownState()
	}
	<-finished
	return done, nil
}

// finish ends a flow with the answer, or sends the browser on.
func (c *Client) finish(ctx context.Context, f *flow, query url.Values) Finished {
	done := Finished{Target: f.target, Language: f.options.Language}
	a := f.last()
	done.Err = c.settle(ctx, f, a, query)
	if a.plan.client.Kind == byDocument && isRefusal(done.Err, "invalid_client", "unauthorized_client", "invalid_request", "invalid_client_metadata") {
		if done.Next, done.Err = c.withoutDocument(ctx, f, a, done.Err); done.Err == nil {
			return done
		}
	}
	if a.plan.client.Kind == dynamic && isRefusal(done.Err, "invalid_client", "unauthorized_client") {
		// The server forgot us: the next sign-in makes us known again.
		done.Err = errors.Join(done.Err, c.options.Store.Delete(registrationKey(a.plan.client.Issuer, a.plan.client.Redirect)))
	}
	if done.Err == nil {
		c.options.SignedIn(f.target.Subject)
	}
	f.finish(Ended{Err: done.Err})
	return done
}

// settle checks an answer, exchanges its code and keeps the token.
func (c *Client) settle(ctx context.Context, f *flow, a attempt, query url.Values) error {
	if err := a.plan.checkIssuer(query); err != nil {
		return err
	}
	if code := query.Get("error"); code != "" {
		return denied(a.plan.server.Issuer, refusal{Code: code, Description: query.Get("error_description")})
	}
	if query.Get("code") == "" {
		return notConforming(a.plan.server.Issuer, "no_code", "its answer holds no code")
	}
	t := f.target
	if t.isBound() {
		if err := c.bind(t, a.plan.server.Issuer); err != nil {
			return err
		}
	}
	web, err := c.web(ctx, t)
	if err != nil {
		return err
	}
	defer web.CloseIdleConnections()
	e := tokenEndpoint{
		web: web, server: a.plan.server, client: a.plan.client, style: a.plan.provider.style, params: resourceParam(a.plan.resource), now: c.options.Now,
	}
	if a.plan.dpop {
		if e.proof, err = newProver(nil, c.options.Now); err != nil {
			return err
		}
	}
	given, err := e.code(ctx, query.Get("code"), a.verifier, a.begun.RedirectURI)
	if err != nil {
		return err
	}
	if err := c.options.Tell(Step{What: StepSignedIn, Subject: t.Subject, By: f.options.By, Issuer: a.plan.server.Issuer}); err != nil {
		return err
	}
	return c.account(t).adopt(f, a.credential(e).bound(e.proof).with(given, c.options.Now()), e.proof, a.plan.scopes, a.plan.more)
}

func (a attempt) credential(e tokenEndpoint) credential {
	return credential{
		Server: e.server, Client: e.client, Style: e.style, Resource: a.plan.resource, Scopes: a.plan.scopes,
	}
}

// bound keeps the key of a prover with the credential; nil is none.
func (c credential) bound(p *prover) credential {
	if p != nil {
		c.Key = p.kept
	}
	return c
}

// checkIssuer compares who answered with who was asked, character by character (RFC 9207 section 2.4). Of a provider that
// was not discovered only the origin is known.
func (p plan) checkIssuer(query url.Values) error {
	m, said := p.server, query.Get("iss")
	if said == "" && !m.IssuerInAnswers || said == m.Issuer {
		return nil
	}
	if from, err := url.Parse(said); err == nil && p.provider.authorize != "" && origin(from) == m.Issuer {
		return nil
	}
	what := "its answer does not say who gave it"
	if said != "" {
		what = "the answer comes from " + plain(said)
	}
	return notConforming(m.Issuer, "iss", what)
}

// denied names why an authorization server, or the person there, said no.
func denied(issuer string, said refusal) error {
	issuer = plain(issuer)
	e := &domain.Error{
		Code: domain.CodeSignInDenied, Message: "The sign-in was refused at " + issuer + ": " + strings.TrimRight(said.text(), ".") + ".",
		Hint: "Sign in again when you want to.",
		Args: map[string]string{"issuer": issuer, "oauth_error": plain(said.Code), "description": plain(said.Description)},
	}
	return refusedError{shown: e, code: said.Code}
}

// withoutDocument goes on with a registration where our metadata document was refused, in the same tab: it is the same
// gesture. Without a registration endpoint it takes a person.
func (c *Client) withoutDocument(ctx context.Context, f *flow, a attempt, refused error) (next string, err error) {
	if a.plan.server.RegistrationEndpoint == "" {
		if isRefusal(refused, "invalid_request") {
			return "", refused // it may be about anything
		}
		return "", clientIDNeeded(a.plan.server.Issuer, a.begun.RedirectURI)
	}
	if err := c.documentRefused(a.plan.server.Issuer); err != nil {
		return "", err
	}
	redirectURI := a.begun.RedirectURI
	p, err := c.prepare(ctx, f.target, redirectURI)
	if err != nil {
		return "", err
	}
	if p.client.Kind == byDocument {
		return "", refused
	}
	again := c.attempt(f, p, redirectURI)
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.over() {
		return "", unknownState()
	}
	f.answered.Store(false)
	c.flows[again.begun.State] = f
	return again.begun.AuthorizeURL, nil
}
