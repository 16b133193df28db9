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
	"sync"
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
// that is connected to. server is the name of the MCP server: what it means while we work bounds the limit too, since a name
// may mean something else each time it is looked up. Only questions follow redirects, and only within an origin.
func (n Network) client(limit class, server string) (*http.Client, error) {
	var roots *x509.CertPool
	if n.Authorities != nil {
		var err error
		if roots, err = n.Authorities(); err != nil {
			return nil, err
		}
	}
	g := guard{network: n.withDefaults(), limit: min(limit, loopback), server: server}
	g.secure, g.plain, g.proxied = g.transport(roots), g.transport(roots), g.transport(roots)
	g.secure.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return g.dial(ctx, network, address, public)
	}
	g.plain.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		return g.dial(ctx, network, address, private)
	}
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
		c := classOfName(server.Hostname())
		if c == forbidden {
			c = public // the proxy may read another address in the name than we would
		}
		return c, err
	}
	addresses, err := n.lookup(ctx, server.Hostname())
	return outermost(addresses), err
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
	network Network
	server  string
	// secure, plain and proxied are for https, for http and for both through a proxy.
	secure, plain, proxied *http.Transport

	mu    sync.Mutex
	limit class
}

// within is the limit as it is now.
func (g *guard) within() class {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit
}

// lower has the limit be no further inside than the MCP server itself was seen.
func (g *guard) lower(seen class) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limit = min(g.limit, seen)
}

// CloseIdleConnections lets http.Client do that.
func (g *guard) CloseIdleConnections() {
	g.secure.CloseIdleConnections()
	g.plain.CloseIdleConnections()
	g.proxied.CloseIdleConnections()
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
	proxy, err := g.permits(r.URL)
	switch {
	case err != nil:
		return nil, err
	case proxy != nil:
		return g.proxied.RoundTrip(r)
	case r.URL.Scheme == "http":
		return g.plain.RoundTrip(r)
	}
	return g.secure.RoundTrip(r)
}

// permits refuses an address for what it says by itself, and names the proxy on the way to it. Without TLS only what is no
// further out than a private network is reached: through a proxy that is told by the name, else at the connection.
func (g *guard) permits(u *url.URL) (proxy *url.URL, err error) {
	named, limit := classOfName(u.Hostname()), g.within()
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, refusedAddress(u.Redacted(), "scheme")
	case u.Scheme == "http" && limit == public:
		return nil, refusedAddress(u.Redacted(), "no_tls")
	case named == forbidden:
		return nil, refusedAddress(u.Redacted(), named.String())
	}
	if proxy, err = g.network.Proxy(u); err != nil || proxy == nil {
		return nil, err
	}
	switch {
	case named > limit:
		return nil, refusedAddress(u.Redacted(), named.String())
	case u.Scheme == "http" && named == public:
		return nil, refusedAddress(u.Redacted(), "no_tls")
	}
	return proxy, nil
}

// mayReach refuses an address that is not asked yet, or that the person's browser opens, by the same rules: a server out in
// the world must not have the browser ask a router either, nor start a program.
func (g *guard) mayReach(ctx context.Context, u *url.URL) error {
	proxy, err := g.permits(u)
	if err != nil || proxy != nil {
		return err
	}
	addresses, err := g.network.lookup(ctx, u.Hostname())
	if err != nil {
		return nil //nolint:nilerr // the browser may know names that we do not, and who is not known is not reached by us
	}
	least := public
	if u.Scheme == "http" {
		least = private
	}
	for _, addr := range addresses {
		if why := objection(classOf(addr), least, g.within()); why != "" {
			return refusedAddress(u.Redacted(), why)
		}
	}
	return nil
}

// objection is what speaks against an address of class c, where least and limit bound how far inside it is; empty for none.
func objection(c, least, limit class) string {
	switch {
	case c > limit:
		return c.String()
	case c < least:
		return "no_tls"
	}
	return ""
}

// dial looks the name up and connects to the first that answers of the addresses that may be reached: between the check
// and the connection nobody can change what the name means. least is how far inside it must be.
func (g *guard) dial(ctx context.Context, network, address string, least class) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	addresses, err := g.network.lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(host, g.server) {
		g.lower(outermost(addresses))
	}
	limit := g.within()
	var refused error
	var open []string
	for _, addr := range addresses {
		if why := objection(classOf(addr), least, limit); why != "" {
			refused = refusedAddress(address, why)
			continue
		}
		open = append(open, net.JoinHostPort(addr.String(), port))
	}
	if len(open) == 0 {
		return nil, refused
	}
	return g.network.connect(ctx, network, open)
}

func refusedAddress(address, why string) error {
	address = plain(address)
	return &domain.Error{
		Code: domain.CodeSignInRefused, Message: "The sign-in would reach " + address + ", which this server may not name.",
		Hint:  "A server may only name sign-in addresses that are no nearer to this computer than itself. Report this to its makers.",
		Args:  map[string]string{"reason": "address", "address": address, "class": why},
		Cause: errAddress,
	}
}

// errAddress marks that an address was refused before anything was sent to it.
var errAddress = errors.New("address refused")

// withinOrigin follows a redirect only of a question, and only at the same server: what was sent in a body is for the one
// that it was sent to.
func withinOrigin(next *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || first.Method != http.MethodGet || first.URL.Scheme != next.URL.Scheme || first.URL.Host != next.URL.Host {
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
	body, err := readAll(resp)
	if err != nil {
		return answer{}, unreachable(r.URL, err)
	}
	return answer{status: resp.StatusCode, header: resp.Header, body: body}, nil
}

// readAll reads an answer of at most maxDocument bytes.
func readAll(resp *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err == nil && len(body) > maxDocument {
		u := resp.Request.URL
		err = notConforming(u.Scheme+"://"+u.Host+u.Path, "too_large", "its answer is larger than "+strconv.Itoa(maxDocument)+" bytes")
	}
	return body, err
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
	place := plain(u.Scheme + "://" + u.Host + u.Path)
	return &domain.Error{
		Code: domain.CodeSignInUnreachable, Message: fmt.Sprintf("The sign-in server at %s does not answer.", place),
		Hint:  "Check the network, or try again later. The tokens that are stored stay.",
		Args:  map[string]string{"address": place},
		Proof: plain(err.Error()), Cause: err,
	}
}

// notConforming refuses a server that does not keep to the rules of the sign-in.
func notConforming(who, reason, what string) *domain.Error {
	who, what = plain(who), plain(what) // they repeat what strangers say
	return &domain.Error{
		Code: domain.CodeSignInRefused, Message: "The sign-in at " + who + " is refused: " + what + ".",
		Hint: "Report this to the makers of the server.", Args: map[string]string{"reason": reason, "address": who},
	}
}
