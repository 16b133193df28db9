package core

import (
	"crypto/x509"
	"net/http"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/transport"
)

func (c *Core) oauthOptions() oauth.Options {
	return oauth.Options{
		Store: c.vault.Kept(),
		Network: oauth.Network{
			Proxy:       c.proxyOf,
			Authorities: c.authorities,
		},
		ClientMetadataURL: func() string { return c.setting("oauth.client_metadata_url") },
		CallbackPort:      func() string { return c.setting("oauth.callback_port") },
		Changed:           c.signInChanged,
		SignedIn:          func(s oauth.Subject) { c.restartForToken(s.Server) },
		Tell:              c.signInStep,
		Logger:            c.options.Logger,
		Now:               c.options.Now,
	}
}

// signInChanged hears of a token that was got or forgotten: what is kept may be of another account.
func (c *Core) signInChanged(s oauth.Subject) {
	c.kept.Empty(s.Server)
	c.turns.Empty(s.Server)
	c.contexts.Forget(s.Server)
	c.hub.Publish(domain.Event{Topic: domain.TopicServers, ID: s.Server})
}

// signInStep journals what happened to a sign-in.
func (c *Core) signInStep(s oauth.Step) error {
	did := map[string]string{
		oauth.StepBegun: audit.DidBegin, oauth.StepSignedIn: audit.DidSignIn, oauth.StepRefused: audit.OutcomeRefused,
		oauth.StepGivenUp: audit.DidGiveUp, oauth.StepEnded: audit.DidEnd, oauth.StepRevoked: audit.DidForgetAt,
	}
	e := audit.Entry{Kind: audit.KindSignIn, Caller: s.By, Server: s.Subject.Server, Name: s.Issuer, Outcome: did[s.What]}
	if s.Err != nil {
		e.Code = string(domain.CodeOf(s.Err))
	}
	return c.record(e)
}

// authorities are those that sign servers; nil means the system's.
func (c *Core) authorities() (*x509.CertPool, error) {
	return transport.Authorities(c.setting("tls.ca_file"))
}

// authorize has the requests to a server signed with the token of whoever sits here.
func (c *Core) authorize(serverID string, d domain.Definition, next http.RoundTripper) http.RoundTripper {
	return c.oauth.Transport(servers.SignInTarget(serverID, d), next)
}
