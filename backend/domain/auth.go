package domain

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// AuthOAuth is the type of an Auth that signs in by OAuth 2.1.
const AuthOAuth = "oauth"

// Grant is how a token is got.
type Grant string

// The grants of auth.grant. All but AuthorizationCode need nobody at the computer.
const (
	AuthorizationCode Grant = "authorization_code"
	ClientCredentials Grant = "client_credentials"
	// EnterpriseManaged exchanges an identity token of the company's provider (SEP-990, ID-JAG).
	EnterpriseManaged Grant = "enterprise"
	// WorkloadIdentity hands in a token that the surroundings gave to the program (RFC 7523, SEP-1933).
	WorkloadIdentity Grant = "workload_identity"
)

// The names of the secrets of an Auth.
const (
	SecretClient    = "client_secret"
	SecretKey       = "private_key" // PEM
	SecretAssertion = "assertion"   // JWT
	SecretIDToken   = "id_token"    // JWT
)

// Auth says how to sign in to a server that wants more than a header. Where a field is empty, its value is discovered
// (MCP, basic/authorization).
type Auth struct {
	// Type is AuthOAuth.
	Type string `json:"type"`
	// Provider is a known one, or "custom" with AuthorizeURL and TokenURL; empty means that the server names its own.
	Provider     string   `json:"provider,omitempty"`
	Tenant       string   `json:"tenant,omitempty"` // of Microsoft
	ClientID     string   `json:"client_id,omitempty"`
	Scopes       []string `json:"scopes,omitempty"`
	AuthorizeURL string   `json:"authorize_url,omitempty"`
	TokenURL     string   `json:"token_url,omitempty"`
	// RedirectURI is sent byte for byte, and listened at where it is a loopback address.
	RedirectURI string `json:"redirect_uri,omitempty"`
	// EnvTokenVar is the environment variable that takes the token of a stdio server.
	EnvTokenVar string `json:"env_token_var,omitempty"`
	// PKCE is false only for a provider that refuses it; nil is true (RFC 7636).
	PKCE *bool `json:"pkce,omitempty"`
	// Grant is AuthorizationCode when empty.
	Grant Grant `json:"grant,omitempty"`
	// DPoP binds the token to a key of ours (RFC 9449).
	DPoP bool `json:"dpop,omitempty"`
	// SigningAlg is the algorithm of SecretKey, such as ES256; empty means the usual one of the key.
	SigningAlg string `json:"signing_alg,omitempty"`
	// IDPTokenURL and IDPClientID are those of the company's provider, for EnterpriseManaged.
	IDPTokenURL string `json:"idp_token_url,omitempty"`
	IDPClientID string `json:"idp_client_id,omitempty"`
	// Secrets are by the names above.
	Secrets []Variable `json:"secrets,omitempty"`
}

// Texts are the fields that may hold variables, by their names.
func (a *Auth) Texts() map[string]*string {
	return map[string]*string{
		"client_id": &a.ClientID, "tenant": &a.Tenant, "authorize_url": &a.AuthorizeURL, "token_url": &a.TokenURL, "redirect_uri": &a.RedirectURI,
		"idp_token_url": &a.IDPTokenURL, "idp_client_id": &a.IDPClientID,
	}
}

// AuthSecrets are the names that the secrets of a sign-in may have.
func AuthSecrets() []string { return []string{SecretClient, SecretKey, SecretAssertion, SecretIDToken} }

// Secret is the value of a secret, empty when there is none.
func (a Auth) Secret(name string) string {
	for _, v := range a.Secrets {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}

// CustomProvider is the provider of an Auth whose addresses stand in it.
const CustomProvider = "custom"

// Providers are the names that Auth.Provider may have.
func Providers() []string {
	return []string{CustomProvider, "github", "google", "microsoft", "notion", "slack", "slack_user"}
}

// AuthFault is one thing wrong with an Auth.
type AuthFault struct {
	// Field is the one to correct, such as "provider".
	Field string
	// Reason is a stable name of the fault.
	Reason  string
	Message string
	Hint    string
}

// Faults says what is wrong with a sign-in to a server of a transport, as far as can be said without asking anybody.
func (a Auth) Faults(transport Transport) []AuthFault {
	var faults []AuthFault
	add := func(wrong bool, field, reason, message, hint string) {
		if wrong {
			faults = append(faults, AuthFault{Field: field, Reason: reason, Message: message, Hint: hint})
		}
	}
	add(a.Type != AuthOAuth, "type", "auth_type", fmt.Sprintf("unknown way to sign in %q", a.Type), "Use oauth, or put a key into the headers.")
	known := a.Provider == "" || slices.Contains(Providers(), a.Provider)
	add(!known, "provider", "provider", fmt.Sprintf("unknown provider %q", a.Provider), "Use one of "+strings.Join(Providers(), ", ")+", or leave it out.")
	custom := a.Provider == CustomProvider
	add(custom && a.AuthorizeURL == "", "authorize_url", "custom_provider", "a custom provider needs authorize_url", "Add the address at which people sign in.")
	add(custom && a.TokenURL == "", "token_url", "custom_provider", "a custom provider needs token_url", "Add the address that gives tokens.")
	add(a.Provider != "" && known && a.ClientID == "", "client_id", "client_id", "the provider "+a.Provider+" needs client_id",
		"Register the program there, then enter the ID that you get.")
	add(a.Tenant != "" && a.Provider != "microsoft", "tenant", "tenant", "only the provider microsoft has tenants", "Remove tenant.")
	for _, name := range []string{"authorize_url", "token_url", "redirect_uri", "idp_token_url"} {
		address := *a.Texts()[name]
		known := address != "" && !strings.Contains(address, "${")
		add(known && !isAddress(address), name, "address", name+" is no address",
			"It starts with https:// or http://, and has neither a user nor a part after #.")
	}
	for _, name := range []string{"authorize_url", "token_url"} {
		unused := a.Provider == "" && *a.Texts()[name] != ""
		add(unused, name, "useless", name+" does nothing without a provider", "Add the provider custom, or remove it: then it is discovered.")
	}
	local := transport == Stdio
	add(local && a.EnvTokenVar == "", "env_token_var", "env_token_var", "a program takes its token from a variable, and env_token_var names none",
		"Add the name of the variable that the program reads.")
	add(a.EnvTokenVar != "" && !isVariable(a.EnvTokenVar), "env_token_var", "unusable_name", "env_token_var is no name of a variable",
		"Use letters, digits and _, and no digit first.")
	add(local && a.Provider == "", "provider", "provider_missing", "a program cannot name its sign-in server", "Name the provider.")
	add(!local && a.EnvTokenVar != "", "env_token_var", "useless", "env_token_var does nothing for a server that is reached by its address", "Remove it.")
	return append(faults, a.grantFaults()...)
}

// isAddress accepts an address as sign-ins send and open it (RFC 6749 sections 3.1 and 3.1.2).
func isAddress(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || strings.Contains(text, "#") {
		return false
	}
	port, err := strconv.ParseUint(PortOf(u), 10, 16)
	return err == nil && port > 0
}

// isVariable accepts the name of an environment variable as every shell knows it.
func isVariable(name string) bool {
	for i, r := range name {
		letter := r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return true
}

// GrantNeed is a field that a grant does not go without.
type GrantNeed struct {
	Field string
	// Or is another field that serves as well; mostly there is none.
	Or  string
	Met bool
}

// GrantNeeds are what the grant of a sign-in needs, and whether there is such a grant.
func (a Auth) GrantNeeds() (needs []GrantNeed, known bool) {
	need := func(field, value string) GrantNeed { return GrantNeed{Field: field, Met: value != ""} }
	secret := func(name string) GrantNeed { return need(name, a.Secret(name)) }
	switch a.Grant {
	case "", AuthorizationCode:
		return nil, true
	case ClientCredentials:
		either := GrantNeed{Field: SecretClient, Or: SecretKey, Met: a.Secret(SecretClient)+a.Secret(SecretKey) != ""}
		return []GrantNeed{need("client_id", a.ClientID), either}, true
	case WorkloadIdentity:
		return []GrantNeed{secret(SecretAssertion)}, true
	case EnterpriseManaged:
		return []GrantNeed{
			need("client_id", a.ClientID), need("idp_token_url", a.IDPTokenURL), need("idp_client_id", a.IDPClientID), secret(SecretIDToken),
		}, true
	}
	return nil, false
}

// grantFaults says what a grant lacks.
func (a Auth) grantFaults() []AuthFault {
	needs, known := a.GrantNeeds()
	if !known {
		return []AuthFault{{
			Field: "grant", Reason: "grant", Message: fmt.Sprintf("unknown grant %q", a.Grant),
			Hint: "Use authorization_code, client_credentials, enterprise or workload_identity.",
		}}
	}
	slices.SortFunc(needs, func(x, y GrantNeed) int { return strings.Compare(x.Field, y.Field) })
	var faults []AuthFault
	for _, n := range needs {
		if !n.Met {
			faults = append(faults, AuthFault{
				Field: n.Field, Reason: "grant_incomplete", Message: "the grant " + string(a.Grant) + " needs " + n.Field, Hint: "Add it.",
			})
		}
	}
	return faults
}
