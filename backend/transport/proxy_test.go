package transport

import (
	"context"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// corporate is a proxy that reaches one server, whatever it is asked for, and remembers what that was.
type corporate struct {
	to string

	mu    sync.Mutex
	asked []string
}

func (c *corporate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.asked = append(c.asked, r.Method+" "+r.Host)
	c.mu.Unlock()
	if r.Method != http.MethodConnect {
		http.Error(w, "only tunnels", http.StatusBadRequest)
		return
	}
	there, err := net.Dial("tcp", c.to)
	if err != nil {
		http.Error(w, "out of reach", http.StatusBadGateway)
		return
	}
	here, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		_ = there.Close()
		return
	}
	_, _ = io.WriteString(here, "HTTP/1.1 200 Connection established\r\n\r\n")
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{here, there}, {there, here}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1]) // until either side closes
			_ = way[0].Close()
		})
	}
	both.Wait()
}

func (c *corporate) hosts() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Compact(slices.Clone(c.asked))
}

// authorityFile writes the certificate that a test server signed itself, as a private authority would be given out.
func authorityFile(t *testing.T, server *httptest.Server) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(file, append([]byte("# our own\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The server is behind a corporate proxy, plain or with TLS of its own, and its certificate of a private authority.
func TestPrivateAuthorityBehindACorporateProxy(t *testing.T) {
	for _, scheme := range []string{"http", "https"} {
		for _, transport := range []domain.Transport{domain.StreamableHTTP, domain.SSE} {
			var handler http.Handler = mcptest.NewHTTP(mcptest.Options{})
			if transport == domain.SSE {
				handler = mcptest.NewSSE(mcptest.Options{})
			}
			server := secure(t, handler)
			proxy := &corporate{to: server.Listener.Addr().String()}
			door := httptest.NewUnstartedServer(proxy)
			if scheme == "https" {
				door.StartTLS()
			} else {
				door.Start()
			}
			t.Cleanup(door.Close)
			o := testOptions()
			o.Environ = []string{"HTTPS_PROXY=" + door.URL, "NO_PROXY=other.example"}
			d := domain.Definition{Transport: transport, URL: "https://example.com/mcp"}

			err := reach(mcptest.Within(t), t, d, o)
			checkCause(t, err, domain.CodeTLSFailed, map[string]string{"reason": "unknown_authority"}, "")
			o.RootCAs, err = Authorities(authorityFile(t, server))
			if err != nil {
				t.Fatal(err)
			}
			l := dial(t, d, o)
			initialize(t, l)
			if got := callText(t, l, `{"name":"echo","arguments":{"message":"through"}}`); got != "through" {
				t.Errorf("echo = %q", got)
			}
			if got := proxy.hosts(); !slices.Equal(got, []string{"CONNECT example.com:443"}) {
				t.Errorf("%s over a proxy with %s: it was asked for %v", transport, scheme, got)
			}
			if err := l.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNoProxyIsHeeded(t *testing.T) {
	proxy := &corporate{}
	door := httptest.NewServer(proxy)
	t.Cleanup(door.Close)
	for _, exception := range []string{"example.com", ".example.com", "other.example, mcp.example.com", "*"} {
		o := testOptions()
		o.Environ = []string{"https_proxy=" + door.URL, "no_proxy=" + exception}
		o.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, errors.New("no name server here")
		}}
		err := reach(mcptest.Within(t), t, domain.Definition{Transport: domain.StreamableHTTP, URL: "https://mcp.example.com/mcp"}, o)
		wantCode(t, err, domain.CodeDNSFailed) // it was looked up here, which a proxy would have done
	}
	if got := proxy.hosts(); len(got) != 0 {
		t.Errorf("the proxy was asked for %v", got)
	}
}

func TestAuthorities(t *testing.T) {
	if pool, err := Authorities(""); pool != nil || err != nil {
		t.Errorf("without a file: %v, %v", pool, err)
	}
	folder := t.TempDir()
	empty := filepath.Join(folder, "empty.pem")
	if err := os.WriteFile(empty, []byte("-----BEGIN NOTHING-----\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, why := range map[string]string{filepath.Join(folder, "none.pem"): "no such file", folder: "not a file", empty: "no certificate"} {
		_, err := Authorities(file)
		e := wantCode(t, err, domain.CodeTLSFailed)
		if e.Args["reason"] != "ca_file" || e.Args["file"] != file || !strings.Contains(e.Proof, why) {
			t.Errorf("%s: %+v", file, e)
		}
	}
}
