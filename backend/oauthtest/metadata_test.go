package oauthtest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/oauthtest"
)

const (
	serverDocument   = "/.well-known/oauth-authorization-server"
	openIDDocument   = "/.well-known/openid-configuration"
	resourceDocument = "/.well-known/oauth-protected-resource"
)

func TestSwitchesOfTheServerMetadata(t *testing.T) {
	tests := []struct {
		name    string
		options oauthtest.Options
		member  string
		want    any // nil: the member is null; absent: it is not there
	}{
		{"well-behaved", oauthtest.Options{}, "authorization_response_iss_parameter_supported", true},
		{"no registration", oauthtest.Options{NoRegistration: true}, "registration_endpoint", absent{}},
		{"null registration", oauthtest.Options{NullRegistration: true}, "registration_endpoint", nil},
		{"wrong issuer", oauthtest.Options{WrongIssuer: true}, "issuer", "https://elsewhere.invalid"},
		{"no PKCE", oauthtest.Options{NoPKCE: true}, "code_challenge_methods_supported", absent{}},
		{"no iss", oauthtest.Options{NoISS: true}, "authorization_response_iss_parameter_supported", absent{}},
		{"dropped iss", oauthtest.Options{DropISS: true}, "authorization_response_iss_parameter_supported", true},
		{"no revocation", oauthtest.Options{NoRevocation: true}, "revocation_endpoint", absent{}},
		{"documents", oauthtest.Options{CIMD: true}, "client_id_metadata_document_supported", true},
		{"refused documents", oauthtest.Options{RefuseCIMD: true}, "client_id_metadata_document_supported", true},
		{"documents refused late", oauthtest.Options{RefuseCIMDAtToken: true}, "client_id_metadata_document_supported", true},
		{"no DPoP", oauthtest.Options{}, "dpop_signing_alg_values_supported", absent{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newStranger(t, tt.options)
			for _, path := range []string{serverDocument, openIDDocument} {
				got, present := a.get(a.server.URL() + path).body[tt.member]
				if _, gone := tt.want.(absent); gone == present || !gone && got != tt.want {
					t.Errorf("%s: %s is %v, present %v", path, tt.member, got, present)
				}
			}
		})
	}
}

type absent struct{}

func TestPlacesOfTheServerMetadata(t *testing.T) {
	tests := []struct {
		name    string
		options oauthtest.Options
		found   []string
	}{
		{"root issuer", oauthtest.Options{}, []string{serverDocument, openIDDocument}},
		{"issuer with a path", oauthtest.Options{IssuerPath: "/tenant1"}, []string{serverDocument + "/tenant1", "/tenant1" + openIDDocument}},
		{"OpenID only", oauthtest.Options{OpenIDOnly: true}, []string{openIDDocument}},
		{"none", oauthtest.Options{NoMetadata: true}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newStranger(t, tt.options)
			for _, path := range []string{serverDocument, openIDDocument, serverDocument + "/tenant1", "/tenant1" + openIDDocument} {
				r := a.get(a.server.URL() + path)
				if found := r.status == http.StatusOK; found != slices.Contains(tt.found, path) {
					t.Errorf("%s: %d", path, r.status)
				} else if found && r.body["issuer"] != a.server.Issuer() {
					t.Errorf("%s: issuer %v", path, r.body["issuer"])
				}
			}
		})
	}
}

func TestIssuerWithAPathWorksBehindTheGuard(t *testing.T) {
	a := newAgent(t, oauthtest.Options{IssuerPath: "/tenant1"})
	if got := a.get(a.origin() + resourceDocument + "/mcp").body["authorization_servers"].([]any)[0]; got != a.server.URL()+"/tenant1" {
		t.Errorf("issuer %v", got)
	}
	if r := a.call(a.signIn(""), "echo"); r.status != http.StatusNoContent {
		t.Errorf("got %d", r.status)
	}
	if r := a.get(a.server.URL() + "/authorize"); r.status != http.StatusNotFound {
		t.Errorf("outside of the path: %d", r.status)
	}
}

func TestPlacesOfTheResourceMetadata(t *testing.T) {
	tests := []struct {
		place oauthtest.Place
		found string
		named bool
	}{
		{oauthtest.PlaceDefault, resourceDocument + "/mcp", true},
		{oauthtest.PlaceOdd, "/about/sign-in/mcp", true},
		{oauthtest.PlacePath, resourceDocument + "/mcp", false},
		{oauthtest.PlaceRoot, resourceDocument, false},
		{oauthtest.PlaceNone, "", false},
	}
	for _, tt := range tests {
		t.Run("place "+string(tt.place), func(t *testing.T) {
			a := newAgent(t, oauthtest.Options{ResourceMetadata: tt.place})
			challenge := a.call(nil, "echo").header.Get("WWW-Authenticate")
			if named := strings.Contains(challenge, `resource_metadata="`+a.origin()+tt.found+`"`); named != tt.named {
				t.Errorf("challenge %q", challenge)
			}
			for _, path := range []string{resourceDocument, resourceDocument + "/mcp", "/about/sign-in/mcp"} {
				if r := a.get(a.origin() + path); (r.body["authorization_servers"] != nil) != (path == tt.found) {
					t.Errorf("%s: %d %s", path, r.status, r.text)
				}
			}
		})
	}
}

func TestWithoutResourceMetadataTheOriginIsTheAuthorizationServer(t *testing.T) {
	a := newAgent(t, oauthtest.Options{ResourceMetadata: oauthtest.PlaceNone})
	metadata := a.get(a.origin() + serverDocument).body
	if metadata["issuer"] != a.origin() || metadata["token_endpoint"] != a.origin()+"/token" {
		t.Errorf("metadata %v", metadata)
	}
	tokens := a.tokenAt(a.origin()+"/token", codeParams(a.browse(map[string][]string{"resource": {""}}).Get("code"))).body
	if r := a.call(tokens, "echo"); r.status != http.StatusNoContent {
		t.Errorf("a token without a resource: %d", r.status)
	}
}

func TestSwitchesOfTheResourceMetadata(t *testing.T) {
	a := newStranger(t, oauthtest.Options{ScopesSupported: []string{"read"}})
	document := func() object { return a.get(a.origin() + resourceDocument + "/mcp").body }
	issuer := func() any { return document()["authorization_servers"].([]any)[0] }
	if got := document(); got["resource"] != a.mcp || issuer() != a.server.Issuer() || got["scopes_supported"].([]any)[0] != "read" {
		t.Errorf("document %v", got)
	}
	a.server.SetOptions(func(o *oauthtest.Options) { o.TrailingSlash = true })
	if got := document(); got["resource"] != a.mcp+"/" || issuer() != a.server.Issuer()+"/" {
		t.Errorf("trailing slash: %v", got)
	}
	a.server.SetOptions(func(o *oauthtest.Options) { *o = oauthtest.Options{ResourceMismatch: true} })
	if got := document(); got["resource"] != "https://elsewhere.invalid/mcp" {
		t.Errorf("mismatch: %v", got)
	}
}

func TestMetadataThatIsTooLongOrElsewhere(t *testing.T) {
	a := newStranger(t, oauthtest.Options{HugeMetadata: true, HugeResourceMetadata: true})
	documents := []string{a.server.URL() + serverDocument, a.server.URL() + openIDDocument, a.origin() + resourceDocument + "/mcp"}
	for _, address := range documents {
		if r := a.get(address); len(r.text) < 2<<20 {
			t.Errorf("%s has %d bytes", address, len(r.text))
		}
	}
	a.server.SetOptions(func(o *oauthtest.Options) {
		*o = oauthtest.Options{RedirectMetadata: true, RedirectResourceMetadata: true}
	})
	for _, address := range documents {
		r := a.get(address)
		elsewhere := r.header.Get("Location")
		if r.status != http.StatusFound || !strings.HasPrefix(elsewhere, "http://localhost:") {
			t.Errorf("%s: %d %q", address, r.status, elsewhere)
		} else if a.get(elsewhere).status != http.StatusOK {
			t.Errorf("nothing at %s", elsewhere)
		}
	}
}
