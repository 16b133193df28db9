package pool

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// DialFunc reaches a server; see transport.Dial.
type DialFunc func(ctx context.Context, serverID string, d domain.Definition, o transport.Options, step transport.StepFunc) (*transport.Link, error)

// Offers keeps what each server last offered, so that its tools can be shown before it has started.
type Offers interface {
	SaveOffer(serverID string, offer json.RawMessage) error
	Offer(serverID string) (json.RawMessage, bool, error)
}

// Options are the parts a Pool works with.
type Options struct {
	// Expand fills in the variables and secrets of a definition, just before each start. Required.
	Expand func(context.Context, domain.Server) (domain.Definition, error)
	// Dial reaches a server; nil means transport.Dial.
	Dial DialFunc
	// Publish tells that something changed; nil tells nobody. It must not block.
	Publish func(domain.Event)
	// Answerer answers what servers ask; nil refuses.
	Answerer session.Answerer
	// Folder refuses a folder that no server may be told of; nil refuses none. It is asked each time that a server asks.
	Folder func(folder string) error
	// Offers may be nil: then nothing is remembered.
	Offers Offers
	// Listed hears the tools of a server each time that they were listed to the end, with the server's own version, before
	// anybody else; nil tells nobody.
	Listed func(serverID, version string, tools []domain.Tool)
	Ledger *transport.Ledger
	// Authorities are those that sign servers, asked for at each start of a remote one; nil means the system's.
	Authorities func() (*x509.CertPool, error)
	// Authorize wraps the HTTP transport to a server with one that signs in; nil leaves it as it is.
	Authorize func(serverID string, d domain.Definition, next http.RoundTripper) http.RoundTripper
	// Environ is our own environment, as os.Environ gives it.
	Environ []string
	Logger  *slog.Logger
	// LogDir is where each server's log is also written, as ID.log; empty keeps logs in memory only.
	LogDir string
	// Version is ours, told to servers.
	Version string
	// Clock tells when the machine slept; nil means the system's.
	Clock Clock
	// Patience is how long things may take; its zero value means DefaultPatience.
	Patience Patience
}

// Patience is how long the pool waits. Tests make it shorter.
type Patience struct {
	// FirstRestart is the pause before a session that was ready is started again; FirstRetry the one after a failed
	// start. Each further one doubles the pause, up to Longest.
	FirstRestart time.Duration
	FirstRetry   time.Duration
	Longest      time.Duration
	// Sustained is how long a session must last for its earlier failures to be forgotten.
	Sustained time.Duration
	// Quiet is how long a package runner may install without a word on stderr, Install how long in all.
	Quiet   time.Duration
	Install time.Duration
	// Settle is how long a burst of list_changed is gathered; each one that changed nothing doubles it, up to Longest.
	Settle time.Duration
	// Told is how long a stateless server has to say that it tells of changes, before it is listed.
	Told time.Duration
	// Look is how often it is looked whether the machine slept; 0 never. After a sleep each session has Answer to give a
	// sign of life.
	Look   time.Duration
	Answer time.Duration
}

// DefaultPatience is what the product uses.
func DefaultPatience() Patience {
	return Patience{
		FirstRestart: 100 * time.Millisecond,
		FirstRetry:   time.Second,
		Longest:      time.Minute,
		Sustained:    time.Minute,
		Quiet:        90 * time.Second,
		Install:      5 * time.Minute,
		Settle:       200 * time.Millisecond,
		Told:         time.Second,
		Look:         500 * time.Millisecond,
		Answer:       1500 * time.Millisecond,
	}
}

func (o Options) withDefaults() Options {
	if o.Dial == nil {
		o.Dial = transport.Dial
	}
	if o.Folder == nil {
		o.Folder = func(string) error { return nil }
	}
	if o.Publish == nil {
		o.Publish = func(domain.Event) {}
	}
	if o.Listed == nil {
		o.Listed = func(string, string, []domain.Tool) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = systemClock()
	}
	if o.Patience == (Patience{}) {
		o.Patience = DefaultPatience()
	}
	return o
}

func (o Options) transport(serverID string, d domain.Definition, log *transport.Log, traffic *transport.Traffic) (transport.Options, error) {
	t := transport.Options{Logger: o.Logger, Ledger: o.Ledger, Environ: o.Environ, Traffic: traffic, Log: log}
	if d.Transport == domain.Stdio {
		return t, nil
	}
	if o.Authorize != nil {
		t.Authorize = func(next http.RoundTripper) http.RoundTripper { return o.Authorize(serverID, d, next) }
	}
	if o.Authorities == nil {
		return t, nil
	}
	var err error
	t.RootCAs, err = o.Authorities()
	return t, err
}
