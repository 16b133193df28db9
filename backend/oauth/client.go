package oauth

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Options are what a Client needs from outside.
type Options struct {
	Store   Store
	Network Network
	// ClientMetadataURL is the address of our client metadata document; empty means that there is none.
	ClientMetadataURL func() string
	// CallbackPort is that of the loopback listener, as the person set it.
	CallbackPort func() string
	// Changed hears that a sign-in began, ended or was given up, or that a token changed. It must not block.
	Changed func(Subject)
	// SignedIn hears that a person signed in, before the sign-in ends: who waits for its end finds what follows from it
	// begun. It must not block.
	SignedIn func(Subject)
	// Tell hears each step of a sign-in; before a token is kept, whose keeping it stops by an error. nil hears nothing.
	Tell   func(Step) error
	Logger *slog.Logger
	Now    func() time.Time
	// After is time.After; tests have their own.
	After func(time.Duration) <-chan time.Time
}

// Client is our side of every sign-in. It is safe for concurrent use.
type Client struct {
	options Options

	mu       sync.Mutex
	accounts map[string]*account // by key
	flows    map[string]*flow    // by state, until that is used
	running  map[*flow]struct{}
	// silent are issuers at which a sign-in got no answer: the way we were known there may be worth nothing.
	silent map[string]bool
	closed bool
	// listeners are by host and port, while sign-ins wait for them.
	listeners map[string]*listener

	life context.Context //nolint:containedctx // refreshes outlive the call that wanted them
	end  context.CancelFunc
	work sync.WaitGroup
}

// New makes a client. Close ends what it runs.
func New(o Options) *Client {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Changed == nil {
		o.Changed = func(Subject) {}
	}
	if o.Tell == nil {
		o.Tell = func(Step) error { return nil }
	}
	if o.SignedIn == nil {
		o.SignedIn = func(Subject) {}
	}
	if o.ClientMetadataURL == nil {
		o.ClientMetadataURL = func() string { return "" }
	}
	if o.CallbackPort == nil {
		o.CallbackPort = func() string { return DefaultCallbackPort }
	}
	c := &Client{
		options: o, accounts: make(map[string]*account), flows: make(map[string]*flow), running: make(map[*flow]struct{}),
		silent: make(map[string]bool), listeners: make(map[string]*listener),
	}
	c.life, c.end = context.WithCancel(context.Background())
	return c
}

// Close gives up the sign-ins that wait, and returns when no refresh runs any more: what a server gave until then is kept.
// A refresh that runs gets a moment to end, since one that is cut off may have used up its token.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	for _, f := range c.waiting() {
		f.finish(Ended{Err: ended("closing", "Apollia is ending")})
	}
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		c.work.Wait()
	}()
	select {
	case <-idle:
	case <-c.options.After(closeTime):
	}
	c.end()
	<-idle
}

// start runs work that Close waits for; it reports false when there is none to be done any more.
func (c *Client) start(work func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.work.Go(work)
	return true
}

// String keeps what is secret out of logs.
func (c *Client) String() string { return "oauth client" }

// GoString keeps %#v from printing more than String.
func (c *Client) GoString() string { return c.String() }

// account is what is known of a target, made at first use.
func (c *Client) account(t Target) *account {
	key := t.key()
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.accounts[key]
	if a == nil {
		a = &account{client: c, subject: t.Subject, key: key, seen: loopback}
		c.accounts[key] = a
	}
	return a
}

// Token is the token of a target, renewed when that is due, and when it is to be renewed next; zero is never.
// CodeSignInNeeded when there is none.
func (c *Client) Token(ctx context.Context, t Target) (token string, renewAt time.Time, err error) {
	kept, ok, err := c.account(t).current(ctx, t)
	if err != nil {
		return "", time.Time{}, err
	}
	if !ok {
		return "", time.Time{}, signInNeeded(t)
	}
	return kept.Access, kept.renewAt(), nil
}

func signInNeeded(t Target) error {
	return &domain.Error{
		Code: domain.CodeSignInNeeded, Message: "The server wants a sign-in.", Hint: "Sign in with: apollia mcp auth " + t.Server,
		Args: map[string]string{"server": t.Server}, Cause: domain.ErrUnsent,
	}
}

// Transport signs requests to a server of a target: with its token where there is one, renewed when that is due. An answer
// that wants a sign-in goes back as it is, and what it wants is kept for Begin. Nothing is opened, nobody is asked.
func (c *Client) Transport(t Target, next http.RoundTripper) http.RoundTripper {
	tripper := &tripper{account: c.account(t), target: t, next: next}
	if server, err := url.Parse(t.URL); err == nil {
		proxy, err := c.options.Network.withDefaults().Proxy(server)
		tripper.server, tripper.direct = server, err == nil && proxy == nil
	}
	return tripper
}

// web is an HTTP client for one piece of work for a target. The caller closes its idle connections.
func (c *Client) web(ctx context.Context, t Target) (*http.Client, error) {
	if t.URL == "" || t.auth().Provider != "" {
		return c.options.Network.client(loopback, "") // the person chose these addresses, no stranger did
	}
	server, err := url.Parse(t.URL)
	if err != nil {
		return nil, notConforming("the server", "url", "its address cannot be read")
	}
	limit, err := c.options.Network.classOfServer(ctx, server)
	if err != nil {
		return nil, err
	}
	return c.options.Network.client(min(limit, c.account(t).seenAt()), server.Hostname())
}

// Forget signs out: the tokens are revoked where the server can (RFC 7009), and forgotten in any case; a sign-in that waits is
// given up. The registration stays, for the next sign-in. What the subject has for other definitions of the server is
// forgotten too: whoever brings one of them back is signed out there. It fails only when they cannot be forgotten.
func (c *Client) Forget(ctx context.Context, t Target) error {
	for _, f := range c.waiting() {
		if f.target.Subject == t.Subject {
			f.cancel()
		}
	}
	kept, ok, err := c.account(t).forget()
	if err == nil {
		err = c.forgetAll(t.prefix())
	}
	if err == nil {
		err = c.options.Store.Delete(boundKey(t.Subject))
	}
	if err != nil || !ok {
		return err
	}
	c.options.Changed(t.Subject)
	c.tryRevoke(ctx, t, kept)
	return nil
}

// Summary is what may be shown of a credential.
type Summary struct {
	Issuer  string    `json:"issuer"`
	Scopes  []string  `json:"scopes,omitempty"`
	Expires time.Time `json:"expires_at,omitzero"`
	// Renewable says that a new token comes without a person.
	Renewable bool `json:"renewable"`
}

// SignedIn says what is known of the sign-in of a target, and whether there is one.
func (c *Client) SignedIn(t Target) (Summary, bool, error) {
	a := c.account(t)
	kept, ok, err := a.peek()
	if err != nil || !ok {
		return Summary{}, false, err
	}
	s := Summary{Issuer: kept.Server.Issuer, Scopes: kept.Scopes, Expires: kept.Expires, Renewable: kept.renewable() || !t.NeedsPerson()}
	return s, s.Renewable || !kept.expired(c.options.Now()) && !a.isVain(kept.Access), nil
}

// Obtain gets a token for a program, which nobody signs in, though it was refused before: a person asked for it.
func (c *Client) Obtain(ctx context.Context, t Target) error {
	a := c.account(t)
	kept, _, err := a.peek()
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.trouble, a.vain = trouble{}, ""
	a.mu.Unlock()
	_, err = a.renew(ctx, t, kept.Access, nil)
	return err
}
