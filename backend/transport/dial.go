package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Options are what dialling needs from the outside. The zero value works: it has an empty environment and keeps
// nothing.
type Options struct {
	Logger *slog.Logger
	// Ledger remembers our children for the next start; nil remembers nothing.
	Ledger *Ledger
	// Environ is our own environment as os.Environ gives it: servers get a safe part of it, and the proxy settings
	// are read from it.
	Environ []string
	Traffic *Traffic
	// Log receives what the server writes besides its frames.
	Log *Log
	// Resolver looks hosts up; nil means the system's.
	Resolver *net.Resolver
	// RootCAs are the authorities that sign servers; nil means the system's.
	RootCAs *x509.CertPool
	// Authorize wraps the HTTP transport with one that signs in; nil leaves it as it is.
	Authorize func(http.RoundTripper) http.RoundTripper
	// After is time.After; tests have their own.
	After func(time.Duration) <-chan time.Time

	mask Mask // of the definition that is dialled
}

// StepFunc hears that a step of dialling is done, with the fact it found.
type StepFunc func(step domain.StepName, detail string)

// Dial starts or reaches the server of d, whose variables are already expanded. It goes through the steps resolve,
// then spawn or connect, and tells each one that succeeded; step may be nil. ctx bounds dialling only: the link lives
// until Close. Failures are *domain.Error with the cause of the step that was next.
func Dial(ctx context.Context, serverID string, d domain.Definition, o Options, step StepFunc) (*Link, error) {
	o = o.withDefaults()
	o.mask = NewMask(d)
	if authorize := o.Authorize; authorize != nil {
		o.Authorize = func(next http.RoundTripper) http.RoundTripper { return authorize(learner{o.mask, next}) }
	}
	tell := func(name domain.StepName, detail string) {
		if step != nil {
			step(name, o.mask.Hide(detail))
		}
	}
	var l *Link
	var err error
	switch d.Transport {
	case domain.Stdio:
		l, err = dialStdio(ctx, serverID, d, o, tell)
	case domain.StreamableHTTP:
		l, err = dialHTTP(ctx, d, o, tell)
	case domain.SSE:
		l, err = dialSSE(ctx, d, o, tell)
	default:
		err = unknownTransport(d.Transport)
	}
	if err != nil {
		return nil, o.mask.hideError(dialFailed(ctx, err))
	}
	return l, nil
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Log == nil {
		o.Log = NewLog(nil, nil)
	}
	if o.After == nil {
		o.After = time.After
	}
	return o
}

// dialFailed makes sure that every failure has a name.
func dialFailed(ctx context.Context, err error) error {
	var known *domain.Error
	if errors.As(err, &known) || ctx.Err() == nil {
		return domain.AsError(err)
	}
	return &domain.Error{Code: domain.CodeCanceled, Message: "The start was cancelled.", Cause: err}
}

func unknownTransport(transport domain.Transport) error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: "The transport \"" + string(transport) + "\" is not known.",
		Hint: "Use stdio, streamable_http or sse.", Args: map[string]string{"transport": string(transport)},
	}
}
