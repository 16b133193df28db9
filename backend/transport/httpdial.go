package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"

	"apollia.fr/connexions/backend/domain"
)

const (
	connectTimeout   = 15 * time.Second
	tlsTimeout       = 10 * time.Second
	idleTimeout      = 90 * time.Second
	maxHeaderBytes   = 256 << 10
	deadPeerInterval = 30 * time.Second
)

// httpReach knows how to get a connection to one server, over a proxy if the environment says so.
type httpReach struct {
	url      *url.URL
	proxy    *url.URL
	resolver *net.Resolver
	tls      *tls.Config
	// spare holds the connection that the connect step opened, for the first request.
	spare chan net.Conn
}

func newReach(address string, o Options) (*httpReach, error) {
	u, err := url.Parse(address)
	if bad, ok := errors.AsType[*url.Error](err); ok {
		err = bad.Err // the rest of it is the URL, which may hold a secret
	}
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &domain.Error{
			Code: domain.CodeInvalidInput, Message: "The URL of the server is not usable.",
			Hint: "Write a whole URL, such as https://example.com/mcp.", Args: map[string]string{"field": "url"}, Cause: err,
		}
	}
	proxy, err := ProxyOf(u, o.Environ)
	if err != nil {
		return nil, err
	}
	return &httpReach{
		url: u, proxy: proxy, resolver: o.Resolver, spare: make(chan net.Conn, 1),
		tls: &tls.Config{RootCAs: o.RootCAs, NextProtos: []string{"h2", "http/1.1"}},
	}, nil
}

// ProxyOf is the proxy that an environment names for an address, nil for none (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).
func ProxyOf(u *url.URL, environ []string) (*url.URL, error) {
	get := func(name string) string {
		if value := variable(environ, name, ""); value != "" {
			return value
		}
		return variable(environ, strings.ToLower(name), "")
	}
	config := httpproxy.Config{HTTPProxy: get("HTTP_PROXY"), HTTPSProxy: get("HTTPS_PROXY"), NoProxy: get("NO_PROXY")}
	proxy, err := config.ProxyFunc()(u)
	if err != nil {
		return nil, &domain.Error{
			Code: domain.CodeConfigInvalid, Message: "The proxy named in the environment is not a usable URL.",
			Hint: "Check HTTP_PROXY and HTTPS_PROXY.", Cause: err,
		}
	}
	return proxy, nil
}

// open goes through the steps resolve and connect.
func (r *httpReach) open(ctx context.Context, step StepFunc) error {
	host, address := r.target()
	addresses, err := r.lookup(ctx, host)
	if err != nil {
		return networkError(ctx, host, err)
	}
	step(domain.StepResolve, strings.Join(addresses, ", "))
	conn, err := r.dial(ctx, "tcp", address)
	if err == nil && r.first().Scheme == "https" {
		conn, err = r.secure(ctx, conn, host)
	}
	if err != nil {
		return networkError(ctx, address, err)
	}
	step(domain.StepConnect, describe(conn))
	r.spare <- conn
	return nil
}

// first is who is connected to: the proxy if there is one.
func (r *httpReach) first() *url.URL {
	if r.proxy != nil {
		return r.proxy
	}
	return r.url
}

// target is the host to look up and the address to connect to.
func (r *httpReach) target() (host, address string) {
	u := r.first()
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080"}[u.Scheme]
	}
	return u.Hostname(), net.JoinHostPort(u.Hostname(), port)
}

func (r *httpReach) lookup(ctx context.Context, host string) ([]string, error) {
	if _, err := netip.ParseAddr(host); err == nil {
		return []string{host}, nil
	}
	resolver := r.resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	return resolver.LookupHost(ctx, host)
}

func (r *httpReach) dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTimeout, Resolver: r.resolver}
	return dialer.DialContext(ctx, network, address)
}

func (r *httpReach) secure(ctx context.Context, conn net.Conn, host string) (net.Conn, error) {
	config := r.tls.Clone()
	config.ServerName = host
	if r.proxy != nil {
		config.NextProtos = nil // proxies are spoken to in HTTP/1.1
	}
	ctx, cancel := context.WithTimeout(ctx, tlsTimeout)
	defer cancel()
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return secured, nil
}

func describe(conn net.Conn) string {
	remote := conn.RemoteAddr().String()
	if secured, ok := conn.(*tls.Conn); ok {
		state := secured.ConnectionState()
		return remote + ", " + tls.VersionName(state.Version) + ", " + state.PeerCertificates[0].Subject.CommonName
	}
	return remote
}

// takeSpare returns the connection of the connect step once; nil after that.
func (r *httpReach) takeSpare() net.Conn {
	select {
	case conn := <-r.spare:
		return conn
	default:
		return nil
	}
}

func (r *httpReach) close() {
	if conn := r.takeSpare(); conn != nil {
		_ = conn.Close()
	}
}

// transport builds the HTTP transport over our own connections. It has no limit on how long an answer takes, since
// the answer to a tool call may take minutes; every request brings its own deadline.
func (r *httpReach) transport() *http.Transport {
	t := &http.Transport{
		Proxy:                  http.ProxyURL(r.proxy),
		TLSClientConfig:        r.tls.Clone(),
		TLSHandshakeTimeout:    tlsTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: deadPeerInterval},
		// Decompressing for us would hide the true size of what a server sends.
		DisableCompression: true,
	}
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if _, own := r.target(); own == address && r.first().Scheme != "https" {
			if conn := r.takeSpare(); conn != nil {
				return conn, nil
			}
		}
		return r.dial(ctx, network, address)
	}
	t.DialTLSContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if conn := r.takeSpare(); conn != nil {
			return conn, nil
		}
		conn, err := r.dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return r.secure(ctx, conn, host)
	}
	return t
}
