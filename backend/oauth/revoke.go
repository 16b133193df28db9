package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// discard revokes the tokens of a sign-in that ended while they were asked for.
func (c *Client) discard(t Target, kept credential) {
	c.start(func() {
		ctx, cancel := context.WithTimeout(c.life, exchangeTime)
		defer cancel()
		c.tryRevoke(ctx, t, kept)
	})
}

// tryRevoke revokes tokens that are forgotten already: when it cannot, nobody but the log is told.
func (c *Client) tryRevoke(ctx context.Context, t Target, kept credential) {
	if err := c.revoke(ctx, t, kept); err != nil {
		c.options.Logger.Info("tokens were not revoked", "server", t.Server, "error", err)
	}
}

// revoke tells the authorization server that the tokens are no longer wanted (RFC 7009 section 2.1): the refresh token
// first, since it ends the others too.
func (c *Client) revoke(ctx context.Context, t Target, kept credential) error {
	if kept.Server.RevocationEndpoint == "" {
		return nil
	}
	web, err := c.web(ctx, t)
	if err != nil {
		return err
	}
	defer web.CloseIdleConnections()
	kept.Client = kept.Client.at(t)
	var failed error
	defer func() {
		if failed == nil {
			c.tell(Step{What: StepRevoked, Subject: t.Subject, Issuer: kept.Server.Issuer})
		}
	}()
	for _, token := range []struct{ value, hint string }{{kept.Refresh, "refresh_token"}, {kept.Access, "access_token"}} {
		if token.value == "" {
			continue
		}
		failed = errors.Join(failed, revokeOne(ctx, web, kept, token.value, token.hint)) // some servers know one kind only
	}
	return failed
}

func revokeOne(ctx context.Context, web *http.Client, kept credential, token, hint string) error {
	form := url.Values{"token": {token}, "token_type_hint": {hint}}
	secret := kept.Client.secret()
	basic := kept.Client.AuthMethod == methodBasic && secret != ""
	if !basic {
		form.Set("client_id", kept.Client.ClientID)
		if secret != "" {
			form.Set("client_secret", secret)
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, kept.Server.RevocationEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic {
		r.SetBasicAuth(url.QueryEscape(kept.Client.ClientID), url.QueryEscape(secret))
	}
	a, err := fetch(web, r)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		said := readRefusal(a)
		hide := hiding(token, secret)
		said.Code, said.Description = hide.Replace(said.Code), hide.Replace(said.Description)
		return notConforming(kept.Server.Issuer, "revocation", "it does not revoke the token ("+said.text()+")")
	}
	return nil
}
