package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// resourceMetadata is what a protected resource says of itself (RFC 9728 section 2), as far as it matters here.
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
	DPoPRequired         bool     `json:"dpop_bound_access_tokens_required"`
}

const wellKnownResource = "/.well-known/oauth-protected-resource"

// resourcePlaces are where the metadata of a server may be (RFC 9728 section 3.1): where the challenge says, under the
// path of the server, at the root. The challenge is taken as it is.
func resourcePlaces(server *url.URL, challenge httpauth.Challenge) []string {
	origin := server.Scheme + "://" + server.Host
	var places []string
	if said := challenge.Params[httpauth.ParamMetadata]; said != "" {
		places = append(places, said)
	}
	if path := strings.TrimSuffix(server.EscapedPath(), "/"); path != "" {
		places = append(places, origin+wellKnownResource+path)
	}
	if root := origin + wellKnownResource; !slices.Contains(places, root) {
		places = append(places, root)
	}
	return places
}

// findResource looks for the metadata of a server. found is false where there is none anywhere: the server may be one of
// 2025-03-26, or need no sign-in at all.
func findResource(ctx context.Context, client *http.Client, server *url.URL, challenge httpauth.Challenge) (m resourceMetadata, found bool, err error) {
	var trouble error
	for _, place := range resourcePlaces(server, challenge) {
		var m resourceMetadata
		found, err := fetchDocument(ctx, client, place, &m)
		switch {
		case err != nil:
			trouble = firstOf(trouble, err)
		case found && !coversServer(m.Resource, server):
			return m, true, notConforming(place, "resource", "it speaks for \""+m.Resource+"\", not for "+canonical(server))
		case found && len(m.AuthorizationServers) > 0:
			return m, true, nil
		}
	}
	return resourceMetadata{}, false, trouble
}

// coversServer reports whether a resource is the server, or a path above it at the same origin. A "/" at the end, and the
// default port, make no difference.
func coversServer(resource string, server *url.URL) bool {
	r, err := url.Parse(resource)
	if err != nil || r.Fragment != "" || !domain.SameOrigin(r, server) {
		return false
	}
	above := strings.TrimSuffix(r.EscapedPath(), "/")
	path := strings.TrimSuffix(server.EscapedPath(), "/")
	return r.RawQuery == "" && (path == above || strings.HasPrefix(path, above+"/")) || r.RawQuery == server.RawQuery && path == above
}

// canonical is the name of a server where no metadata gives one (RFC 8707 section 2): without a fragment, and without what
// may be a person's own in its address.
func canonical(server *url.URL) string { return target(server) }

// fetchDocument reads a JSON document. found is false when nothing of the kind is there. It fails when the place cannot
// be asked, or answers with something else than it should.
func fetchDocument(ctx context.Context, client *http.Client, place string, into any) (found bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, place, http.NoBody)
	if err != nil {
		return false, notConforming(place, "url", "it is no address")
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("MCP-Protocol-Version", "2025-11-25")
	a, err := fetch(client, r)
	switch {
	case err != nil:
		return false, err
	case refusal{Status: a.status}.isPassing():
		return false, unreachable(r.URL, errors.New(refusal{Status: a.status}.text()))
	case a.status != http.StatusOK || !a.isJSON():
		return false, nil // many servers answer any path with a page, or with an error of their own
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return false, notConforming(place, "malformed", "its metadata is malformed")
	}
	return true, nil
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}
