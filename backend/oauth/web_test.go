package oauth

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// outside is an address out in the world, where example.com is.
const outside = "93.184.216.34"

// internet is a network of a test: example.com is a server of the test with TLS, and all else is only counted.
type internet struct {
	server *httptest.Server
	names  names

	mu    sync.Mutex
	tried []string
}

func newInternet(t *testing.T, h http.Handler) *internet {
	t.Helper()
	i := &internet{server: httptest.NewTLSServer(h), names: names{"example.com": {{outside}}, "inner.example": {{"10.0.0.1"}}, "cloud.example": {{"169.254.169.254"}}}}
	t.Cleanup(func() {
		i.server.CloseClientConnections()
		i.server.Close()
	})
	return i
}

func (i *internet) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if strings.HasPrefix(address, outside+":") {
		return new(net.Dialer).DialContext(ctx, network, i.server.Listener.Addr().String())
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.tried = append(i.tried, address)
	return nil, errors.New("nobody is there")
}

// reached lists the connections to anybody but example.com.
func (i *internet) reached() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.tried
}

func (i *internet) network() Network {
	pool := x509.NewCertPool()
	pool.AddCert(i.server.Certificate())
	return Network{Resolver: i.names, Dial: i.dial, Authorities: func() (*x509.CertPool, error) { return pool, nil }}
}

// documents are served by path; all else is not found.
type documents map[string]map[string]any

func (d documents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	document, ok := d[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(document)
}

func wellBehaved() documents {
	return documents{
		wellKnownResource + "/mcp": {"resource": "https://example.com/mcp", "authorization_servers": []string{"https://example.com"}},
		wellKnownOAuth: {
			"issuer": "https://example.com", "authorization_endpoint": "https://example.com/authorize", "token_endpoint": "https://example.com/token",
			"registration_endpoint": "https://example.com/register", "code_challenge_methods_supported": []string{"S256"},
		},
		"/register": {"client_id": "us"},
	}
}

func TestNoAddressFurtherInsideThanTheServerIsReached(t *testing.T) {
	misled := map[string]func(d documents, to string) httpauth.Challenge{
		"resource_metadata": func(d documents, to string) httpauth.Challenge {
			delete(d, wellKnownResource+"/mcp")
			return httpauth.Challenge{Params: map[string]string{"resource_metadata": to}}
		},
		"authorization_servers": func(d documents, to string) httpauth.Challenge {
			d[wellKnownResource+"/mcp"]["authorization_servers"] = []string{to}
			return httpauth.Challenge{}
		},
	}
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint"} {
		misled[name] = func(d documents, to string) httpauth.Challenge {
			d[wellKnownOAuth][name] = to
			return httpauth.Challenge{}
		}
	}
	for what, mislead := range misled {
		for _, to := range []string{
			"https://10.0.0.1/x", "https://127.0.0.1/x", "https://[::1]/x", "https://169.254.169.254/x", "https://[fd00::1]/x", "https://[fe80::1%25lo]/x",
			"https://inner.example/x", "https://cloud.example/x", "https://2130706433/x", "https://localhost/x", "http://example.com/x", "ftp://example.com/x",
		} {
			d := wellBehaved()
			challenge := mislead(d, to)
			i := newInternet(t, d)
			i.names["localhost"] = [][]string{{"127.0.0.1"}}
			c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
			target := Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}
			c.account(target).challengedBy(challenge)
			_, err := c.Begin(t.Context(), target, BeginOptions{})
			if domain.CodeOf(err) != domain.CodeSignInRefused || !slices.Contains([]string{"address", "url"}, domain.AsError(err).Args["reason"]) || len(i.reached()) > 0 {
				t.Errorf("%s at %s: %v %v, connections %v", what, to, domain.CodeOf(err), err, i.reached())
			}
			c.Close()
		}
	}
}

func TestWellBehavedServersAreReached(t *testing.T) {
	i := newInternet(t, wellBehaved())
	c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
	defer c.Close()
	begun, err := c.Begin(t.Context(), Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}, BeginOptions{})
	if err != nil || !strings.HasPrefix(begun.AuthorizeURL, "https://example.com/authorize?") {
		t.Errorf("%v %v", begun.AuthorizeURL, err)
	}
}

func TestEachPlaceOfMetadataStandsForItself(t *testing.T) {
	d := wellBehaved()
	d[wellKnownResource] = d[wellKnownResource+"/mcp"]
	d[wellKnownResource+"/mcp"] = map[string]any{"resource": "https://example.com/mcp", "dpop_bound_access_tokens_required": true, "scopes_supported": []string{"x"}}
	i := newInternet(t, d)
	web, err := i.network().client(public, "example.com")
	if err != nil {
		t.Fatal(err)
	}
	defer web.CloseIdleConnections()
	where, err := discover(t.Context(), web, Target{URL: "https://example.com/mcp"}, httpauth.Challenge{})
	if err != nil || where.server.Issuer != "https://example.com" || where.dpop || len(where.scopes) > 0 {
		t.Errorf("%+v %v", where, err)
	}
}

func TestOnlyWebPagesAreOpenedInTheBrowser(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "file:///etc/passwd", "", "/authorize", "vscode://x/y", "mailto:a@example.com", "smb://example.com/x", "https://example.com/a#b", "https://bank.example@example.com/a"} {
		d := wellBehaved()
		d[wellKnownOAuth]["authorization_endpoint"] = address
		i := newInternet(t, d)
		c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
		_, err := c.Begin(t.Context(), Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}, BeginOptions{})
		if domain.CodeOf(err) != domain.CodeSignInRefused {
			t.Errorf("%q: %v", address, err)
		}
		c.Close()
	}
}

func TestTheClassIsCheckedAtEveryConnection(t *testing.T) {
	tests := []struct {
		limit   class
		address string
		refused string // the class that is named; empty when it is reached
	}{
		{public, "https://8.8.8.8/", ""},
		{public, "https://10.0.0.1/", "private"},
		{public, "http://8.8.8.8/", "no_tls"},
		{public, "http://10.0.0.1/", "no_tls"},
		{private, "https://10.0.0.1/", ""},
		{private, "http://10.0.0.1/", ""},
		{private, "https://8.8.8.8/", ""},
		{private, "http://8.8.8.8/", "no_tls"},
		{private, "http://127.0.0.1/", "loopback"},
		{private, "http://169.254.169.254/", "forbidden"},
		{loopback, "http://127.0.0.1:1/", ""},
		{loopback, "http://[::1]:1/", ""},
		{loopback, "http://192.168.0.1/", ""},
		{loopback, "http://8.8.8.8/", "no_tls"},
		{loopback, "http://169.254.169.254/latest/meta-data/", "forbidden"},
		{loopback, "http://cloud.example/", "forbidden"},
		{loopback, "http://[fe80::1%25lo]/", "forbidden"},
		{forbidden, "http://169.254.169.254/", "forbidden"},
		{forbidden, "http://cloud.example/", "forbidden"},
		{public, "https://both.example/", ""}, // only the outer one of its addresses is tried
	}
	for _, test := range tests {
		i := newInternet(t, documents{})
		i.names["both.example"] = [][]string{{"127.0.0.1", "8.8.8.8", "::1"}}
		client, err := i.network().client(test.limit, "")
		if err != nil {
			t.Fatal(err)
		}
		u, _ := url.Parse(test.address)
		if err := client.Transport.(*guard).mayReach(t.Context(), u); (err != nil) != (test.refused != "" || u.Host == "both.example") {
			t.Errorf("%s %s in a browser: %v", test.limit, test.address, err)
		}
		_, err = get(t, client, test.address)
		tried := i.reached()
		switch {
		case test.refused == "" && (len(tried) != 1 || domain.CodeOf(err) != domain.CodeSignInUnreachable):
			t.Errorf("%s %s: %v, connections %v", test.limit, test.address, err, tried)
		case test.refused != "" && (len(tried) != 0 || domain.AsError(err).Args["class"] != test.refused || !errors.Is(err, errAddress)):
			t.Errorf("%s %s: %v, connections %v", test.limit, test.address, err, tried)
		}
		client.CloseIdleConnections()
	}
}

func get(t *testing.T, client *http.Client, address string) (answer, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	return fetch(client, r)
}

func TestNamesThatMeanSomethingElseTheSecondTime(t *testing.T) {
	t.Run("of the authorization server", func(t *testing.T) {
		d := wellBehaved()
		d[wellKnownOAuth]["registration_endpoint"] = "https://turning.example/register"
		i := newInternet(t, d)
		i.names["turning.example"] = [][]string{{outside}, {"127.0.0.1"}}
		network := i.network()
		client, err := network.client(public, "example.com")
		if err != nil {
			t.Fatal(err)
		}
		defer client.CloseIdleConnections()
		u, _ := url.Parse("https://turning.example/register")
		if err := client.Transport.(*guard).mayReach(t.Context(), u); err != nil {
			t.Fatal(err)
		}
		_, err = get(t, client, u.String())
		if !errors.Is(err, errAddress) || len(i.reached()) > 0 {
			t.Errorf("%v, connections %v", err, i.reached())
		}
	})
	t.Run("of the server", func(t *testing.T) {
		d := wellBehaved()
		d[wellKnownResource+"/mcp"]["authorization_servers"] = []string{"https://127.0.0.1"}
		i := newInternet(t, d)
		i.names["example.com"] = [][]string{{"127.0.0.1"}, {outside}} // as if it were on this computer, so that all is open
		c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
		defer c.Close()
		_, err := c.Begin(t.Context(), Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}, BeginOptions{})
		if !errors.Is(err, errAddress) || len(i.reached()) > 0 {
			t.Errorf("%v, connections %v", err, i.reached())
		}
	})
	t.Run("of the server, after a request", func(t *testing.T) {
		i := newInternet(t, documents{})
		i.names["example.com"] = [][]string{{"127.0.0.1"}}
		c := New(Options{Store: newMemory(), Network: i.network(), CallbackPort: func() string { return freePort(t) }, After: never})
		defer c.Close()
		target := Target{Subject: Subject{Server: "x"}, URL: "https://example.com/mcp"}
		a := c.account(target)
		a.sawAt(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(outside + ":443")))
		a.challengedBy(httpauth.Challenge{Params: map[string]string{"resource_metadata": "https://127.0.0.1/x"}})
		_, err := c.Begin(t.Context(), target, BeginOptions{})
		if !errors.Is(err, errAddress) || len(i.reached()) > 0 {
			t.Errorf("%v, connections %v", err, i.reached())
		}
	})
}

func TestThroughAProxyTheNameCounts(t *testing.T) {
	for address, refused := range map[string]string{
		"https://as.example/":               "",
		"https://127.0.0.1/":                "loopback",
		"https://[::1]/":                    "loopback",
		"https://localhost/":                "loopback",
		"https://10.1.2.3/":                 "private",
		"https://router.local/":             "private",
		"https://intranet/":                 "private",
		"https://169.254.169.254/":          "forbidden",
		"https://127.1/":                    "forbidden",
		"https://0x7f000001/":               "forbidden",
		"https://2130706433/":               "forbidden",
		"https://１２７.0.0.1/":                "forbidden",
		"https://metadata.google.internal/": "forbidden",
		"http://as.example/":                "no_tls",
	} {
		i := newInternet(t, documents{})
		network := i.network()
		network.Proxy = func(*url.URL) (*url.URL, error) { return url.Parse("http://10.9.9.9:3128") }
		client, err := network.client(public, "")
		if err != nil {
			t.Fatal(err)
		}
		_, err = get(t, client, address)
		if got := domain.AsError(err).Args["class"]; got != refused {
			t.Errorf("%s: %v", address, err)
		}
		if want := map[bool]int{true: 1}[refused == ""]; len(i.reached()) != want {
			t.Errorf("%s: connections %v", address, i.reached())
		}
		client.CloseIdleConnections()
	}
	network := newInternet(t, documents{}).network()
	network.Proxy = func(*url.URL) (*url.URL, error) { return url.Parse("http://10.9.9.9:3128") }
	client, err := network.client(private, "")
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	if _, err := get(t, client, "http://as.example/"); domain.AsError(err).Args["class"] != "no_tls" {
		t.Errorf("out in the world without TLS: %v", err)
	}
	for host, want := range map[string]class{"169.254.169.254": public, "bücher.example": public, "2130706433": public, "router": private, "127.0.0.1": loopback} {
		if c, err := network.classOfServer(t.Context(), &url.URL{Scheme: "http", Host: host}); err != nil || c != want {
			t.Errorf("a server at %s: %s %v", host, c, err)
		}
	}
}

func TestWhatIsSentInABodyIsNotRedirected(t *testing.T) {
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		var elsewhere bool
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			elsewhere = elsewhere || r.URL.Path != "/token"
			http.Redirect(w, r, "/elsewhere", status)
		}))
		e := endpointAt(t, server.URL)
		_, err := e.refresh(t.Context(), "a refresh token")
		wantError(t, err, domain.CodeSignInRefused, "reason", "token")
		if _, err := register(t.Context(), e.web, serverMetadata{RegistrationEndpoint: server.URL + "/token"}, "http://127.0.0.1/"); err == nil || elsewhere {
			t.Errorf("%d: it went elsewhere: %v, %v", status, elsewhere, err)
		}
		server.Close()
	}
}

// endpointAt is a token endpoint of a test server.
func endpointAt(t *testing.T, server string) tokenEndpoint {
	t.Helper()
	web, err := Network{}.client(loopback, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(web.CloseIdleConnections)
	w := &clock{}
	return tokenEndpoint{web: web, server: serverMetadata{Issuer: server, TokenEndpoint: server + "/token"}, client: registration{ClientID: "us", ClientSecret: "s3cret"}, now: w.Now}
}

func TestRedirectsOfQuestionsStayWithinTheServer(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was followed elsewhere") }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/within":
			http.Redirect(w, r, "/here", http.StatusFound)
		case "/out":
			http.Redirect(w, r, other.URL, http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			_, _ = w.Write([]byte("here"))
		}
	}))
	defer server.Close()
	e := endpointAt(t, server.URL)
	for path, want := range map[string]int{"/within": http.StatusOK, "/out": http.StatusFound, "/loop": http.StatusFound} {
		a, err := get(t, e.web, server.URL+path)
		if err != nil || a.status != want {
			t.Errorf("%s: %d %v", path, a.status, err)
		}
	}
}

func TestAnswersAreBounded(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"access_token":"x","client_id":"x","padding":"` + strings.Repeat("x", maxDocument) + `"}`))
	}))
	defer server.Close()
	e := endpointAt(t, server.URL)
	_, err := e.refresh(t.Context(), "a refresh token")
	wantError(t, err, domain.CodeSignInRefused, "reason", "too_large")
	_, err = register(t.Context(), e.web, serverMetadata{RegistrationEndpoint: server.URL}, "http://127.0.0.1/")
	wantError(t, err, domain.CodeSignInRefused, "reason", "too_large")
	var m serverMetadata
	_, err = fetchDocument(t.Context(), e.web, server.URL, &m)
	wantError(t, err, domain.CodeSignInRefused, "reason", "too_large")
}
