package transport

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// reach dials and sends initialize: a cause may show in either.
func reach(ctx context.Context, t *testing.T, d domain.Definition, o Options) error {
	t.Helper()
	l, err := Dial(ctx, "fake", d, o, nil)
	if err != nil {
		return err
	}
	t.Cleanup(func() { _ = l.Close() })
	_, err = l.Request(ctx, "initialize", json.RawMessage(`{}`))
	return err
}

// closedPort is an address where nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close()
	return listener.Addr().String()
}

// secure starts a handler behind TLS with a certificate that nobody signed.
func secure(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func answerWith(status int, contentType, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	})
}

func challengeWith(status int, challenge string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(status)
	})
}

func TestCausesOverHTTP(t *testing.T) {
	behave := func(b mcptest.Behaviour) http.Handler {
		return mcptest.NewHTTP(mcptest.Options{Behave: []mcptest.Behaviour{b}})
	}
	noSuchHost := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no name server here")
	}}
	tests := []struct {
		name    string
		url     string
		handler http.Handler
		change  func(*Options)
		code    domain.Code
		args    map[string]string
		proof   string
	}{
		{name: "closed port", url: "http://" + closedPort(t), code: domain.CodeConnRefused, proof: "refused"},
		{
			name: "no such host", url: "http://mcp.invalid:1234/mcp", change: func(o *Options) { o.Resolver = noSuchHost },
			code: domain.CodeDNSFailed, args: map[string]string{"host": "mcp.invalid"}, proof: "mcp.invalid",
		},
		{
			name: "unknown authority", url: secure(t, behave("")).URL, code: domain.CodeTLSFailed,
			args: map[string]string{"reason": "unknown_authority"}, proof: "Acme Co",
		},
		{
			name: "TLS where there is none", handler: behave(""), code: domain.CodeTLSFailed,
			url: "https", args: map[string]string{"reason": "not_tls"},
		},
		{name: "no TLS where there is some", url: strings.Replace(secure(t, behave("")).URL, "https", "http", 1), code: domain.CodeHTTPStatus, args: map[string]string{"status": "400"}, proof: "HTTPS"},
		{name: "web page", handler: behave(mcptest.HTML), code: domain.CodeHTML, proof: "<title>Welcome"},
		{name: "500", handler: behave(mcptest.Broken), code: domain.CodeHTTPStatus, args: map[string]string{"status": "500"}, proof: "database is down"},
		{name: "401", handler: behave(mcptest.Unauthorized), code: domain.CodeSignInNeeded, args: map[string]string{"status": "401", "header": "WWW-Authenticate"}, proof: "resource_metadata"},
		{name: "403 without a challenge", handler: behave(mcptest.Forbidden), code: domain.CodeHTTPStatus, args: map[string]string{"status": "403"}, proof: "not allowed"},
		{
			name: "403 for want of rights", handler: challengeWith(403, `Bearer error="insufficient_scope", scope="admin audit"`),
			code: domain.CodeMoreRights, args: map[string]string{"status": "403", "header": "WWW-Authenticate", "scopes": "admin, audit"}, proof: "insufficient_scope",
		},
		{
			name: "403 for want of rights that are not named", handler: challengeWith(403, `Bearer error="insufficient_scope"`),
			code: domain.CodeMoreRights, args: map[string]string{"status": "403", "header": "WWW-Authenticate"}, proof: "insufficient_scope",
		},
		{
			name: "403 for another reason", handler: challengeWith(403, `Bearer error="invalid_token"`),
			code: domain.CodeSignInNeeded, args: map[string]string{"status": "403", "header": "WWW-Authenticate"}, proof: "invalid_token",
		},
		{name: "404", handler: http.NotFoundHandler(), code: domain.CodeHTTPStatus, args: map[string]string{"status": "404"}},
		{name: "plain text", handler: answerWith(200, "text/plain", "It works!"), code: domain.CodeNotJSONRPC, args: map[string]string{"content_type": "text/plain"}, proof: "It works!"},
		{name: "JSON of another kind", handler: answerWith(200, "application/json", `{"status":"ok"}`), code: domain.CodeProtocol, proof: `{"status":"ok"}`},
		{name: "broken JSON", handler: answerWith(200, "application/json", `<oops`), code: domain.CodeNotJSONRPC, proof: "<oops"},
		{name: "answer to somebody else", handler: answerWith(200, "application/json", `{"jsonrpc":"2.0","id":77,"result":{}}`), code: domain.CodeProtocol},
		{name: "empty stream", handler: answerWith(200, "text/event-stream", ""), code: domain.CodeConnClosed},
		{name: "babbling stream", handler: answerWith(200, "text/event-stream", "data: hello\n\n"), code: domain.CodeNotJSONRPC, proof: "hello"},
		{name: "accepted without an answer", handler: answerWith(202, "", ""), code: domain.CodeNotJSONRPC},
		{name: "no URL", url: "example.com/mcp", code: domain.CodeInvalidInput, args: map[string]string{"field": "url"}},
		{name: "hangs up", handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), code: domain.CodeConnClosed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := domain.Definition{Transport: domain.StreamableHTTP, URL: test.url}
			if test.handler != nil {
				d = mcptest.Serve(t, domain.StreamableHTTP, test.handler)
			}
			if test.url == "https" {
				d.URL = strings.Replace(d.URL, "http:", "https:", 1)
			}
			o := testOptions()
			if test.change != nil {
				test.change(&o)
			}
			checkCause(t, reach(mcptest.Within(t), t, d, o), test.code, test.args, test.proof)
		})
	}
}

func checkCause(t *testing.T, err error, code domain.Code, args map[string]string, proof string) {
	t.Helper()
	e := wantCode(t, err, code)
	if e.Message == "" || e.Hint == "" || !strings.Contains(e.Proof, proof) {
		t.Errorf("message %q, hint %q, proof %q", e.Message, e.Hint, e.Proof)
	}
	for name, want := range args {
		if e.Args[name] != want {
			t.Errorf("args %v, want %s = %s", e.Args, name, want)
		}
	}
}

func TestCausesOverSSE(t *testing.T) {
	tests := []struct {
		name    string
		handler http.Handler
		code    domain.Code
		proof   string
	}{
		{"web page", mcptest.NewSSE(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.HTML}}), domain.CodeHTML, "Welcome"},
		{"500", mcptest.NewSSE(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Broken}}), domain.CodeHTTPStatus, "database is down"},
		{"401", mcptest.NewSSE(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Unauthorized}}), domain.CodeSignInNeeded, "Bearer"},
		{"posts elsewhere", mcptest.NewSSE(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.ForeignPost}}), domain.CodeProtocol, ""},
		{"no stream", answerWith(200, "application/json", "{}"), domain.CodeNotJSONRPC, "{}"},
		{"ends at once", answerWith(200, "text/event-stream", ": hello\n\n"), domain.CodeConnClosed, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checkCause(t, reach(mcptest.Within(t), t, mcptest.Serve(t, domain.SSE, test.handler), testOptions()), test.code, nil, test.proof)
		})
	}
}

func TestSilentServersRunOutOfTime(t *testing.T) {
	o := mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Silent}}
	mcptest.EachTransport(t, o, func(t *testing.T, d domain.Definition) {
		ctx, cancel := context.WithCancelCause(mcptest.Within(t))
		sent := make(chan struct{}, 100)
		options := testOptions()
		options.Traffic = NewTraffic(func() { sent <- struct{}{} })
		go func() {
			if d.Transport != domain.SSE { // which does not even get as far as sending
				<-sent
			}
			cancel(context.DeadlineExceeded)
		}()
		wantCode(t, reach(ctx, t, d, options), domain.CodeNoAnswer)
	})
}

func TestKnownAuthorityIsTrusted(t *testing.T) {
	server := secure(t, mcptest.NewHTTP(mcptest.Options{}))
	o := testOptions()
	o.RootCAs = x509.NewCertPool()
	o.RootCAs.AddCert(server.Certificate())
	var connected string
	l, err := Dial(mcptest.Within(t), "fake", domain.Definition{Transport: domain.StreamableHTTP, URL: server.URL}, o,
		func(_ domain.StepName, detail string) { connected = detail })
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	if !strings.Contains(connected, "TLS 1.3") {
		t.Errorf("connected to %q", connected)
	}
	initialize(t, l)
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"sealed"}}`); got != "sealed" {
		t.Errorf("echo = %q", got)
	}

	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	address.Host = "localhost:" + address.Port() // the certificate is for 127.0.0.1 and example.com
	err = reach(mcptest.Within(t), t, domain.Definition{Transport: domain.StreamableHTTP, URL: address.String()}, o)
	checkCause(t, err, domain.CodeTLSFailed, map[string]string{"reason": "wrong_host"}, "example.com")
}

func TestErrorsHoldNoSecretOfTheURL(t *testing.T) {
	for _, transport := range []domain.Transport{domain.StreamableHTTP, domain.SSE} {
		d := domain.Definition{Transport: transport, URL: "http://" + closedPort(t) + "/mcp?api_key=hush-hush-42"}
		err := reach(mcptest.Within(t), t, d, testOptions())
		text, encodeErr := json.Marshal(domain.AsError(err))
		if encodeErr != nil || strings.Contains(string(text), "hush-hush") {
			t.Errorf("%s: %s", transport, text)
		}
	}
}

func TestPlainHTTPToATLSPortSaysSo(t *testing.T) {
	server := secure(t, http.NotFoundHandler())
	address := strings.Replace(server.URL, "https://", "http://", 1)
	err := reach(mcptest.Within(t), t, domain.Definition{Transport: domain.StreamableHTTP, URL: address}, testOptions())
	if e := domain.AsError(err); e.Code != domain.CodeHTTPStatus || e.Args["reason"] != "tls_needed" || !strings.Contains(e.Hint, "https://") {
		t.Errorf("%+v, want to hear of https", e)
	}
}
