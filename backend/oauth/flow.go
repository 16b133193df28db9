package oauth

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/oauth2"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// flowLife is how long a person has for a sign-in.
const flowLife = 10 * time.Minute

// maxSameScopes bounds how often in a row the same scopes are asked for, when the server is never content.
const maxSameScopes = 2

// Begun is a sign-in that waits for a person.
type Begun struct {
	// ID names it as long as it lasts: the state of its first request.
	ID string `json:"id"`
	// State is that of the request: whoever knows it may end the sign-in.
	State string `json:"state"`
	// AuthorizeURL is the address to open in a browser.
	AuthorizeURL string    `json:"authorize_url"`
	Issuer       string    `json:"issuer"`
	RedirectURI  string    `json:"redirect_uri"`
	Scopes       []string  `json:"scopes,omitempty"`
	Ends         time.Time `json:"ends_at"`

	flow *flow
}

// Wait returns what became of a sign-in, once it has ended or ctx has.
func (b Begun) Wait(ctx context.Context) (Ended, error) {
	select {
	case <-b.flow.done:
	case <-ctx.Done():
		if !b.flow.over() { // whoever did not want to wait still hears of the end
			return Ended{}, ctx.Err()
		}
	}
	return b.flow.ended, nil
}

// String keeps what is secret out of logs.
func (b Begun) String() string { return "sign-in at " + b.Issuer }

// GoString keeps %#v from printing more than String.
func (b Begun) GoString() string { return b.String() }

// Subject is whose sign-in it is.
func (b Begun) Subject() Subject { return b.flow.target.Subject }

// Now is the request that counts now: a server that does not take us as we came first is asked again.
func (b Begun) Now() Begun { return b.flow.last().begun }

// Cancel gives up a sign-in; one that has ended stays as it is.
func (b Begun) Cancel() { b.flow.cancel() }

// Ended is what became of a sign-in.
type Ended struct {
	Subject Subject
	Err     error
}

// BeginOptions say how a sign-in comes back.
type BeginOptions struct {
	// RedirectURI is where the answer goes when it is not to our own listener: somebody else gives it to Finish.
	RedirectURI string
	// Language is that of the page which the person sees at the end, "fr" or "en".
	Language string
	// By is who began it.
	By domain.Caller
}

// flow is one sign-in between its beginning and its end.
type flow struct {
	target  Target
	options BeginOptions
	path    string        // at which the answer arrives
	done    chan struct{} // closed at the end, when ended is set
	once    sync.Once
	ended   Ended
	leave   func() // takes it off the client's lists
	// answered says that the browser came back.
	answered atomic.Bool

	mu       sync.Mutex
	attempts []attempt // the last one counts; each has its own state
}

// attempt is one authorization request of a flow.
type attempt struct {
	begun    Begun
	plan     plan
	verifier string
}

// last is the attempt that counts.
func (f *flow) last() attempt {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.attempts[len(f.attempts)-1]
}

// over reports whether a flow has ended.
func (f *flow) over() bool {
	select {
	case <-f.done:
		return true
	default:
		return false
	}
}

// String keeps what is secret out of logs.
func (f *flow) String() string { return "sign-in of " + f.target.Server }

// GoString keeps %#v from printing more than String.
func (f *flow) GoString() string { return f.String() }

// String keeps what is secret out of logs.
func (a attempt) String() string { return "sign-in at " + a.begun.Issuer }

// GoString keeps %#v from printing more than String.
func (a attempt) GoString() string { return a.String() }

func (f *flow) finish(e Ended) {
	f.once.Do(func() {
		e.Subject = f.target.Subject
		f.ended = e
		f.leave() // before anybody hears of the end, and begins again
		close(f.done)
	})
}

func (f *flow) cancel() { f.finish(Ended{Err: ended("canceled", "the sign-in was cancelled")}) }

// Begin prepares a sign-in that a person asked for: it finds out whom to ask and as whom, and listens for the answer. An
// earlier sign-in of the same subject that still waits is given up. Errors: CodeSignInRefused, CodeSignInUnreachable,
// CodeClientIDNeeded with redirect_uri, CodeCallbackPortBusy, CodeConfigInvalid, CodeInvalidInput for a server that asks for none.
func (c *Client) Begin(ctx context.Context, t Target, o BeginOptions) (Begun, error) {
	redirectURI := c.redirectURI(t, o)
	release := func() {}
	if o.RedirectURI == "" {
		var err error
		if release, err = c.listen(redirectURI, t.auth().RedirectURI != ""); err != nil {
			return Begun{}, err
		}
	}
	p, err := c.prepare(ctx, t, redirectURI)
	if err != nil {
		release()
		c.tell(Step{What: StepRefused, Subject: t.Subject, By: o.By, Err: err})
		return Begun{}, err
	}
	f := &flow{target: t, options: o, done: make(chan struct{})}
	f.leave = func() {
		c.leave(f)
		c.tellEnd(f)
	}
	if u, err := url.Parse(redirectURI); err == nil {
		f.path = pathOf(u)
	}
	a := c.attempt(f, p, redirectURI)
	c.tell(Step{What: StepBegun, Subject: t.Subject, By: o.By, Issuer: a.begun.Issuer})
	for _, earlier := range c.enter(f, a) {
		earlier.finish(Ended{Err: ended("replaced", "another sign-in of this server was begun")})
	}
	if !c.start(func() { c.watch(f, release) }) {
		f.finish(Ended{Err: ended("closing", "Apollia is ending")})
		c.watch(f, release)
	}
	c.options.Changed(t.Subject)
	return a.begun, nil
}

// enter has a flow wait for its answer, and gives those of the same subject that did.
func (c *Client) enter(f *flow, a attempt) (earlier []*flow) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.running {
		if other.target.Subject == f.target.Subject {
			earlier = append(earlier, other)
		}
	}
	c.flows[a.begun.State] = f
	c.running[f] = struct{}{}
	return earlier
}

// prepareTime bounds all that is asked before a person is.
const prepareTime = time.Minute

// prepare makes the plan of a sign-in.
func (c *Client) prepare(ctx context.Context, t Target, redirectURI string) (plan, error) {
	ctx, cancel := context.WithTimeout(ctx, prepareTime)
	defer cancel()
	web, err := c.web(ctx, t)
	if err != nil {
		return plan{}, err
	}
	defer web.CloseIdleConnections()
	a := c.account(t)
	open := a.firstAsk(ctx, web, t)
	challenge, kept := a.wishes()
	where, err := discover(ctx, web, t, challenge)
	if err == nil && open && where.guessed {
		err = wantsNone(t)
	}
	if err != nil {
		return plan{}, err
	}
	if err := checkEndpoints(ctx, web, where.server); err != nil {
		return plan{}, err
	}
	client, err := c.identify(ctx, web, t, where, redirectURI)
	if err != nil {
		return plan{}, err
	}
	auth := t.auth()
	var known []string // what the server gave already, or calls lacked
	if kept.Server.Issuer == where.server.Issuer {
		known = union(kept.Scopes, kept.Missing)
	}
	scopes := scopesToAsk(auth.Scopes, httpauth.ScopesOf(challenge.Params["scope"]), where.scopes, known, where.server.Scopes)
	scopes = union(scopes, where.provider.always)
	_, more := challenge.Missing()
	if more && a.askedTooOften(scopes) {
		e := notConforming(where.server.Issuer, "scope_loop", "the server keeps asking for scopes that it was given ("+strings.Join(scopes, " ")+")")
		e.Hint = "Ask the makers of the server, or whoever runs it, for the right. Signing out and in again starts anew."
		return plan{}, e
	}
	return plan{
		server: where.server, client: client, resource: where.resource, scopes: scopes, provider: where.provider,
		pkce: auth.Provider == "" || auth.PKCE == nil || *auth.PKCE, more: more, dpop: auth.DPoP || where.dpop,
	}, nil
}

// checkEndpoints refuses addresses that must not be opened in the person's browser, or asked once the person was there.
func checkEndpoints(ctx context.Context, web *http.Client, m serverMetadata) error {
	for name, address := range map[string]string{"authorization_endpoint": m.AuthorizationEndpoint, "token_endpoint": m.TokenEndpoint} {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Fragment != "" || u.User != nil {
			return notConforming(m.Issuer, name, "its "+name+" is no address that one could ask")
		}
		if g, ok := web.Transport.(*guard); ok {
			err = g.mayReach(ctx, u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wishes are what the server wants, and the credential that there is.
func (a *account) wishes() (challenge httpauth.Challenge, kept credential) {
	kept, _, _ = a.peek() // one that cannot be read is replaced
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.wanted, kept
}

func (a *account) askedTooOften(scopes []string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.asked >= maxSameScopes && covers(a.askedFor, scopes)
}

// attempt adds an authorization request to a flow; from now on it is the one that counts.
func (c *Client) attempt(f *flow, p plan, redirectURI string) attempt {
	a := attempt{plan: p, begun: Begun{
		flow: f, State: newState(), Issuer: p.server.Issuer, RedirectURI: redirectURI, Scopes: p.scopes, Ends: c.options.Now().Add(flowLife),
	}}
	if p.pkce {
		a.verifier = newVerifier()
	}
	a.begun.AuthorizeURL = a.authorizeURL()
	f.mu.Lock()
	defer f.mu.Unlock()
	a.begun.ID = a.begun.State
	if len(f.attempts) > 0 {
		a.begun.ID = f.attempts[0].begun.ID
	}
	f.attempts = append(f.attempts, a)
	return a
}

// authorizeURL is the authorization request (RFC 6749 section 4.1.1, RFC 7636, RFC 8707).
func (a attempt) authorizeURL() string {
	config := oauth2.Config{
		ClientID: a.plan.client.ClientID, RedirectURL: a.begun.RedirectURI,
		Endpoint: oauth2.Endpoint{AuthURL: a.plan.server.AuthorizationEndpoint},
	}
	var options []oauth2.AuthCodeOption
	add := func(name, value string) { options = append(options, oauth2.SetAuthURLParam(name, value)) }
	if a.verifier != "" {
		options = append(options, oauth2.S256ChallengeOption(a.verifier))
	}
	if a.plan.resource != "" {
		add("resource", a.plan.resource)
	}
	if name := a.plan.provider.scopeName; name != "" {
		add(name, strings.Join(a.plan.scopes, ","))
	} else {
		config.Scopes = a.plan.scopes
	}
	for name := range a.plan.provider.query {
		add(name, a.plan.provider.query.Get(name))
	}
	return config.AuthCodeURL(a.begun.State, options...)
}

// Waiting is the sign-in of a subject that waits for a person.
func (c *Client) Waiting(s Subject) (Begun, bool) {
	for _, f := range c.waiting() {
		if f.target.Subject == s && !f.over() {
			return f.last().begun, true
		}
	}
	return Begun{}, false
}

func (c *Client) waiting() []*flow {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.running))
}

// watch ends a sign-in that nobody ends, and clears up after any.
func (c *Client) watch(f *flow, release func()) {
	defer release()
	select {
	case <-f.done:
	case <-c.options.After(flowLife):
		f.finish(Ended{Err: ended("timeout", "nobody signed in within "+flowLife.String())})
	case <-c.life.Done():
		f.finish(Ended{Err: ended("closing", "Apollia is ending")})
	}
	c.options.Changed(f.target.Subject)
}

// leave takes a flow off the lists, and remembers whether its issuer let the browser come back.
func (c *Client) leave(f *flow) {
	last := f.last()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flows, last.begun.State)
	delete(c.running, f)
	c.silent[last.begun.Issuer] = !f.answered.Load()
}

func ended(reason, what string) error {
	return &domain.Error{
		Code: domain.CodeSignInEnded, Message: "The sign-in ended: " + what + ".", Hint: "Sign in again.",
		Args: map[string]string{"reason": reason},
	}
}

func unknownState() error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "This sign-in is not known, or has ended.", Hint: "Begin it again in Apollia Connexions.",
		Args: map[string]string{"kind": "sign_in"},
	}
}
