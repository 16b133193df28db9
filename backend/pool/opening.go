package pool

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// opening is one start of a server, for its session or for a test. The steps it goes through are told to hooks.
type opening struct {
	options    Options
	serverID   string
	definition domain.Definition
	log        *transport.Log
	traffic    *transport.Traffic
	hooks      hooks
	// handshake says that the server is known to need one; sse that it is known to speak that instead of Streamable HTTP.
	handshake bool
	sse       bool
	// test says that a server without its tools is of no use.
	test bool
	// updated hears of followed resources; nil hears nothing.
	updated func(uri string)
	// roots says of which folders the server is told, each time that it asks; nil is none.
	roots func(context.Context) []string
}

// hooks hear of the steps. done and skip end the step that begin named.
type hooks struct {
	begin func(domain.StepName)
	done  func(detail string)
	skip  func()
}

// again are the hooks of another start of the same server: it begins at the handshake, which is told already.
func (h hooks) again() hooks {
	reached := false
	return hooks{
		begin: func(step domain.StepName) {
			if reached {
				h.begin(step)
			}
			reached = reached || step == domain.StepHandshake
		},
		done: func(detail string) {
			if reached {
				h.done(detail)
			}
		},
		skip: h.skip,
	}
}

func noHooks() hooks {
	return hooks{begin: func(domain.StepName) {}, done: func(string) {}, skip: func() {}}
}

// connectInTime connects within the time that one start has.
func (o opening) connectInTime(ctx context.Context, installing bool) (*live, error) {
	bounded, cancel := startContext(ctx, o.definition, installing, o.log, o.options.Patience)
	defer cancel()
	began := time.Now()
	live, err := o.connect(bounded)
	if err != nil {
		return nil, timedOut(domain.AsError(err), allowed(bounded, o.definition, installing, began))
	}
	return live, nil
}

// connect reaches the server and greets it. Whatever it started is ended again when it fails.
func (o opening) connect(ctx context.Context) (*live, error) {
	if o.definition.Transport == domain.StreamableHTTP {
		return o.connectHTTP(ctx)
	}
	link, err := o.dial(ctx)
	if err != nil {
		return nil, err
	}
	return o.greet(ctx, link)
}

// dial reaches the server.
func (o opening) dial(ctx context.Context) (*transport.Link, error) {
	steps := domain.Steps(o.definition.Transport)
	o.hooks.begin(steps[0])
	with, err := o.options.transport(o.serverID, o.definition, o.log, o.traffic)
	if err != nil {
		return nil, err
	}
	return o.options.Dial(ctx, o.serverID, o.definition, with,
		func(step domain.StepName, detail string) {
			o.hooks.done(detail)
			if step == steps[0] {
				o.hooks.begin(steps[1])
			}
		})
}

// greet begins the session over a link.
func (o opening) greet(ctx context.Context, link *transport.Link) (*live, error) {
	s := o.session(link)
	if err := o.shakeHands(ctx, s); err != nil {
		_ = link.Close() // the failed handshake says more than what closing may add
		return nil, err
	}
	return &live{
		Session: s, link: link, transport: o.definition.Transport, started: time.Now(), spoilt: make(chan struct{}), lacking: make(chan *domain.Error, 1),
	}, nil
}

func (o opening) session(link *transport.Link) *session.Session {
	d := o.definition
	return session.New(link, session.Options{
		ServerID: o.serverID, Version: o.options.Version, PageTime: d.Timeout(), Roots: o.roots, Log: o.log,
		Handshake: o.handshake || d.Transport == domain.SSE, Mirror: d.Transport == domain.StreamableHTTP,
		Answerer: o.options.Answerer, Updated: o.updated,
	})
}

func (o opening) shakeHands(ctx context.Context, s *session.Session) error {
	o.hooks.begin(domain.StepHandshake)
	if err := s.Greet(ctx); err != nil {
		return err
	}
	o.hooks.done(implementationText(s.Greeting().Info))

	o.hooks.begin(domain.StepVersion)
	if err := s.Agree(ctx); err != nil {
		return err
	}
	o.hooks.done(s.Greeting().Version)

	o.hooks.begin(domain.StepCapabilities)
	o.hooks.done(capabilityNames(s.Greeting()))
	return nil
}

func implementationText(i *domain.Implementation) string {
	if i == nil {
		return ""
	}
	return i.Name + " " + i.Version
}

func capabilityNames(g session.Greeting) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(g.Capabilities, &m) // what is no object announces nothing
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}
