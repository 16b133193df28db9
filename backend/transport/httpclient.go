package transport

import (
	"net/http"
	"net/url"

	"apollia.fr/connexions/backend/domain"
)

const maxRedirects = 5

// httpEnd is the client side of one HTTP or SSE server.
type httpEnd struct {
	reach  *httpReach
	base   *http.Transport
	client *http.Client
}

// newHTTPEnd builds a client whose requests go, from the outside in, through outer (which may be nil), the sign-in,
// and the server's own headers.
func newHTTPEnd(reach *httpReach, d domain.Definition, o Options, outer func(http.RoundTripper) http.RoundTripper) *httpEnd {
	end := &httpEnd{reach: reach, base: reach.transport()}
	var tripper http.RoundTripper = &ownHeaders{origin: reach.url, headers: d.Headers, next: end.base}
	if o.Authorize != nil {
		tripper = o.Authorize(tripper)
	}
	if outer != nil {
		tripper = outer(tripper)
	}
	end.client = &http.Client{Transport: tripper, CheckRedirect: followSameOrigin}
	return end
}

func (e *httpEnd) close() {
	e.reach.close()
	e.base.CloseIdleConnections()
}

// unreachable names why a frame could not be sent. A server that takes no more connections has lost the session too.
func (l *Link) unreachable(req *http.Request, err error) error {
	err = networkError(req.Context(), req.URL.Host, err)
	if domain.CodeOf(err) == domain.CodeConnRefused {
		l.fail(err)
		return unsent(err)
	}
	return err
}

// followSameOrigin follows a redirect only where the request stays what it is: the same origin, the same method.
// Any other comes back as an answer, which is then reported.
func followSameOrigin(next *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return http.ErrUseLastResponse
	}
	first := via[0]
	if domain.SameOrigin(first.URL, next.URL) && first.Method == next.Method {
		return nil
	}
	return http.ErrUseLastResponse
}

// willFollow reports whether the client goes on to where an answer to req points, which then is no answer.
func willFollow(resp *http.Response, req *http.Request) bool {
	switch resp.StatusCode {
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return false
	}
	location, err := resp.Location()
	return err == nil && domain.SameOrigin(req.URL, location) && followed(req)+1 < maxRedirects
}

// followed counts the redirects that led to a request.
func followed(req *http.Request) int {
	n := 0
	for req.Response != nil && req.Response.Request != nil {
		req = req.Response.Request
		n++
	}
	return n
}

// ownHeaders adds the headers of the definition, to requests for the server itself only: they are credentials.
type ownHeaders struct {
	origin  *url.URL
	headers []domain.Variable
	next    http.RoundTripper
}

// RoundTrip sends req with the headers.
func (h *ownHeaders) RoundTrip(req *http.Request) (*http.Response, error) {
	if !domain.SameOrigin(h.origin, req.URL) {
		return h.next.RoundTrip(req)
	}
	req = req.Clone(req.Context())
	for _, v := range h.headers {
		if http.CanonicalHeaderKey(v.Name) == "Host" {
			req.Host = v.Value
			continue
		}
		req.Header.Set(v.Name, v.Value)
	}
	return h.next.RoundTrip(req)
}
