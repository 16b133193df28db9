package oauth

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestDPoPBindsTheToken(t *testing.T) {
	for name, o := range map[string]oauthtest.Options{"plain": {DPoP: oauthtest.DPoPAllowed}, "nonces": {DPoP: oauthtest.DPoPAllowed, DPoPNonce: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, o, withAuth(domain.Auth{DPoP: true}))
			w.road()
			if shown := w.server.Presented()[0]; shown.Scheme != "DPoP" || len(w.kept().Key) == 0 {
				t.Errorf("shown as %s, key %d", shown.Scheme, len(w.kept().Key))
			}
			w.server.RenewNonces()
			w.passes("echo")
			w.server.RenewNonces()
			w.clock.pass(2 * time.Hour)
			w.passes("echo")
			again := New(w.options)
			defer again.Close()
			if got := w.callBy(again, "echo"); got.err != nil || got.status != http.StatusOK {
				t.Errorf("after a start: %d %v", got.status, got.err)
			}
		})
	}
}

func TestATokenThatIsNotBoundIsRefused(t *testing.T) {
	w := newWorld(t, oauthtest.Options{}, withAuth(domain.Auth{DPoP: true}))
	_, err := w.visit(w.begin())
	wantError(t, err, domain.CodeSignInRefused, "reason", "not_bound")
}

func TestRequestsThatAreToldOfANonceAtOnceAllTakeIt(t *testing.T) {
	w := newWorld(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed, DPoPNonce: true, RefreshLess: true}, withAuth(domain.Auth{DPoP: true}))
	w.road()
	w.server.RenewNonces()
	const requests = 4
	var arrived, all sync.WaitGroup
	arrived.Add(requests)
	var first sync.Map
	gathered := tripFunc(func(r *http.Request) (*http.Response, error) {
		resp, err := w.wire.RoundTrip(r)
		if _, again := first.LoadOrStore(r.Header.Get("X-Request"), true); !again {
			arrived.Done()
			arrived.Wait() // each is refused before any of them knows the nonce
		}
		return resp, err
	})
	transport := w.client.Transport(w.target, gathered)
	for i := range requests {
		all.Go(func() {
			r, err := http.NewRequestWithContext(w.ctx(), http.MethodPost, w.target.URL, strings.NewReader("{}"))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("X-Request", strconv.Itoa(i))
			resp, err := transport.RoundTrip(r)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				t.Errorf("status %d", resp.StatusCode)
			}
		})
	}
	all.Wait()
	if _, ok, err := w.client.SignedIn(w.target); !ok {
		t.Errorf("the sign-in is taken for lost: %v", err)
	}
}

func TestAServerThatIsNeverContentWithANonceIsAskedTwice(t *testing.T) {
	const enough = 10
	var asked int
	refuses := func(status int, header, body string) http.RoundTripper {
		return tripFunc(func(r *http.Request) (*http.Response, error) {
			asked++
			if asked > enough {
				return nil, errors.New("enough")
			}
			resp, err := trip(status, "application/json", []byte(body)).RoundTrip(r)
			resp.Header.Set("WWW-Authenticate", header)
			resp.Header.Set("DPoP-Nonce", strconv.Itoa(asked))
			return resp, err
		})
	}
	prover, err := newProver(nil, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	e := tokenEndpoint{
		web: &http.Client{Transport: refuses(http.StatusBadRequest, "", `{"error":"use_dpop_nonce"}`)}, server: serverMetadata{TokenEndpoint: "https://as.example/token"},
		client: registration{ClientID: "us"}, proof: prover, now: time.Now,
	}
	if _, err := e.refresh(t.Context(), "r"); !isRefusal(err, "use_dpop_nonce") || asked != 2 {
		t.Errorf("%d token requests, %v", asked, err)
	}

	w := newWorld(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed, RefreshLess: true}, withAuth(domain.Auth{DPoP: true}))
	w.road()
	asked = 0
	r, err := http.NewRequestWithContext(w.ctx(), http.MethodGet, w.target.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := w.client.Transport(w.target, refuses(http.StatusUnauthorized, `DPoP error="use_dpop_nonce"`, "")).RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusUnauthorized || asked != 2 {
		t.Fatalf("%d requests, %v", asked, err)
	}
	_ = resp.Body.Close()
}
