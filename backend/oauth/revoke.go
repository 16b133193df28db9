package oauth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

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
	for _, token := range []struct{ value, hint string }{{kept.Refresh, "refresh_token"}, {kept.Access, "access_token"}} {
		if token.value == "" {
			continue
		}
		if err := revokeOne(ctx, web, kept, token.value, token.hint); err != nil {
			return err
		}
	}
	return nil
}

func revokeOne(ctx context.Context, web *http.Client, kept credential, token, hint string) error {
	form := url.Values{"token": {token}, "token_type_hint": {hint}}
	basic := kept.Client.AuthMethod == methodBasic && kept.Client.ClientSecret != ""
	if !basic {
		form.Set("client_id", kept.Client.ClientID)
		if kept.Client.ClientSecret != "" {
			form.Set("client_secret", kept.Client.ClientSecret)
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, kept.Server.RevocationEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if basic {
		r.SetBasicAuth(url.QueryEscape(kept.Client.ClientID), url.QueryEscape(kept.Client.ClientSecret))
	}
	a, err := fetch(web, r)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		said := readRefusal(a)
		return notConforming(kept.Server.Issuer, "revocation", "it does not revoke the token ("+said.text()+")")
	}
	return nil
}
