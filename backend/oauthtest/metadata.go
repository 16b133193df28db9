package oauthtest

import (
	"net"
	"net/http"
	"strings"
)

const (
	wellKnownServer = "/.well-known/oauth-authorization-server" // RFC 8414 section 3
	wellKnownOpenID = "/.well-known/openid-configuration"       // OpenID Connect Discovery section 4

	hugeSize    = 2 << 20
	stranger    = "https://elsewhere.invalid"
	scopeOpenID = "openid"
)

// metadata serves both documents: each has the members of the other (RFC 8414 section 2).
func (q *request) metadata() {
	if q.o.RedirectMetadata && moved(q.w, q.r) {
		return
	}
	document := q.describe()
	if q.o.HugeMetadata {
		document["padding"] = strings.Repeat("x", hugeSize)
	}
	writeJSON(q.w, http.StatusOK, document)
}

// moved redirects to the same document below another name of this machine, once.
func moved(w http.ResponseWriter, r *http.Request) bool {
	if r.URL.Query().Has("moved") {
		return false
	}
	host, port, _ := net.SplitHostPort(r.Host) // a listener of ours always has a port
	other := "localhost"
	if host == other {
		other = "127.0.0.1"
	}
	w.Header().Set("Location", "http://"+net.JoinHostPort(other, port)+r.URL.Path+"?moved")
	w.WriteHeader(http.StatusFound)
	return true
}

func (q *request) describe() object {
	issuer := q.issuer()
	document := object{
		"issuer":                                issuer,
		"authorization_endpoint":                issuer + "/authorize",
		"token_endpoint":                        issuer + "/token",
		"jwks_uri":                              issuer + "/jwks.json",
		"response_types_supported":              []string{"code"},
		"grant_types_supported":                 q.grantTypes(),
		"token_endpoint_auth_methods_supported": q.o.authMethods(),
		"token_endpoint_auth_signing_alg_values_supported": algorithmNames(),
		"subject_types_supported":                          []string{"public"},
		"id_token_signing_alg_values_supported":            []string{"ES256"},
	}
	q.describeRegistration(document)
	if q.o.WrongIssuer {
		document["issuer"] = stranger
	}
	if !q.o.NoPKCE {
		document["code_challenge_methods_supported"] = []string{q.o.challengeMethod()}
	}
	if !q.o.NoISS {
		document["authorization_response_iss_parameter_supported"] = true // RFC 9207 section 3
	}
	if !q.o.NoRevocation {
		document["revocation_endpoint"] = issuer + "/revoke"
		document["revocation_endpoint_auth_methods_supported"] = q.o.authMethods()
	}
	if len(q.o.ScopesSupported) > 0 {
		document["scopes_supported"] = q.o.ScopesSupported
	}
	if q.o.DPoP != DPoPOff {
		document["dpop_signing_alg_values_supported"] = algorithmNames() // RFC 9449 section 5.1
	}
	return document
}

func (q *request) describeRegistration(document object) {
	switch {
	case q.o.NullRegistration:
		document["registration_endpoint"] = nil
	case !q.o.NoRegistration:
		document["registration_endpoint"] = q.issuer() + "/register"
	}
	if q.o.knowsDocuments() {
		document["client_id_metadata_document_supported"] = true
	}
}

func (q *request) grantTypes() []string {
	types := []string{grantCode, grantClient, grantBearer}
	if !q.o.RefreshLess {
		types = append(types, grantRefresh)
	}
	if q.prefix == idpPath {
		types = append(types, grantExchange)
	}
	return types
}
