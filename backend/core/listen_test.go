package core_test

import (
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

func listen(t *testing.T, o core.Options) *core.Core {
	t.Helper()
	c := open(t, o)
	if err := c.Listen(t.Context(), c.Address("")); err != nil {
		t.Fatal(err)
	}
	return c
}

// get asks over the network; change edits the request first.
func get(t *testing.T, client *http.Client, address string, change func(*http.Request)) (status int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

// stranger is a client that brings nothing along.
func stranger() *http.Client { return &http.Client{Timeout: time.Minute} }

func TestDoorLetsOnlyKnownCallersIn(t *testing.T) {
	o := options(t, core.Serve)
	c := listen(t, o)
	instance, err := owner.Find(o.Home)
	if err != nil {
		t.Fatal(err)
	}
	status := c.URL() + "/api/status"
	bearer := func(token string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	}
	cases := map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"the token":        {bearer(instance.Token), http.StatusOK},
		"no token":         {nil, http.StatusUnauthorized},
		"another token":    {bearer("x" + instance.Token), http.StatusUnauthorized},
		"an empty token":   {bearer(""), http.StatusUnauthorized},
		"a made-up cookie": {func(r *http.Request) { r.AddCookie(&http.Cookie{Name: "apollia_session_0", Value: "x"}) }, http.StatusUnauthorized},
		"a rebound name": {func(r *http.Request) {
			bearer(instance.Token)(r)
			r.Host = "evil.example"
		}, http.StatusMisdirectedRequest},
		"a foreign page": {func(r *http.Request) {
			bearer(instance.Token)(r)
			r.Header.Set("Origin", "https://evil.example")
		}, http.StatusForbidden},
		"a page of another port": {func(r *http.Request) {
			bearer(instance.Token)(r)
			r.Header.Set("Origin", "http://127.0.0.1:1")
		}, http.StatusForbidden},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			if got, text := get(t, stranger(), status, test.change); got != test.want {
				t.Errorf("status %d, want %d: %s", got, test.want, text)
			}
		})
	}
}

func TestSignInLinkWorksOnce(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	link, err := c.SignInLink()
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	if status, text := get(t, browser, link, nil); status != http.StatusOK || !strings.Contains(text, `url=/`) {
		t.Fatalf("%d %s", status, text)
	}
	base, _ := url.Parse(c.URL())
	if cookies := jar.Cookies(base); len(cookies) != 1 {
		t.Fatalf("cookies %v", cookies)
	}
	if status, text := get(t, browser, c.URL()+"/api/status", nil); status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	if status, _ := get(t, stranger(), link, nil); status != http.StatusUnauthorized {
		t.Fatalf("the link worked twice: %d", status)
	}
	// A page of another local program brings the cookie along, since to a browser it is the same site.
	for site, want := range map[string]int{
		"same-origin": http.StatusOK, "none": http.StatusOK, "same-site": http.StatusUnauthorized, "cross-site": http.StatusUnauthorized,
	} {
		status, _ := get(t, browser, c.URL()+"/api/status", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", site) })
		if status != want {
			t.Errorf("a request that is %s: status %d, want %d", site, status, want)
		}
	}
}

func TestLookingAtASignInLinkDoesNotUseItUp(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	link, err := c.SignInLink()
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := get(t, stranger(), link, func(r *http.Request) { r.Method = http.MethodHead }); status != http.StatusMethodNotAllowed {
		t.Errorf("status %d for HEAD", status)
	}
	if status, text := get(t, stranger(), link, nil); status != http.StatusOK {
		t.Errorf("%d %s", status, text)
	}
}

func TestProofNeedsALongNonce(t *testing.T) {
	o := options(t, core.Serve)
	c := listen(t, o)
	instance, err := owner.Find(o.Home)
	if err != nil {
		t.Fatal(err)
	}
	if err := instance.Verify(t.Context(), stranger(), o.Version); err != nil {
		t.Fatal(err)
	}
	if err := instance.Verify(t.Context(), stranger(), "2.0"); domain.CodeOf(err) != domain.CodeOtherVersion {
		t.Fatalf("got %v, want %s", err, domain.CodeOtherVersion)
	}
	if status, _ := get(t, stranger(), c.URL()+owner.ProofPath+"?nonce=1", nil); status != http.StatusUnprocessableEntity {
		t.Fatalf("status %d for a short nonce", status)
	}
}

func TestBusyPortIsAnErrorNotAnotherPort(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	c := open(t, options(t, core.Window))
	if err := c.Listen(t.Context(), taken.Addr().String()); domain.CodeOf(err) != domain.CodePortBusy {
		t.Fatalf("got %v, want %s", err, domain.CodePortBusy)
	}
	if c.URL() != "" || len(c.Problems()) != 1 || c.Problems()[0].Code != domain.CodePortBusy {
		t.Fatalf("url %q, problems %v", c.URL(), c.Problems())
	}
	if err := c.Listen(t.Context(), "0.0.0.0:0"); domain.CodeOf(err) != domain.CodeAddressConfig {
		t.Fatalf("got %v, want %s", err, domain.CodeAddressConfig)
	}
}

func TestInterfaceAnswersEveryScreenWithItsPage(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	for _, path := range []string{"/", "/servers/one", "/inbox?x=1"} {
		if status, text := get(t, stranger(), c.URL()+path, nil); status != http.StatusOK || !strings.Contains(text, "Apollia") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, text := get(t, stranger(), c.URL()+"/../../etc/passwd", nil); status != http.StatusBadRequest {
		t.Errorf("a way out of the interface: %d %s", status, text)
	}
	if status, _ := get(t, stranger(), c.URL()+"/assets/gone.js", nil); status != http.StatusNotFound {
		t.Errorf("an asset that is not there: %d", status)
	}
	if _, text := get(t, stranger(), c.URL()+"/assets/a.js", nil); text != "1" {
		t.Errorf("asset: %q", text)
	}
}

func TestGatewayAddressSaysThatItIsNotThereYet(t *testing.T) {
	c := listen(t, options(t, core.Serve))
	if status, text := get(t, stranger(), c.URL()+"/mcp", nil); status != http.StatusNotImplemented || !strings.Contains(text, "hint") {
		t.Errorf("%d %s", status, text)
	}
}

func TestStopAsksTheOwnerToEnd(t *testing.T) {
	c := open(t, options(t, core.Serve))
	ask(t, window(c), http.MethodPost, "/api/stop", nil)
	<-c.Stopped()
}
