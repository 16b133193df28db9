package pool

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
	// updated hears of followed resources; nil hears nothing.
	updated func(uri string)
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
		Session: s, link: link, transport: o.definition.Transport, started: time.Now(), spoilt: make(chan error, 1),
	}, nil
}

func (o opening) session(link *transport.Link) *session.Session {
	d := o.definition
	return session.New(link, session.Options{
		ServerID: o.serverID, Version: o.options.Version, PageTime: d.Timeout(), Roots: d.Roots, Log: o.log,
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

// finding is what listing a server came to.
type finding struct {
	offer    session.Offer
	warnings []*domain.Error
	// broken is the first list that could not be had; the others still count.
	broken *domain.Error
}

// survey lists everything the server announces. It fails only when the server can no longer be asked.
func (o opening) survey(ctx context.Context, s *live) (finding, error) {
	f := finding{offer: session.Offer{Tools: []domain.Tool{}, Resources: []domain.Resource{}, Templates: []domain.Resource{}, Prompts: []domain.Prompt{}}}
	for _, step := range []domain.StepName{domain.StepTools, domain.StepResources, domain.StepPrompts} {
		o.hooks.begin(step)
		if !s.Greeting().Announces(string(step)) {
			f.missing(step)
			o.hooks.skip()
			continue
		}
		if err := o.surveyStep(ctx, s, step, &f); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (o opening) surveyStep(ctx context.Context, s *live, step domain.StepName, f *finding) error {
	for _, list := range session.Sections() {
		if list.Step != step {
			continue
		}
		warnings, err := s.List(ctx, list, &f.offer)
		f.warnings = append(f.warnings, warnings...)
		if err == nil {
			continue
		}
		// A server without its tools is of no use to a test; without a link, or before a sign-in, nothing is.
		if s.link.Err() != nil || ctx.Err() != nil || step == domain.StepTools || domain.CodeOf(err).Class() == domain.SignIn {
			return err
		}
		f.breaks(err)
	}
	o.hooks.done(f.count(step))
	return nil
}

func (f *finding) breaks(err error) {
	e := domain.AsError(err)
	f.warnings = append(f.warnings, e)
	if f.broken == nil {
		f.broken = e
	}
}

func (f *finding) missing(step domain.StepName) {
	if step != domain.StepTools {
		return
	}
	f.warnings = append(f.warnings, &domain.Error{
		Code: domain.CodeNotAnnounced, Message: "The server announces no tools.",
		Hint: "It can still be used for its resources and prompts.", Args: map[string]string{"section": "tools"},
	})
}

func (f *finding) count(step domain.StepName) string {
	switch step {
	case domain.StepTools:
		return strconv.Itoa(len(f.offer.Tools))
	case domain.StepResources:
		if len(f.offer.Templates) > 0 {
			return fmt.Sprintf("%d + %d", len(f.offer.Resources), len(f.offer.Templates))
		}
		return strconv.Itoa(len(f.offer.Resources))
	default:
		return strconv.Itoa(len(f.offer.Prompts))
	}
}
