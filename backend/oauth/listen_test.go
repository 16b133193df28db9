package oauth

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestABusyPortIsSaidAtOnce(t *testing.T) {
	for setting, auth := range map[string]*domain.Auth{"oauth.callback_port": nil, "auth.redirect_uri": {}} {
		t.Run(setting, func(t *testing.T) {
			w := newWorld(t, oauthtest.Options{})
			port := w.options.CallbackPort()
			if auth != nil {
				w.target.Auth = &domain.Auth{RedirectURI: "http://127.0.0.1:" + port + "/mine"}
			}
			other, err := net.Listen("tcp", "127.0.0.1:"+port)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close()
			_, err = w.client.Begin(w.ctx(), w.target, BeginOptions{})
			wantError(t, err, domain.CodeCallbackPortBusy, "port", port, "setting", setting)
			if hint := domain.AsError(err).Hint; !strings.Contains(hint, setting) || strings.Contains(hint, port) {
				t.Errorf("hint %q", hint)
			}
			if len(w.server.Requests()) > 0 || w.listens() {
				t.Errorf("sent %v", w.server.Requests())
			}
		})
	}
}

// listens reports whether the client holds any port.
func (w *world) listens() bool {
	w.client.mu.Lock()
	defer w.client.mu.Unlock()
	return len(w.client.listeners) > 0
}

func TestAnotherPortIsProposed(t *testing.T) {
	for port, want := range map[string]string{"8913": "8914", "8918": "8919", "8919": "8913", "80": "8913", "x": "8913"} {
		if got := otherPort(port); got != want {
			t.Errorf("instead of %s: %s", port, got)
		}
	}
}

func TestARedirectURIOfTheirOwnIsSentAsItIs(t *testing.T) {
	for _, path := range []string{"/some/path", "/a%2Fb/ü", "", "/cb?keep=1", "/UPPER/"} {
		w := newWorld(t, oauthtest.Options{ExactRedirect: true, NoRegistration: true})
		uri := "http://127.0.0.1:" + freePort(t) + path
		us := w.server.AddClient(oauthtest.Client{RedirectURIs: []string{uri}})
		w.target.Auth = &domain.Auth{ClientID: us.ID, RedirectURI: uri}
		begun := w.begin()
		status, body := w.browse(begun.AuthorizeURL)
		if err := w.end(begun); err != nil || status != http.StatusOK {
			t.Errorf("%s: %v %d %s", uri, err, status, body)
			continue
		}
		if got := w.server.Authorizations()[0].Get("redirect_uri"); got != uri {
			t.Errorf("asked with %s, want %s", got, uri)
		}
		if got := w.server.TokenRequests()[0].RedirectURI; got != uri {
			t.Errorf("exchanged with %s, want %s", got, uri)
		}
	}
}

func TestARedirectURIOfIPv6(t *testing.T) {
	six, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("this computer has no IPv6")
	}
	uri := "http://" + six.Addr().String() + "/cb"
	_ = six.Close()
	w := newWorld(t, oauthtest.Options{ExactRedirect: true}, withAuth(domain.Auth{RedirectURI: uri}))
	if begun := w.road(); begun.RedirectURI != uri {
		t.Errorf("%s", begun.RedirectURI)
	}
}

func TestARedirectURIThatIsNotOursIsNotListenedAt(t *testing.T) {
	for uri, code := range map[string]domain.Code{"https://apollia.example/callback": "", "http://192.168.1.1:8913/cb": "", "urn:ietf:wg:oauth:2.0:oob": domain.CodeConfigInvalid, "::": domain.CodeConfigInvalid} {
		w := newWorld(t, oauthtest.Options{}, withAuth(domain.Auth{ClientID: "us", RedirectURI: uri}))
		begun, err := w.client.Begin(w.ctx(), w.target, BeginOptions{})
		if domain.CodeOf(err) != code || w.listens() {
			t.Errorf("%s: %v", uri, err)
		}
		if err == nil {
			begun.Cancel()
		}
	}
}

func TestLocalhostIsBothAddresses(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	port := freePort(t)
	w.target.Auth = &domain.Auth{RedirectURI: "http://localhost:" + port + "/cb"}
	begun := w.begin()
	hosts := []string{"127.0.0.1"}
	if six, err := net.Listen("tcp", "[::1]:0"); err == nil {
		_ = six.Close()
		hosts = append(hosts, "[::1]")
	}
	for _, host := range hosts {
		if status, _ := w.browse("http://" + host + ":" + port + "/cb?state=unknown"); status != http.StatusBadRequest {
			t.Errorf("%s answers %d", host, status)
		}
	}
	plain := w.target
	plain.Server, plain.Auth = "other", nil
	w.client.options.CallbackPort = func() string { return port }
	second, err := w.client.Begin(w.ctx(), plain, BeginOptions{})
	if err != nil {
		t.Fatalf("127.0.0.1 beside localhost: %v", err)
	}
	if _, err := w.visit(begun); err != nil {
		t.Error(err)
	}
	if _, err := w.visit(second); err != nil {
		t.Error(err)
	}
	w.await(func() bool { return !w.listens() })
}

func TestLocalhostIsBusyWhereOneOfItsAddressesIs(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	port := freePort(t)
	six, err := net.Listen("tcp", "[::1]:"+port)
	if err != nil {
		t.Skip("this computer has no IPv6")
	}
	defer six.Close()
	w.target.Auth = &domain.Auth{RedirectURI: "http://localhost:" + port + "/cb"}
	_, err = w.client.Begin(w.ctx(), w.target, BeginOptions{})
	wantError(t, err, domain.CodeCallbackPortBusy, "port", port)
}

// answer asks our listener as a stranger on this computer might.
func (w *world) ask(method, host, address string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.ctx(), method, address, http.NoBody)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Host = host
	resp, err := w.browser.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestOnlyTheAnswerIsTaken(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	begun := w.begin()
	at := begun.RedirectURI
	u, _ := url.Parse(at)
	tests := []struct {
		what, method, host, address string
		want                        int
	}{
		{"unknown state", "GET", "", at + "?state=x&code=y", http.StatusBadRequest},
		{"no state", "GET", "", at, http.StatusBadRequest},
		{"wrong path", "GET", "", "http://" + u.Host + "/?state=" + begun.State, http.StatusNotFound},
		{"path below", "GET", "", at + "/x?state=" + begun.State, http.StatusNotFound},
		{"wrong host", "GET", "evil.example:" + u.Port(), at + "?state=" + begun.State, http.StatusNotFound},
		{"POST", "POST", "", at + "?state=" + begun.State, http.StatusMethodNotAllowed},
		{"HEAD", "HEAD", "", at + "?state=" + begun.State, http.StatusMethodNotAllowed},
		{"other loopback name", "GET", "localhost:" + u.Port(), at + "?state=x", http.StatusBadRequest},
	}
	for _, test := range tests {
		resp := w.ask(test.method, test.host, test.address)
		if resp.StatusCode != test.want {
			t.Errorf("%s: %d, want %d", test.what, resp.StatusCode, test.want)
		}
		if resp.StatusCode == http.StatusMethodNotAllowed && resp.Header.Get("Allow") != "GET" {
			t.Errorf("%s: Allow %q", test.what, resp.Header.Get("Allow"))
		}
	}
	if waiting, ok := w.client.Waiting(w.target.Subject); !ok || waiting.State != begun.State {
		t.Fatal("the sign-in was ended by strangers")
	}
	redirect, err := oauthtest.Browse(w.ctx(), w.browser, begun.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	second, other := w.target, w.target
	second.Server, other.Server, other.Auth = "second", "other", &domain.Auth{RedirectURI: "http://" + u.Host + "/other"}
	for _, target := range []Target{second, other} { // which have the listener live on
		if _, err := w.client.Begin(w.ctx(), target, BeginOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := *redirect
	elsewhere.Path = "/other"
	if status, _ := w.browse(elsewhere.String()); status != http.StatusBadRequest {
		t.Errorf("the answer at the path of another sign-in: %d", status)
	}
	if status, _ := w.browse(redirect.String()); status != http.StatusOK {
		t.Errorf("the answer: %d", status)
	}
	status, page := w.browse(redirect.String())
	if status != http.StatusBadRequest || !strings.Contains(page, "not known, or has ended") {
		t.Errorf("the answer again: %d %s", status, page)
	}
	if err := w.end(begun); err != nil {
		t.Error(err)
	}
	w.passes("echo")
}

func TestThePageSpeaksFrenchAndEnglish(t *testing.T) {
	const evil = `<script>alert("x")</script>`
	for language, want := range map[string][]string{
		"en": {`<html lang="en">`, "The sign-in did not work", "You can close this tab.", "access_denied: &lt;script&gt;"},
		"fr": {`<html lang="fr">`, "La connexion n’a pas abouti", "Vous pouvez fermer cet onglet.", "a refusé la connexion\u00a0: «\u00a0access_denied: &lt;script&gt;"},
	} {
		w := newWorld(t, oauthtest.Options{NoISS: true})
		begun, err := w.client.Begin(w.ctx(), w.target, BeginOptions{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		resp := w.ask("GET", "", begun.RedirectURI+"?"+url.Values{"state": {begun.State}, "error": {"access_denied"}, "error_description": {evil}}.Encode())
		raw, _ := io.ReadAll(resp.Body)
		for _, part := range want {
			if !strings.Contains(string(raw), part) {
				t.Errorf("%s: no %q in %s", language, part, raw)
			}
		}
		for name, value := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"} {
			if resp.Header.Get(name) != value {
				t.Errorf("%s: %q", name, resp.Header.Get(name))
			}
		}
		if strings.Contains(string(raw), "<script") || !strings.Contains(resp.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("page %s", raw)
		}
		wantError(t, w.end(begun), domain.CodeSignInDenied)
	}
}

func TestThePageOfEachEnd(t *testing.T) {
	for _, code := range []domain.Code{
		domain.CodeSignInDenied, domain.CodeUnknownItem, domain.CodeSignInUnreachable, domain.CodeClientIDNeeded, domain.CodeSignInRefused, "",
	} {
		for accept, want := range map[string]string{"fr-FR,fr;q=0.9": "Vous pouvez fermer cet onglet.", "de": "You can close this tab."} {
			var done Finished
			if code != "" {
				done.Err = &domain.Error{Code: code, Message: "said in English", Hint: "in English"}
			}
			r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
			r.Header.Set("Accept-Language", accept)
			page := httptest.NewRecorder()
			Answer(page, r, done)
			body := page.Body.String()
			if !strings.Contains(body, want) || !strings.Contains(body, "</html>") || accept != "de" && strings.Contains(body, "English") {
				t.Errorf("%s %s: %s", code, accept, body)
			}
			if inEnglish := strings.Contains(body, "said"); inEnglish && accept != "de" {
				t.Errorf("%s: English on a French page: %s", code, body)
			}
		}
	}
}

func TestTheListenerLivesAsLongAsASignInWaits(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	if w.listens() {
		t.Fatal("it listens before")
	}
	w.signIn()
	w.await(func() bool { return !w.listens() })
	again, err := net.Listen("tcp", "127.0.0.1:"+w.options.CallbackPort())
	if err != nil {
		t.Fatalf("the port is not free: %v", err)
	}
	_ = again.Close()

	w.server.SetOptions(func(o *oauthtest.Options) { o.NoPKCE = true })
	if _, err := w.client.Begin(w.ctx(), w.target, BeginOptions{}); err == nil || w.listens() {
		t.Error("a sign-in that does not begin keeps the port")
	}
}

func TestAConnectionOfAnEarlierSignInBringsTheNextAnswer(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	first := w.begin()
	address := "127.0.0.1:" + w.options.CallbackPort()
	w.client.mu.Lock()
	earlier := w.client.listeners[address].server
	w.client.mu.Unlock()
	if _, err := w.visit(first); err != nil {
		t.Fatal(err)
	}
	w.await(func() bool { return !w.listens() })
	second := w.begin()
	answer, err := oauthtest.Browse(w.ctx(), w.browser, second.AuthorizeURL)
	if err != nil {
		t.Fatal(err)
	}
	page := httptest.NewRecorder()
	earlier.Handler.ServeHTTP(page, httptest.NewRequest(http.MethodGet, answer.String(), http.NoBody)) // taken just before it closed
	if err := w.end(second); err != nil || page.Code != http.StatusOK {
		t.Errorf("%v, %d", err, page.Code)
	}
	third := w.begin()
	if resp := w.ask("GET", "", third.RedirectURI+"?state=x"); !resp.Close {
		t.Error("the connection is kept")
	}
}

func TestASignInEnds(t *testing.T) {
	timers := make(chan chan time.Time, 10)
	ends := map[string]func(w *world, begun Begun){
		"canceled": func(_ *world, begun Begun) { begun.Cancel() },
		"timeout":  func(*world, Begun) { (<-timers) <- time.Time{} },
		"replaced": func(w *world, _ Begun) { w.begin() },
		"closing":  func(w *world, _ Begun) { w.client.Close() },
	}
	for reason, end := range ends {
		t.Run(reason, func(t *testing.T) {
			w := newWorld(t, oauthtest.Options{}, func(w *world) {
				w.options.After = func(d time.Duration) <-chan time.Time {
					timer := make(chan time.Time, 1)
					if d == flowLife {
						timers <- timer
					}
					return timer
				}
			})
			for len(timers) > 0 {
				<-timers
			}
			begun := w.begin()
			if waiting, ok := w.client.Waiting(w.target.Subject); !ok || waiting.State != begun.State || waiting.Ends != w.clock.Now().Add(flowLife) {
				t.Fatalf("waiting %v %v", waiting, ok)
			}
			end(w, begun)
			wantError(t, w.end(begun), domain.CodeSignInEnded, "reason", reason)
			begun.Cancel()
			if _, err := w.client.Finish(w.ctx(), &url.URL{Path: callbackPath, RawQuery: "code=x&state=" + begun.State}); domain.CodeOf(err) != domain.CodeUnknownItem {
				t.Errorf("its state still counts: %v", err)
			}
			if reason != "replaced" {
				w.await(func() bool { return !w.listens() })
			}
		})
	}
}

func TestWhatIsGivenUpWhileItsCodeIsExchangedIsNotKept(t *testing.T) {
	y := newWay()
	w := newWorld(t, oauthtest.Options{}, over(y))
	begun, _, page, letPass := w.held(y)
	begun.Cancel()
	letPass()
	if status := <-page; status != http.StatusBadRequest {
		t.Errorf("page %d", status)
	}
	if names, _ := w.store.Names("token/"); len(names) > 0 {
		t.Errorf("kept %v", names)
	}
}

func TestThePageNamesTheServer(t *testing.T) {
	page := httptest.NewRecorder()
	Answer(page, httptest.NewRequest(http.MethodGet, "/", http.NoBody), Finished{Target: Target{Subject: Subject{Server: "vault"}}, Language: "fr"})
	if body := page.Body.String(); !strings.Contains(body, "Apollia Connexions est connecté à vault.") {
		t.Error(body)
	}
}
