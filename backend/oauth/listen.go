package oauth

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

const (
	headerTime = 10 * time.Second
	// finishTime bounds the exchange of a code while the browser waits.
	finishTime = 45 * time.Second
	closeTime  = 5 * time.Second
)

// listener takes the answers that browsers bring to a loopback port (RFC 8252 section 7.3). It lives while sign-ins wait
// for it.
type listener struct {
	server *http.Server
	socket net.Listener
	ended  chan struct{}  // closed when the server has ended
	paths  map[string]int // how many sign-ins wait at each
	users  int
}

// redirectURI is where the answer of a sign-in is to go.
func (c *Client) redirectURI(t Target, o BeginOptions) string {
	switch {
	case o.RedirectURI != "":
		return o.RedirectURI
	case t.auth().RedirectURI != "":
		return t.auth().RedirectURI
	}
	return "http://127.0.0.1:" + c.options.CallbackPort() + callbackPath
}

// listen waits at a redirect URI until the returned function is called. One that is not on this computer is somebody
// else's: then nothing listens, and the person brings the answer. CodeCallbackPortBusy when the port is taken. own says that
// the person set the URI for this server.
func (c *Client) listen(redirectURI string, own bool) (release func(), err error) {
	u, err := url.Parse(redirectURI)
	if err != nil || u.Host == "" {
		return nil, &domain.Error{
			Code: domain.CodeConfigInvalid, Message: "The redirect URI \"" + redirectURI + "\" is no address.", Hint: "Correct auth.redirect_uri.",
			Args: map[string]string{"reason": "redirect_uri", "field": "auth.redirect_uri"}, Cause: err,
		}
	}
	host := strings.ToLower(u.Hostname())
	if u.Scheme != "http" || !isLoopback(host) {
		return func() {}, nil
	}
	port, path := domain.PortOf(u), pathOf(u)
	hosts := []string{host}
	if host == "localhost" { // a browser takes either address, where the computer has both
		hosts = []string{"127.0.0.1", "::1"}
	}
	var held []string
	release = func() {
		for _, address := range held {
			c.release(address, path)
		}
	}
	for i, host := range hosts {
		address := net.JoinHostPort(host, port)
		switch err := c.hold(address, path); {
		case err == nil:
			held = append(held, address)
		case i > 0 && !isInUse(err): // the computer has no IPv6
		default:
			release()
			return nil, portBusy(port, own, err)
		}
	}
	return release, nil
}

// pathOf is the path of an address as a browser asks for it.
func pathOf(u *url.URL) string {
	if path := u.EscapedPath(); path != "" {
		return path
	}
	return "/"
}

// hold has a listener at an address wait at one more path.
func (c *Client) hold(address, path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.listeners[address]
	if l == nil {
		var err error
		if l, err = c.open(address); err != nil {
			return err
		}
		c.listeners[address] = l
	}
	l.users++
	l.paths[path]++
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

// release lets go of a listener; the last to do so ends it.
func (c *Client) release(address, path string) {
	c.mu.Lock()
	l := c.listeners[address]
	l.users--
	l.paths[path]--
	if l.paths[path] == 0 {
		delete(l.paths, path)
	}
	last := l.users == 0
	if last {
		delete(c.listeners, address)
		_ = l.socket.Close() // the port is free from now on
	}
	c.mu.Unlock()
	if !last {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	_ = l.server.Shutdown(ctx) // the page of the last sign-in goes out first
	_ = l.server.Close()
	<-l.ended
}

// open binds an address. The caller holds the lock.
func (c *Client) open(address string) (*listener, error) {
	socket, err := new(net.ListenConfig).Listen(context.Background(), "tcp", address)
	if err != nil {
		return nil, err
	}
	l := &listener{paths: make(map[string]int), socket: socket, ended: make(chan struct{})}
	l.server = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.answered(address, w, r) }), ReadHeaderTimeout: headerTime,
		WriteTimeout: finishTime + headerTime, MaxHeaderBytes: maxHeaderBytes, ErrorLog: slog.NewLogLogger(c.options.Logger.Handler(), slog.LevelDebug),
	}
	l.server.SetKeepAlivesEnabled(false)
	go func() {
		defer close(l.ended)
		_ = l.server.Serve(socket) // it ends with the last sign-in
	}()
	return l, nil
}

// portBusy names the port that cannot be listened at, and what to change: own is the redirect URI of one server.
func portBusy(port string, own bool, cause error) error {
	e := &domain.Error{
		Code: domain.CodeCallbackPortBusy, Message: "Another program uses port " + port + ", at which the answer of the sign-in would arrive.",
		Hint:  "End that program, or choose another port with: apollia settings set oauth.callback_port " + otherPort(port),
		Args:  map[string]string{"port": port, "setting": "oauth.callback_port"},
		Cause: cause, Proof: plain(cause.Error()),
	}
	if own {
		e.Hint = "End that program, or register another redirect URI with the provider and set it as auth.redirect_uri of this server."
		e.Args["setting"] = "auth.redirect_uri"
	}
	if !isInUse(cause) {
		e.Message = "Port " + port + ", at which the answer of the sign-in would arrive, cannot be listened at."
	}
	return e
}

// otherPort is another one of those that our metadata document lists.
func otherPort(port string) string {
	n, err := strconv.Atoi(port)
	if err != nil || n < firstCallbackPort || n >= lastCallbackPort {
		return strconv.Itoa(firstCallbackPort)
	}
	return strconv.Itoa(n + 1)
}

// answered takes what a browser brings to an address. Browsers open connections before they need them: one that an earlier
// listener took may bring the answer of a sign-in that began since.
func (c *Client) answered(address string, w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	l := c.listeners[address]
	known := l != nil && l.paths[pathOf(r.URL)] > 0
	c.mu.Unlock()
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	switch {
	case !known || !isLoopback(strings.Trim(host, "[]")):
		http.NotFound(w, r)
		return
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
		return
	}
	done, err := c.Finish(r.Context(), r.URL)
	if err != nil {
		done = Finished{Err: err}
	}
	Answer(w, r, done)
}

// Answer tells the person's browser what became of a sign-in: another address to go on to, or a page.
func Answer(w http.ResponseWriter, r *http.Request, done Finished) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	if done.Next != "" {
		http.Redirect(w, r, done.Next, http.StatusFound)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	if done.Err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	if err := writePage(w, r, done); err != nil && !errors.Is(err, net.ErrClosed) {
		return // the browser is gone; what it came for is done
	}
}
