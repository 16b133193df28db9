package oauth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Bounds of what is asked of an authorization server.
const (
	maxDocument    = 1 << 20 // bytes
	connectTime    = 10 * time.Second
	exchangeTime   = 30 * time.Second
	maxHeaderBytes = 64 << 10
	maxRedirects   = 3
)

// Resolver looks names up; net.DefaultResolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// DialFunc connects to an address, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// Network is how authorization servers are reached. The zero value reaches them directly.
type Network struct {
	// Proxy names the proxy for an address, nil for none; a nil function means no proxy ever.
	Proxy func(*url.URL) (*url.URL, error)
	// Authorities are those that sign servers; a nil function, or nil of it, means the system's.
	Authorities func() (*x509.CertPool, error)
	// Resolver and Dial are those of the system when nil.
	Resolver Resolver
	Dial     DialFunc
}

// client is an HTTP client that reaches nothing further inside than limit, checked at every connection on the address
// that is connected to. Redirects are followed within an origin only.
func (n Network) client(limit class) (*http.Client, error) {
	var roots *x509.CertPool
	if n.Authorities != nil {
		var err error
		if roots, err = n.Authorities(); err != nil {
			return nil, err
		}
	}
	g := guard{network: n.withDefaults(), limit: limit}
	g.direct, g.proxied = g.transport(roots), g.transport(roots)
	g.direct.DialContext = g.dial
	g.proxied.Proxy = func(r *http.Request) (*url.URL, error) { return g.network.Proxy(r.URL) }
	g.proxied.DialContext = g.network.Dial
	return &http.Client{Transport: &g, CheckRedirect: withinOrigin, Timeout: exchangeTime}, nil
}

func (n Network) withDefaults() Network {
	if n.Proxy == nil {
		n.Proxy = func(*url.URL) (*url.URL, error) { return nil, nil }
	}
	if n.Resolver == nil {
		n.Resolver = net.DefaultResolver
	}
	if n.Dial == nil {
		n.Dial = (&net.Dialer{Timeout: connectTime}).DialContext
	}
	return n
}

// classOfServer is the class of the address of an MCP server: the outermost of all that its name has, since that is who
// may stand behind it.
func (n Network) classOfServer(ctx context.Context, server *url.URL) (class, error) {
	n = n.withDefaults()
	if proxy, err := n.Proxy(server); err != nil || proxy != nil {
		return classOfName(server.Hostname()), err
	}
	addresses, err := n.lookup(ctx, server.Hostname())
	if err != nil {
		return forbidden, err
	}
	outermost := forbidden
	for _, addr := range addresses {
		outermost = min(outermost, classOf(addr))
	}
	return outermost, nil
}

func (n Network) lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, nil
	}
	addresses, err := n.Resolver.LookupNetIP(ctx, "ip", host)
	if err == nil && len(addresses) == 0 {
		err = &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	if err != nil {
		return nil, &domain.Error{
			Code: domain.CodeDNSFailed, Message: "The name " + host + " cannot be resolved.", Hint: "Check the network, and the address of the server.",
			Args: map[string]string{"host": host}, Cause: err,
		}
	}
	return addresses, nil
}

// guard sends requests no further inside than its limit.
type guard struct {
	network         Network
	limit           class
	direct, proxied *http.Transport
}

func (g *guard) transport(roots *x509.CertPool) *http.Transport {
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: connectTime,
		ResponseHeaderTimeout: exchangeTime, MaxResponseHeaderBytes: maxHeaderBytes, ForceAttemptHTTP2: true,
		IdleConnTimeout: exchangeTime, MaxIdleConnsPerHost: 1,
	}
}

// RoundTrip sends a request to a server that may be reached.
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if scheme := r.URL.Scheme; scheme != "https" && scheme != "http" {
		return nil, refusedAddress(r.URL.Redacted(), "scheme")
	}
	named := classOfName(r.URL.Hostname())
	if r.URL.Scheme == "http" && named != loopback && g.limit != loopback && g.limit != private {
		return nil, refusedAddress(r.URL.Redacted(), "no_tls")
	}
	proxy, err := g.network.Proxy(r.URL)
	if err != nil {
		return nil, err
	}
	if proxy == nil {
		return g.direct.RoundTrip(r)
	}
	if named > g.limit {
		return nil, refusedAddress(r.URL.Redacted(), named.String())
	}
	return g.proxied.RoundTrip(r)
}

// dial looks the name up and connects to the first address that answers of those that may be reached: between the check
// and the connection nobody can change what the name means.
func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses, err := g.network.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, addr := range addresses {
		if c := classOf(addr); c > g.limit {
			failed = errors.Join(failed, refusedAddress(address, c.String()))
			continue
		}
		conn, err := g.network.Dial(ctx, network, net.JoinHostPort(addr.String(), port))
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

func refusedAddress(address, why string) error {
	return &domain.Error{
		Code: domain.CodeSignInRefused, Message: "The sign-in would reach " + address + ", which this server may not name.",
		Hint:  "A server may only name sign-in addresses that are no nearer to this computer than itself. Report this to its makers.",
		Args:  map[string]string{"reason": "address", "address": address, "class": why},
		Cause: errAddress,
	}
}

// errAddress marks that an address was refused before anything was sent to it.
var errAddress = errors.New("address refused")

// withinOrigin follows a redirect only at the same server.
func withinOrigin(next *http.Request, via []*http.Request) error {
	if first := via[0].URL; len(via) > maxRedirects || first.Scheme != next.URL.Scheme || first.Host != next.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// answer is a small answer that was read whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// fetch sends a request and reads its answer, of at most maxDocument bytes.
func fetch(client *http.Client, r *http.Request) (answer, error) {
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, unreachable(r.URL, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return answer{}, unreachable(r.URL, err)
	}
	if len(body) > maxDocument {
		return answer{}, notConforming(r.URL.Redacted(), "too_large", "its answer is larger than "+strconv.Itoa(maxDocument)+" bytes")
	}
	return answer{status: resp.StatusCode, header: resp.Header, body: body}, nil
}

// isJSON reports whether an answer says that it is JSON; "+json" types count, and so does none at all.
func (a answer) isJSON() bool {
	media, _, _ := strings.Cut(strings.ToLower(a.header.Get("Content-Type")), ";")
	media = strings.TrimSpace(media)
	return media == "" || media == "application/json" || strings.HasSuffix(media, "+json")
}

// unreachable names why a server of the sign-in could not be asked. The URL is told without what may be secret in it.
func unreachable(u *url.URL, err error) error {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err // the rest of it repeats the URL, with its query
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	place := u.Scheme + "://" + u.Host + u.Path
	return &domain.Error{
		Code: domain.CodeSignInUnreachable, Message: fmt.Sprintf("The sign-in server at %s does not answer.", place),
		Hint:  "Check the network, or try again later. The tokens that are stored stay.",
		Args:  map[string]string{"address": place},
		Proof: err.Error(), Cause: err,
	}
}

// notConforming refuses a server that does not keep to the rules of the sign-in.
func notConforming(who, reason, what string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeSignInRefused, Message: "The sign-in at " + who + " is refused: " + what + ".",
		Hint: "Report this to the makers of the server.", Args: map[string]string{"reason": reason, "address": who},
	}
}
