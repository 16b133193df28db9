package oauth

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/httpauth"
)

// serverMetadata is what an authorization server says of itself (RFC 8414 section 2, OpenID Connect Discovery section 3),
// as far as it matters here. It is kept with a credential, so that refreshing needs no discovery.
type serverMetadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint,omitempty"`
	TokenEndpoint         string   `json:"token_endpoint,omitempty"`
	RegistrationEndpoint  string   `json:"registration_endpoint,omitempty"`
	RevocationEndpoint    string   `json:"revocation_endpoint,omitempty"`
	Scopes                []string `json:"scopes_supported,omitempty"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported,omitempty"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported,omitempty"`
	// ClientMetadata says that an address of our metadata may stand for a registration (SEP-991).
	ClientMetadata bool `json:"client_id_metadata_document_supported,omitempty"`
	// IssuerInAnswers says that each answer names the issuer (RFC 9207 section 3).
	IssuerInAnswers bool `json:"authorization_response_iss_parameter_supported,omitempty"`
}

const (
	wellKnownOAuth  = "/.well-known/oauth-authorization-server"
	wellKnownOpenID = "/.well-known/openid-configuration"
)

// metadataPlaces are where the metadata of an issuer may be, in the order of MCP (basic/authorization, authorization
// server metadata discovery): RFC 8414 with the path inserted, OpenID the same way, OpenID with the path before.
func metadataPlaces(issuer *url.URL) []string {
	origin := issuer.Scheme + "://" + issuer.Host
	path := strings.TrimSuffix(issuer.EscapedPath(), "/")
	if path == "" {
		return []string{origin + wellKnownOAuth, origin + wellKnownOpenID}
	}
	return []string{origin + wellKnownOAuth + path, origin + wellKnownOpenID + path, origin + path + wellKnownOpenID}
}

// findServer reads the metadata of an issuer. found is false when it has none. Its issuer must be the one that was asked
// for (RFC 8414 section 3.3); only a "/" at the end makes no difference.
func findServer(ctx context.Context, client *http.Client, issuer string) (m serverMetadata, found bool, err error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" { // people see it: a user's name looks like a host
		return m, false, notConforming(issuer, "issuer", "it is no address of an authorization server")
	}
	var trouble error
	for _, place := range metadataPlaces(u) {
		var m serverMetadata
		found, err := fetchDocument(ctx, client, place, &m)
		if err != nil {
			trouble = firstOf(trouble, err)
			continue
		}
		if !found || m.TokenEndpoint == "" {
			continue
		}
		if strings.TrimSuffix(m.Issuer, "/") != strings.TrimSuffix(issuer, "/") {
			return m, true, notConforming(place, "issuer", "it says that it is \""+m.Issuer+"\", not "+issuer)
		}
		m.Scopes = httpauth.Scopes(m.Scopes)
		return m, true, nil
	}
	return m, false, trouble
}

// checkPKCE refuses a discovered server that does not announce S256 (MCP, basic/authorization, authorization code
// protection): it would not protect the code of a sign-in.
func (m serverMetadata) checkPKCE() error {
	if slices.Contains(m.ChallengeMethods, "S256") {
		return nil
	}
	e := notConforming(m.Issuer, "no_pkce", "it does not announce PKCE with S256")
	e.Hint = "A code that is not protected could be stolen. Report this to the makers of the server, or enter its addresses yourself as a custom provider."
	return e
}

// originServer is the authorization server of an MCP server of 2025-03-26, which has no resource metadata: at the origin
// of the server, with the default endpoints where it says nothing of itself (2025-03-26, basic/authorization).
func originServer(ctx context.Context, client *http.Client, server *url.URL) (m serverMetadata, discovered bool, err error) {
	origin := server.Scheme + "://" + server.Host
	m, found, err := findServer(ctx, client, origin)
	if err != nil || found {
		return m, found, err
	}
	return serverMetadata{
		Issuer: origin, AuthorizationEndpoint: origin + "/authorize", TokenEndpoint: origin + "/token", RegistrationEndpoint: origin + "/register",
	}, false, nil
}
