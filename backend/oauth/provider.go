package oauth

import (
	"net/http"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// provider is an authorization server whose addresses and habits are known, so that nothing is discovered.
type provider struct {
	authorize, token, revoke string
	// query is added to the address that the person opens.
	query url.Values
	style style
	// always are scopes without which a sign-in would not last.
	always []string
	// scopeName is the parameter of the scopes where it is another than "scope", and commas part them.
	scopeName string
	// method is how we authenticate when there is a secret.
	method string
}

// style is how a token endpoint departs from RFC 6749. The zero value is how it should be.
type style struct {
	// JSON sends the parameters as a JSON object.
	JSON bool `json:"json,omitempty"`
	// Header is added to each request.
	Header http.Header `json:"header,omitempty"`
	// Nested is the member of an answer that holds the person's own token (Slack).
	Nested string `json:"nested,omitempty"`
}

// notionVersion is the revision of Notion's API whose answers are understood here.
const notionVersion = "2022-06-28"

// providers are the known ones by the name that stands in auth.provider. Tenants replace "{tenant}".
func providers() map[string]provider {
	return map[string]provider{
		"google": {
			authorize: "https://accounts.google.com/o/oauth2/v2/auth", token: "https://oauth2.googleapis.com/token",
			revoke: "https://oauth2.googleapis.com/revoke", method: methodPost,
			// Without both there is no refresh token, or only at the first sign-in ever.
			query: url.Values{"access_type": {"offline"}, "prompt": {"consent"}},
		},
		"github": {
			authorize: "https://github.com/login/oauth/authorize", token: "https://github.com/login/oauth/access_token", method: methodPost,
			style: style{Header: http.Header{"Accept": {"application/json"}}}, // else the answer is a form
		},
		"slack": {
			authorize: "https://slack.com/oauth/v2/authorize", token: "https://slack.com/api/oauth.v2.access", revoke: "https://slack.com/api/auth.revoke",
			method: methodPost, scopeName: "user_scope", style: style{Nested: "authed_user"},
		},
		"slack_user": {
			authorize: "https://slack.com/oauth/v2_user/authorize", token: "https://slack.com/api/oauth.v2.user.access",
			revoke: "https://slack.com/api/auth.revoke", method: methodPost,
		},
		"microsoft": {
			authorize: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
			token:     "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
			method:    methodPost, always: []string{offlineAccess},
		},
		"notion": {
			authorize: "https://api.notion.com/v1/oauth/authorize", token: "https://api.notion.com/v1/oauth/token", method: methodBasic,
			query: url.Values{"owner": {"user"}}, style: style{JSON: true, Header: http.Header{"Notion-Version": {notionVersion}}},
		},
	}
}

// providerOf is the provider that a configuration names. CodeConfigInvalid when it names none that is known, or lacks what
// a custom one needs.
func providerOf(a domain.Auth) (provider, error) {
	if a.Provider == domain.CustomProvider {
		if a.AuthorizeURL == "" || a.TokenURL == "" {
			return provider{}, &domain.Error{
				Code: domain.CodeConfigInvalid, Message: "A custom provider needs authorize_url and token_url.",
				Hint: "Add both, or leave provider out: then they are discovered.",
				Args: map[string]string{"reason": "custom_provider", "field": "auth.provider"},
			}
		}
		return provider{authorize: a.AuthorizeURL, token: a.TokenURL, method: methodBasic}, nil
	}
	p, ok := providers()[a.Provider]
	if !ok {
		return provider{}, &domain.Error{
			Code: domain.CodeConfigInvalid, Message: "There is no provider \"" + a.Provider + "\".",
			Hint: "Use one of " + strings.Join(domain.Providers(), ", ") + ", or leave provider out.",
			Args: map[string]string{"reason": "provider", "field": "auth.provider", "value": a.Provider},
		}
	}
	tenant := a.Tenant
	if tenant == "" {
		tenant = "common"
	}
	p.authorize = strings.ReplaceAll(p.authorize, "{tenant}", url.PathEscape(tenant))
	p.token = strings.ReplaceAll(p.token, "{tenant}", url.PathEscape(tenant))
	if a.AuthorizeURL != "" {
		p.authorize, p.revoke = a.AuthorizeURL, ""
	}
	if a.TokenURL != "" {
		p.token, p.revoke = a.TokenURL, "" // the usual one would get tokens that another server gave
	}
	return p, nil
}

// metadata is what a provider would say of itself.
func (p provider) metadata() serverMetadata {
	u, err := url.Parse(p.authorize)
	issuer := p.authorize
	if err == nil {
		issuer = u.Scheme + "://" + u.Host
	}
	return serverMetadata{
		Issuer: issuer, AuthorizationEndpoint: p.authorize, TokenEndpoint: p.token, RevocationEndpoint: p.revoke,
		ChallengeMethods: []string{"S256"},
	}
}
