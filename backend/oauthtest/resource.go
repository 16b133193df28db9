package oauthtest

import (
	"net/http"
	"strings"
)

const (
	wellKnownResource = "/.well-known/oauth-protected-resource" // RFC 9728 section 3
	oddResource       = "/about/sign-in"
)

// resourceMetadata serves the document about the guarded server, if the path is where it is.
func (g *guarded) resourceMetadata() bool {
	if g.r.Method != http.MethodGet {
		return false
	}
	resource, ok := g.described()
	if !ok {
		return false
	}
	if g.o.RedirectResourceMetadata && moved(g.w, g.r) {
		return true
	}
	writeJSON(g.w, http.StatusOK, g.describe(resource))
	return true
}

// described gives the resource whose metadata is at the path of the request.
func (g *guarded) described() (resource string, ok bool) {
	path := g.r.URL.Path
	switch g.o.ResourceMetadata {
	case PlaceDefault, PlacePath:
		path, ok = strings.CutPrefix(path, wellKnownResource)
		return g.base + path, ok && path != ""
	case PlaceOdd:
		path, ok = strings.CutPrefix(path, oddResource)
		return g.base + path, ok
	case PlaceRoot:
		return g.base, path == wellKnownResource
	default:
		return "", false
	}
}

func (g *guarded) describe(resource string) object {
	issuer := g.Issuer()
	if g.o.TrailingSlash {
		resource += "/"
		issuer += "/"
	}
	if g.o.ResourceMismatch {
		resource = stranger + strings.TrimPrefix(resource, g.base)
	}
	document := object{
		"resource": resource, "authorization_servers": []string{issuer}, "bearer_methods_supported": []string{"header"},
		"resource_name": "Guarded MCP server",
	}
	if len(g.o.ScopesSupported) > 0 {
		document["scopes_supported"] = g.o.ScopesSupported
	}
	if g.o.DPoP != DPoPOff {
		document["dpop_signing_alg_values_supported"] = algorithmNames()
		document["dpop_bound_access_tokens_required"] = g.o.DPoP == DPoPRequired
	}
	if g.o.HugeResourceMetadata {
		document["padding"] = strings.Repeat("x", hugeSize)
	}
	return document
}

// metadataURL is what the challenge says of the metadata, if it does.
func (g *guarded) metadataURL() string {
	switch g.o.ResourceMetadata {
	case PlaceDefault:
		return g.base + wellKnownResource + g.r.URL.Path
	case PlaceOdd:
		return g.base + oddResource + g.r.URL.Path
	default:
		return ""
	}
}

// isFor reports whether a token for that resource opens the guarded server (RFC 8707 section 2).
func (g *guarded) isFor(resource string) bool {
	resource = strings.TrimSuffix(resource, "/")
	switch resource {
	case g.base + strings.TrimSuffix(g.r.URL.Path, "/"):
		return true
	case g.base:
		return g.o.ResourceMetadata == PlaceRoot || g.o.ResourceMetadata == PlaceNone
	case "":
		return g.o.ResourceMetadata == PlaceNone // clients of 2025-03-26 name none
	}
	return false
}
