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

// willFollow reports whether the client goes on to where an answer points, which then is no answer.
func willFollow(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return false
	}
	location, err := resp.Location()
	return err == nil && domain.SameOrigin(resp.Request.URL, location)
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
