package model

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestEndpointsAreReachedAsServersAre(t *testing.T) {
	e := newEndpoint(t)
	secure := httptest.NewTLSServer(e.Config.Handler)
	t.Cleanup(secure.Close)
	o := e.options()
	o.BaseURL = func() string { return secure.URL + "/v1/" }
	o.Authorities = func() (*x509.CertPool, error) {
		roots := x509.NewCertPool()
		roots.AddCert(secure.Certificate())
		return roots, nil
	}
	if _, _, err := New(o).CreateMessage(t.Context(), json.RawMessage(simple)); err != nil {
		t.Errorf("with an authority of one's own: %v", err)
	}

	var through string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		through = r.URL.String()
		e.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	o = e.options()
	o.BaseURL = func() string { return "http://models.invalid/v1" }
	o.Proxy = func(*url.URL) (*url.URL, error) { return url.Parse(proxy.URL) }
	if _, _, err := New(o).CreateMessage(t.Context(), json.RawMessage(simple)); err != nil || through != "http://models.invalid/v1/chat/completions" {
		t.Errorf("through a proxy, %q: %v", through, err)
	}
}

func TestAuthoritiesThatCannotBeReadAreSaid(t *testing.T) {
	o := newEndpoint(t).options()
	broken := &domain.Error{Code: domain.CodeTLSFailed, Message: "no such file"}
	o.Authorities = func() (*x509.CertPool, error) { return nil, broken }
	if _, _, err := New(o).CreateMessage(t.Context(), json.RawMessage(simple)); !errors.Is(err, broken) {
		t.Errorf("it gives %v", err)
	}
}
