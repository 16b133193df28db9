package oauthtest

import (
	"context"
	"slices"
	"time"
)

// Place is where a guarded server shows its metadata (RFC 9728 section 3).
type Place string

// Places of the metadata of a guarded server.
const (
	PlaceDefault Place = ""     // the path form of the well-known URI, and the challenge names it
	PlaceOdd     Place = "odd"  // only a path that nobody would guess, and the challenge names it
	PlacePath    Place = "path" // only the path form; the challenge does not name it
	PlaceRoot    Place = "root" // only the root form; the challenge does not name it
	// PlaceNone has none, as in revision 2025-03-26: the origin of the MCP server is the authorization server itself.
	PlaceNone Place = "none"
)

// DPoPMode says whether tokens are bound to a key of the client (RFC 9449).
type DPoPMode string

// Modes of DPoP.
const (
	DPoPOff      DPoPMode = ""         // proofs are not looked at
	DPoPAllowed  DPoPMode = "allowed"  // a client that sends a proof gets a bound token
	DPoPRequired DPoPMode = "required" // a client that sends none gets no token
)

// Options say what kind of server it is. The zero value is a well-behaved one. SetOptions changes them while it runs.
type Options struct {
	// Auto lets /authorize redirect at once, as if a person had pressed Allow.
	Auto bool
	// Deny lets it redirect at once with access_denied.
	Deny bool
	// Now is the clock; nil means the real one.
	Now func() time.Time
	// Control serves /control/state, /control/expire and /control/revoke, for tests in other processes.
	Control bool

	// Rotate gives a new refresh token with every refresh. A superseded one ends the whole family (RFC 9700 section 4.14.2).
	Rotate bool
	// RefreshLess gives no refresh tokens.
	RefreshLess bool
	// Lifetime is how long access tokens live; 0 means an hour.
	Lifetime time.Duration
	// NoExpiry leaves out expires_in. The token lives as long as it would.
	NoExpiry bool
	// TokenDelay is how long the token endpoint waits before it changes anything. A client that leaves meanwhile has
	// changed nothing.
	TokenDelay time.Duration

	// ExactRedirect compares redirect URIs byte for byte. Without it, loopback ports may differ (RFC 8252 section 7.3).
	ExactRedirect bool
	// NoRegistration has no dynamic registration, and the metadata does not name it.
	NoRegistration bool
	// NullRegistration has none either, and the metadata says null.
	NullRegistration bool
	// StrictApplicationType lets only native clients register a loopback redirect (OpenID registration section 2).
	StrictApplicationType bool
	// AuthMethods are the ways in which clients may authenticate; empty means all.
	AuthMethods []string
	// NoRevocation has no revocation endpoint.
	NoRevocation bool

	// CIMD accepts the URL of a document as a client id (draft-ietf-oauth-client-id-metadata-document).
	CIMD bool
	// RefuseCIMD announces that it does, and redirects with invalid_client.
	RefuseCIMD bool
	// RefuseCIMDAtToken announces it too, and the token endpoint answers invalid_client.
	RefuseCIMDAtToken bool
	// LoosePort lets the ports of loopback redirects differ from those in the document.
	LoosePort bool
	// Fetch reads such a document; nil means over the network.
	Fetch func(ctx context.Context, address string) ([]byte, error)

	// IssuerPath is the path of the issuer, like "/tenant1".
	IssuerPath string
	// OpenIDOnly has no document of RFC 8414, only that of OpenID discovery.
	OpenIDOnly bool
	// NoMetadata has neither, so that only the default paths of revision 2025-03-26 are left.
	NoMetadata bool
	// WrongIssuer names another issuer in the metadata (RFC 8414 section 3.3).
	WrongIssuer bool
	// HugeMetadata makes the document 2 MiB long.
	HugeMetadata bool
	// RedirectMetadata answers with a redirect to another origin, where the document is.
	RedirectMetadata bool
	// WrongISS names another issuer in redirects (RFC 9207 section 2.4).
	WrongISS bool
	// NoISS neither sends nor announces the issuer in redirects.
	NoISS bool
	// DropISS announces it, and sends none.
	DropISS bool
	// NoPKCE announces no challenge methods, and needs no challenge. One that is sent is verified.
	NoPKCE bool
	// PlainPKCEOnly knows the method plain only.
	PlainPKCEOnly bool

	// ResourceMetadata is where the metadata of the guarded server is.
	ResourceMetadata Place
	// ResourceMismatch names another host as the resource (RFC 9728 section 3.3).
	ResourceMismatch bool
	// TrailingSlash ends the resource and the issuer in that metadata with a slash; the issuer itself has none.
	TrailingSlash bool
	// HugeResourceMetadata makes that document 2 MiB long.
	HugeResourceMetadata bool
	// RedirectResourceMetadata answers with a redirect to another origin, where that document is.
	RedirectResourceMetadata bool

	// ScopesSupported are announced. Without any, every scope is granted.
	ScopesSupported []string
	// RequiredScopes are needed for every request to the guarded server, and granted to a client that asks for none.
	RequiredScopes []string
	// ToolScopes are the scopes that calls of tools need, by name of the tool.
	ToolScopes map[string]string
	// WithholdScopes are never granted: the person unticked them.
	WithholdScopes []string
	// NeverEnough answers insufficient_scope whatever the token may: to calls of the tools in ToolScopes, and without any to all.
	NeverEnough bool
	// RefuseTokens answers 401 whatever the token.
	RefuseTokens bool

	// DPoP says whether tokens are bound to a key.
	DPoP DPoPMode
	// DPoPNonce wants a nonce in every proof, at the token endpoint and at the guarded server (RFC 9449 sections 8 and 9).
	DPoPNonce bool

	// GitHubStyle answers token requests with a form unless JSON is asked for, joins scopes with commas, and reports errors
	// of its own with status 200.
	GitHubStyle bool
	// SlackStyle puts the token below authed_user, joins scopes with commas, and reports errors of its own with status 200.
	SlackStyle bool
	// NotionStyle wants HTTP Basic and a body of JSON at the token endpoint.
	NotionStyle bool
}

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

func (o Options) lifetime() time.Duration {
	if o.Lifetime != 0 {
		return o.Lifetime
	}
	return time.Hour
}

// knowsDocuments reports whether the metadata announces client id metadata documents.
func (o Options) knowsDocuments() bool { return o.CIMD || o.RefuseCIMD || o.RefuseCIMDAtToken }

func (o Options) registers() bool { return !o.NoRegistration && !o.NullRegistration }

func (o Options) authMethods() []string {
	if len(o.AuthMethods) > 0 {
		return o.AuthMethods
	}
	return []string{methodNone, methodBasic, methodPost, methodKey}
}

func (o Options) challengeMethod() string {
	if o.PlainPKCEOnly {
		return "plain"
	}
	return "S256"
}

// grantable gives the scopes that are granted to a client that asks for some, or says which is not known.
func (o Options) grantable(asked []string) (granted []string, unknown string) {
	if len(asked) == 0 {
		asked = o.RequiredScopes
	}
	for _, scope := range asked {
		switch {
		case !o.knowsScope(scope):
			return nil, scope
		case !slices.Contains(o.WithholdScopes, scope) && !slices.Contains(granted, scope):
			granted = append(granted, scope)
		}
	}
	return granted, ""
}

func (o Options) knowsScope(scope string) bool {
	if len(o.ScopesSupported) == 0 || scope == scopeOpenID {
		return true
	}
	for _, needed := range o.ToolScopes {
		if needed == scope {
			return true
		}
	}
	return slices.Contains(o.ScopesSupported, scope) || slices.Contains(o.RequiredScopes, scope)
}
