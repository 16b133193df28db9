package oauth

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// tripper signs the requests to one server.
type tripper struct {
	account *account
	target  Target
	// server is the address of the target, nil when that is none; direct says that no proxy stands before it.
	server *url.URL
	direct bool
	next   http.RoundTripper
}

// String keeps what is secret out of logs.
func (t *tripper) String() string { return "signer for " + t.target.Server }

// GoString keeps %#v from printing more than String.
func (t *tripper) GoString() string { return t.String() }

// RoundTrip sends a request with the token of the target. When the token is refused, a new one is tried once; when the
// server wants another nonce, it gets it.
func (t *tripper) RoundTrip(r *http.Request) (*http.Response, error) {
	if !t.isForServer(r.URL) {
		return t.next.RoundTrip(r)
	}
	r = t.watched(r)
	body, err := takeBody(r)
	if err != nil {
		return nil, err
	}
	ctx := r.Context()
	kept, ok, err := t.account.current(ctx, t.target)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, domain.ErrUnsent)
	}
	resp, err := t.send(r, body, kept, ok)
	if err != nil || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusForbidden {
		if err == nil && ok {
			t.account.taken(kept.Access)
		}
		return resp, err
	}
	challenge := httpauth.ChallengeOf(resp.Header)
	if resp.StatusCode == http.StatusForbidden && challenge.Scheme == "" {
		return resp, nil // it says no, and not that a sign-in would help
	}
	t.account.challengedBy(challenge)
	if resp.StatusCode == http.StatusForbidden {
		return resp, nil
	}
	if !t.mayRenew(kept, ok) {
		t.account.inVain(kept.Access)
		return resp, nil
	}
	fresh, err := t.account.renew(ctx, t.target, kept.Access, nil)
	if err != nil {
		if ctx.Err() == nil && t.target.NeedsPerson() && domain.CodeOf(err).Class() == domain.SignIn {
			return resp, nil // the server's own words say what a person has to do
		}
		_ = resp.Body.Close()
		return nil, err // which is no reason to have a person sign in
	}
	_ = resp.Body.Close()
	if resp, err = t.send(r, body, fresh, true); err != nil {
		return nil, err
	}
	challenge = httpauth.ChallengeOf(resp.Header)
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		t.account.inVain(fresh.Access) // another one would fare no better
		t.account.challengedBy(challenge)
	case resp.StatusCode == http.StatusForbidden && challenge.Scheme != "":
		t.account.challengedBy(challenge)
	}
	return resp, nil
}

// CloseIdleConnections lets http.Client do that.
func (t *tripper) CloseIdleConnections() {
	if next, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// isForServer reports whether a request goes to the server that the token is for. A server may redirect elsewhere, or name
// another place to send messages to: that one gets no token of ours.
func (t *tripper) isForServer(u *url.URL) bool {
	return t.server != nil && domain.SameOrigin(t.server, u)
}

// watched has a request tell where it goes to, unless that is a proxy.
func (t *tripper) watched(r *http.Request) *http.Request {
	if !t.direct {
		return r
	}
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{
		GotConn: func(got httptrace.GotConnInfo) { t.account.sawAt(got.Conn.RemoteAddr()) },
	}))
}

// mayRenew reports whether a token that was refused, or is missing, can be had without a person. One that was refused as soon
// as it was new is not replaced at each request.
func (t *tripper) mayRenew(kept credential, ok bool) bool {
	if ok && t.account.isVain(kept.Access) {
		return false
	}
	return !t.target.NeedsPerson() || ok && kept.renewable()
}

func (t *tripper) send(r *http.Request, body []byte, kept credential, ok bool) (*http.Response, error) {
	if !ok {
		return t.next.RoundTrip(withBody(r, body))
	}
	prover, err := t.account.proverOf(kept)
	if err != nil {
		return nil, err
	}
	for attempt := 0; ; attempt++ {
		signed := withBody(r, body)
		signed.Header.Set("Authorization", scheme(prover)+" "+kept.Access)
		var sent string
		if prover != nil {
			var proof string
			if proof, sent, err = prover.proof(r.Method, r.URL, kept.Access); err != nil {
				return nil, err
			}
			signed.Header.Set("DPoP", proof)
		}
		resp, err := t.next.RoundTrip(signed)
		if err != nil || prover == nil {
			return resp, err
		}
		nonce := httpauth.ChallengeOf(resp.Header).Params["error"] == "use_dpop_nonce"
		if !prover.learn(r.URL, sent, resp, nonce) || attempt > 0 {
			return resp, nil
		}
		_ = resp.Body.Close()
	}
}

func scheme(p *prover) string {
	if p != nil {
		return "DPoP"
	}
	return "Bearer"
}

// takeBody reads the body of a request, so that it can be sent again; nil when it has none.
func takeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	return body, err
}

// withBody is the request once more.
func withBody(r *http.Request, body []byte) *http.Request {
	again := r.Clone(r.Context())
	if body != nil {
		again.Body = io.NopCloser(bytes.NewReader(body))
		again.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		again.ContentLength = int64(len(body))
	}
	return again
}
