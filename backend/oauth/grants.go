package oauth

import (
	"context"
	"net/http"
	"net/url"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// The names of grants and of the things in them (RFC 7523, RFC 8693, SEP-990).
const (
	grantJWTBearer     = "urn:ietf:params:oauth:grant-type:jwt-bearer"
	grantTokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
	assertionJWT       = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
	typeIDToken        = "urn:ietf:params:oauth:token-type:id_token"
	typeIDJAG          = "urn:ietf:params:oauth:token-type:id-jag"
)

// renewed gets a new token without a person: by the refresh token of a sign-in, or by the grant of a program.
func (c *Client) renewed(ctx context.Context, t Target, a *account, before credential, had bool) (credential, error) {
	web, err := c.web(ctx, t)
	if err != nil {
		return credential{}, err
	}
	defer web.CloseIdleConnections()
	if !t.NeedsPerson() {
		return c.asProgram(ctx, web, t, a)
	}
	if !had || !before.renewable() {
		return credential{}, signInNeeded(t)
	}
	e := tokenEndpoint{
		web: web, server: before.Server, client: before.Client.at(t), style: before.Style, params: resourceParam(before.Resource), now: c.options.Now,
	}
	if e.proof, err = a.proverOf(before); err != nil {
		return credential{}, err
	}
	given, err := e.refresh(ctx, before.Refresh)
	if err != nil {
		return credential{}, err
	}
	return before.with(given, c.options.Now()), nil
}

func resourceParam(resource string) url.Values {
	if resource == "" {
		return nil
	}
	return url.Values{"resource": {resource}}
}

// asProgram gets a token for a program, which nobody signs in: by the grant that the configuration names.
func (c *Client) asProgram(ctx context.Context, web *http.Client, t Target, a *account) (credential, error) {
	if err := t.checkGrant(); err != nil {
		return credential{}, err
	}
	a.firstAsk(ctx, web, t)
	challenge, _ := a.wishes()
	where, err := discover(ctx, web, t, challenge)
	if err != nil {
		return credential{}, err
	}
	auth := t.auth()
	if err := c.bind(t, where.server.Issuer); err != nil {
		return credential{}, err
	}
	method := chooseMethod(where.server.AuthMethods, auth.Secret(domain.SecretClient))
	if auth.Secret(domain.SecretKey) != "" {
		method = methodKeyJWT
	}
	e := tokenEndpoint{
		web: web, server: where.server, style: where.provider.style, params: resourceParam(where.resource), now: c.options.Now,
		client: registration{
			Issuer: where.server.Issuer, ClientID: auth.ClientID, ClientSecret: auth.Secret(domain.SecretClient), AuthMethod: method, Kind: preRegistered,
		},
	}
	if auth.DPoP || where.dpop {
		if e.proof, err = newProver(nil, c.options.Now); err != nil {
			return credential{}, err
		}
	}
	scopes := scopesToAsk(auth.Scopes, httpauth.ScopesOf(challenge.Params["scope"]), where.scopes, nil, nil)
	params, err := c.grantParams(ctx, t, where)
	if err != nil {
		return credential{}, err
	}
	given, err := e.grant(ctx, scopes, params)
	if err != nil {
		return credential{}, err
	}
	kept := credential{Server: where.server, Client: e.client, Style: e.style, Resource: where.resource, Scopes: scopes}.bound(e.proof)
	return kept.with(given, c.options.Now()), nil
}

// grantParams are the parameters that tell one grant from another.
func (c *Client) grantParams(ctx context.Context, t Target, where place) (url.Values, error) {
	auth := t.auth()
	switch t.grant() {
	case domain.ClientCredentials:
		if auth.Secret(domain.SecretKey) == "" {
			return nil, nil
		}
		signed, err := clientAssertion(auth.Secret(domain.SecretKey), auth.SigningAlg, auth.ClientID, where.server.Issuer, c.options.Now())
		return url.Values{"client_assertion_type": {assertionJWT}, "client_assertion": {signed}}, err
	case domain.WorkloadIdentity:
		return url.Values{"grant_type": {grantJWTBearer}, "assertion": {auth.Secret(domain.SecretAssertion)}}, nil
	case domain.EnterpriseManaged:
		assertion, err := c.exchangeIDToken(ctx, t, where)
		return url.Values{"grant_type": {grantJWTBearer}, "assertion": {assertion}}, err
	case domain.AuthorizationCode: // needs a person
	}
	return nil, noSuchGrant(t.grant())
}

func noSuchGrant(g domain.Grant) error {
	return &domain.Error{
		Code: domain.CodeConfigInvalid, Message: "There is no grant \"" + string(g) + "\".",
		Hint: "Use authorization_code, client_credentials, enterprise or workload_identity.", Args: map[string]string{"reason": "grant", "field": "auth.grant"},
	}
}

// exchangeIDToken gets the company's leave for one server: an ID-JAG for the identity token of the person (RFC 8693
// section 2.1, SEP-990).
func (c *Client) exchangeIDToken(ctx context.Context, t Target, where place) (string, error) {
	auth := t.auth()
	web, err := c.options.Network.client(loopback, "") // the person named it, and companies keep theirs at home
	if err != nil {
		return "", err
	}
	defer web.CloseIdleConnections()
	e := tokenEndpoint{
		web: web, server: serverMetadata{Issuer: auth.IDPTokenURL, TokenEndpoint: auth.IDPTokenURL}, now: c.options.Now,
		client: registration{ClientID: auth.IDPClientID, AuthMethod: methodNone},
	}
	e.params = resourceParam(where.resource)
	given, err := e.grant(ctx, nil, url.Values{
		"grant_type": {grantTokenExchange}, "requested_token_type": {typeIDJAG}, "audience": {where.server.Issuer},
		"subject_token": {auth.Secret(domain.SecretIDToken)}, "subject_token_type": {typeIDToken},
	})
	if err == nil && given.issued != typeIDJAG {
		err = notConforming(auth.IDPTokenURL, "issued_token_type", "it gave a token of another kind, which is for nobody else to see")
	}
	return given.access, err
}

// checkGrant refuses a grant that lacks what it needs, before anybody is asked.
func (t Target) checkGrant() error {
	needs, known := t.auth().GrantNeeds()
	if !known {
		return noSuchGrant(t.grant())
	}
	for _, n := range needs {
		if n.Met {
			continue
		}
		name := "auth." + n.Field
		if n.Or != "" {
			name += " or " + n.Or
		}
		return &domain.Error{
			Code: domain.CodeConfigInvalid, Message: "The grant " + string(t.grant()) + " needs " + name + ".", Hint: "Add it to the server.",
			Args: map[string]string{"reason": "grant_incomplete", "field": name},
		}
	}
	return nil
}
