package oauth

import (
	"context"
	"errors"
	"net/url"

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

// Finish takes the answer of an authorization server (RFC 6749 section 4.1.2, RFC 9207), once: the state is used up. The
// token is kept before it returns. CodeUnknownItem for a state that nobody knows.
func (c *Client) Finish(ctx context.Context, query url.Values) (Finished, error) {
	c.mu.Lock()
	f := c.flows[query.Get("state")]
	delete(c.flows, query.Get("state"))
	c.mu.Unlock()
	if f == nil {
		return Finished{}, unknownState()
	}
	done := Finished{Target: f.target, Language: f.options.Language}
	a := f.last()
	err := c.settle(ctx, f.target, a, query)
	if c.withoutDocument(a.plan, err) {
		if next, again := c.again(ctx, f); again == nil {
			done.Next = next
			return done, nil
		}
	}
	if err == nil {
		c.options.SignedIn(f.target.Subject)
	}
	f.finish(Ended{Err: err})
	done.Err = err
	return done, nil
}

// settle checks an answer, exchanges its code and keeps the token.
func (c *Client) settle(ctx context.Context, t Target, a attempt, query url.Values) error {
	if err := checkIssuer(a.plan.server, query); err != nil {
		return err
	}
	if code := query.Get("error"); code != "" {
		return denied(a.plan.server.Issuer, refusal{Code: code, Description: query.Get("error_description")})
	}
	if query.Get("code") == "" {
		return notConforming(a.plan.server.Issuer, "no_code", "its answer holds no code")
	}
	web, err := c.web(ctx, t)
	if err != nil {
		return err
	}
	defer web.CloseIdleConnections()
	e := tokenEndpoint{
		web: web, server: a.plan.server, client: a.plan.client, style: a.plan.provider.style, params: resourceParam(a.plan.resource), now: c.options.Now,
	}
	if t.auth().DPoP {
		if e.proof, err = newProver(nil, c.options.Now); err != nil {
			return err
		}
	}
	given, err := e.code(ctx, query.Get("code"), a.verifier, a.begun.RedirectURI)
	if err != nil {
		return err
	}
	kept, err := a.credential(e).bound(e.proof)
	if err != nil {
		return err
	}
	return c.account(t).adopt(kept.with(given, c.options.Now()), e.proof, a.plan.scopes)
}

func (a attempt) credential(e tokenEndpoint) credential {
	return credential{
		Server: e.server, Client: e.client, Style: e.style, Resource: a.plan.resource, Scopes: a.plan.scopes,
	}
}

// bound keeps the key of a prover with the credential; nil is none.
func (c credential) bound(p *prover) (credential, error) {
	if p == nil {
		return c, nil
	}
	var err error
	c.Key, err = p.keep()
	return c, err
}

// checkIssuer compares who answered with who was asked, character by character (RFC 9207 section 2.4).
func checkIssuer(m serverMetadata, query url.Values) error {
	said := query.Get("iss")
	if said == "" && !m.IssuerInAnswers || said == m.Issuer {
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
	e := &domain.Error{
		Code: domain.CodeSignInDenied, Message: "The sign-in was refused at " + issuer + ": " + said.text() + ".", Hint: "Sign in again when you want to.",
		Args: map[string]string{"issuer": issuer, "oauth_error": plain(said.Code), "description": plain(said.Description)},
	}
	return refusedError{shown: e, code: said.Code}
}

// withoutDocument reports whether a sign-in failed because the server does not take our metadata document.
func (c *Client) withoutDocument(p plan, err error) bool {
	return p.client.Kind == byDocument && p.server.RegistrationEndpoint != "" &&
		isRefusal(err, "invalid_client", "unauthorized_client", "invalid_request", "invalid_client_metadata") && c.documentRefused(p.server.Issuer) == nil
}

// again goes on with a registration where the document was refused, in the same tab: it is the same gesture.
func (c *Client) again(ctx context.Context, f *flow) (next string, err error) {
	redirectURI := f.last().begun.RedirectURI
	p, err := c.prepare(ctx, f.target, redirectURI)
	if err != nil {
		return "", err
	}
	if p.client.Kind == byDocument {
		return "", errors.New("the same again")
	}
	a := c.attempt(f, p, redirectURI)
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-f.done:
		return "", unknownState()
	default:
	}
	c.flows[a.begun.State] = f
	return a.begun.AuthorizeURL, nil
}
