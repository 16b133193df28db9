package config

import (
	"maps"
	"reflect"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// auth reads how to sign in: the word "oauth", or a table of what is not discovered.
func (t *table) auth(transport domain.Transport) *domain.Auth {
	v := t.value("auth")
	switch {
	case v == nil:
		return nil
	case v.Is(syntax.String) && v.Text == "":
		return nil
	case v.Is(syntax.String):
		a := &domain.Auth{Type: authType(v.Text)}
		t.checkAuth(*a, transport, t.at("auth"))
		return a
	case !v.Is(syntax.Object):
		t.wrongType(v.Position, "auth", "a table", v)
		return nil
	}
	own := &table{reader: t.reader, name: "[mcp_servers.auth]", node: v, templates: true}
	a := own.authTable()
	own.done()
	own.checkAuth(*a, transport, v.Position)
	return a
}

// authTable reads the table. Its secrets are texts like the others: whoever writes one in clear keeps the file to themselves.
func (t *table) authTable() *domain.Auth {
	a := &domain.Auth{Type: authType(t.text("type")), Provider: t.text("provider"), Grant: domain.Grant(t.text("grant"))}
	a.Scopes, a.EnvTokenVar, a.SigningAlg = t.texts("scopes"), t.text("env_token_var"), t.text("signing_alg")
	fields := a.Texts()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		*fields[name] = t.text(name)
	}
	a.DPoP = t.flag("dpop", false)
	if !t.flag("pkce", true) {
		off := false
		a.PKCE = &off
	}
	for _, name := range domain.AuthSecrets() {
		if value := t.text(name); value != "" {
			a.Secrets = append(a.Secrets, domain.Variable{Name: name, Value: value, Secret: true})
		}
	}
	return a
}

// authType takes the spelling of app files too, and none where a table says the rest.
func authType(word string) string {
	if word == "" || word == "oauth2" {
		return domain.AuthOAuth
	}
	return word
}

// checkAuth reports the faults of a sign-in where they stand; what is missing, where the sign-in begins.
func (t *table) checkAuth(a domain.Auth, transport domain.Transport, begin syntax.Position) {
	for _, f := range a.Faults(transport) {
		at := begin
		if m := t.node.Member(f.Field); m != nil {
			at = m.Position
		}
		t.badAt(at, "auth."+f.Field, f.Message, f.Hint)
	}
}

// authEntry is the table of a sign-in as it is written.
type authEntry struct {
	Type         string   `toml:"type"`
	Provider     string   `toml:"provider,omitempty"`
	Tenant       string   `toml:"tenant,omitempty"`
	ClientID     string   `toml:"client_id,omitempty"`
	ClientSecret string   `toml:"client_secret,omitempty"`
	Scopes       []string `toml:"scopes,omitempty"`
	AuthorizeURL string   `toml:"authorize_url,omitempty"`
	TokenURL     string   `toml:"token_url,omitempty"`
	RedirectURI  string   `toml:"redirect_uri,omitempty"`
	EnvTokenVar  string   `toml:"env_token_var,omitempty"`
	PKCE         *bool    `toml:"pkce,omitempty"`
	Grant        string   `toml:"grant,omitempty"`
	DPoP         bool     `toml:"dpop,omitempty"`
	SigningAlg   string   `toml:"signing_alg,omitempty"`
	PrivateKey   string   `toml:"private_key,omitempty"`
	Assertion    string   `toml:"assertion,omitempty"`
	IDToken      string   `toml:"id_token,omitempty"`
	IDPTokenURL  string   `toml:"idp_token_url,omitempty"`
	IDPClientID  string   `toml:"idp_client_id,omitempty"`
}

// newAuthEntry is the one word where all is discovered, else the table.
func newAuthEntry(a domain.Auth) any {
	e := authEntry{
		Type: a.Type, Provider: a.Provider, Tenant: a.Tenant, ClientID: a.ClientID, ClientSecret: a.Secret(domain.SecretClient), Scopes: a.Scopes,
		AuthorizeURL: a.AuthorizeURL, TokenURL: a.TokenURL, RedirectURI: a.RedirectURI, EnvTokenVar: a.EnvTokenVar, PKCE: a.PKCE,
		Grant: string(a.Grant), DPoP: a.DPoP, SigningAlg: a.SigningAlg, PrivateKey: a.Secret(domain.SecretKey),
		Assertion: a.Secret(domain.SecretAssertion), IDToken: a.Secret(domain.SecretIDToken), IDPTokenURL: a.IDPTokenURL, IDPClientID: a.IDPClientID,
	}
	if reflect.DeepEqual(e, authEntry{Type: a.Type}) {
		return a.Type
	}
	return e
}
