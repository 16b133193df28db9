package pool

import (
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

// The file of authorities is read at each start, so that a person who corrects it only tries again.
func TestAuthoritiesAreReadAtEachStart(t *testing.T) {
	fake := httptest.NewUnstartedServer(mcptest.NewHTTP(mcptest.Options{}))
	fake.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	fake.StartTLS()
	t.Cleanup(fake.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	p := newPool(t, func(o *Options) {
		o.Authorities = func() (*x509.CertPool, error) { return transport.Authorities(file) }
	})
	d := domain.Definition{Transport: domain.StreamableHTTP, URL: fake.URL}
	if e := wantCode(t, ensure(t, p, server("one", d)), domain.CodeTLSFailed); e.Args["reason"] != "ca_file" {
		t.Errorf("error %+v", e)
	}
	start(t, p, server("local", mcptest.Command(mcptest.Options{}))) // which needs no authorities
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: fake.Certificate().Raw})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Reconnect(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	if err := p.Disconnect(mcptest.Within(t), "one"); err != nil { // before the server closes, which waits for the stream
		t.Fatal(err)
	}
}
