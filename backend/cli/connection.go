package cli

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/browser"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

const (
	// patience is how long a command waits for an owner that does not answer yet, or for another command to end.
	patience = 5 * time.Second
	// startPatience is how long an owner that we start gets until it answers.
	startPatience = 20 * time.Second
	// lookEvery is how often a waiting command looks again.
	lookEvery = 25 * time.Millisecond
	// proofLife bounds the proof of an owner, so that a stopped process is no trap.
	proofLife = 2 * time.Second
)

// connect reaches the API for a short command: at the owner, or in this process when there is none.
func (in *invocation) connect(ctx context.Context) (*client, error) {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return nil, err
	}
	browser.Tidy(home, time.Now())
	return await(ctx, patience, func() (*client, error) {
		c, err := in.reach(ctx, home)
		if !errors.Is(err, owner.ErrNone) {
			return c, err
		}
		c, err = in.open(ctx, home)
		if domain.CodeOf(err) == domain.CodeFolderBusy {
			return nil, notYetError{err} // somebody was faster: look who
		}
		return c, err
	})
}

// connectOwner reaches the API of an owner that outlives this command, starting one when there is none.
func (in *invocation) connectOwner(ctx context.Context) (*client, error) {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return nil, err
	}
	browser.Tidy(home, time.Now())
	var started *starting
	return await(ctx, startPatience, func() (*client, error) {
		c, err := in.reach(ctx, home)
		if !errors.Is(err, owner.ErrNone) {
			return c, err
		}
		if started == nil {
			started, err = in.startOwner(home)
			return nil, notYetUnless(err)
		}
		_, err = started.end()
		return nil, notYetUnless(err)
	})
}

// notYetError is an error that time may cure.
type notYetError struct{ error }

// Unwrap gives what to say when time did not cure it.
func (n notYetError) Unwrap() error { return n.error }

// errNotReady stands in while an owner is coming up.
var errNotReady = &domain.Error{
	Code: domain.CodeNotRunning, Message: "Apollia was started but does not answer",
	Hint: "See logs/serve.log in the data folder.",
}

func notYetUnless(err error) error {
	if err != nil {
		return err
	}
	return notYetError{errNotReady}
}

// await repeats an attempt until it works, fails for good, or the time is over: the last attempt starts after that, in
// case the one before took all the time there was.
func await(ctx context.Context, limit time.Duration, attempt func() (*client, error)) (*client, error) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	end := time.Now().Add(limit)
	for {
		late := time.Now().After(end)
		c, err := attempt()
		wait, again := errors.AsType[notYetError](err)
		if !again {
			return c, err
		}
		if late {
			return nil, wait.error
		}
		select {
		case <-ctx.Done():
			return nil, canceled(ctx.Err())
		case <-look.C:
		}
	}
}

// reach connects to the owner of the data folder once it has proved what it is. owner.ErrNone when there is no owner,
// a notYetError when it does not answer: it may be starting, or the file may be that of one that was killed.
func (in *invocation) reach(ctx context.Context, home string) (*client, error) {
	instance, err := owner.Find(home)
	if err != nil {
		return nil, err
	}
	if instance.URL == "" {
		return nil, notYetError{silent(instance)}
	}
	// Two programs on one computer speak without a proxy, whatever the environment says.
	wire := &http.Transport{}
	bounded, cancel := context.WithTimeout(ctx, proofLife)
	defer cancel()
	err = instance.Verify(bounded, &http.Client{Transport: wire}, in.Version)
	if err != nil {
		wire.CloseIdleConnections()
		return nil, unproved(instance, err)
	}
	return &client{
		http: &http.Client{Transport: in.signed(wire, instance.Token)}, base: instance.URL,
		close: func() error { wire.CloseIdleConnections(); return nil },
	}, nil
}

func silent(instance owner.Instance) error {
	e := &domain.Error{
		Code: domain.CodeFolderBusy, Message: "another Apollia has the data folder and does not listen for commands",
		Hint: "Wait for it to end, or end it. If it is the window, its port is taken: it says by which address.",
	}
	if instance.PID != 0 {
		e = e.With("pid", strconv.Itoa(instance.PID))
		e.Message += " (process " + strconv.Itoa(instance.PID) + ")"
	}
	return e
}

// unproved sorts what can come of asking an owner for its proof.
func unproved(instance owner.Instance, err error) error {
	var known *domain.Error
	if !errors.As(err, &known) {
		known = &domain.Error{
			Code: domain.CodeNotRunning, Message: "the owner of the data folder does not answer at " + instance.URL,
			Hint: "If process " + strconv.Itoa(instance.PID) + " hangs, end it and run the command again.", Cause: err,
			Args: map[string]string{"url": instance.URL, "pid": strconv.Itoa(instance.PID)},
		}
	}
	if known.Code == domain.CodeOtherVersion {
		return known
	}
	return notYetError{known}
}

// open opens the core in this process.
func (in *invocation) open(ctx context.Context, home string) (*client, error) {
	core, err := in.OpenLocal(ctx, home)
	if err != nil {
		return nil, err
	}
	return &client{
		http: &http.Client{Transport: in.signed(memory{core.Handler}, "")}, base: "http://apollia.local", local: true,
		problems: core.Problems, close: core.Close,
	}, nil
}

// signed adds to each request who asks, and whether a person sits there.
func (in *invocation) signed(next http.RoundTripper, token string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if in.Terminal {
			r.Header.Set(api.TerminalHeader, "1")
		}
		return next.RoundTrip(r)
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip calls f.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// with connects for a short command and lets go at the end. Where no owner runs, whoever typed the command is there to
// mend a broken config.toml, and nobody else will tell that a database was set aside: the command then fails with that
// problem, rather than act on what the person no longer wrote.
func (in *invocation) with(ctx context.Context, do func(*client) error) error {
	return using(ctx, in.connect, func(c *client) error {
		for _, problem := range c.problems {
			// The policy asks of its own accord while rules are lost; a person must be able to set them again.
			switch problem.Code {
			case domain.CodeRulesLost:
				in.warn(problem)
			case domain.CodeKeyringDown, domain.CodeSecretKeyMissing: // the call that is refused says so
			case domain.CodeConfigInvalid:
				return mendFirst(problem)
			default:
				return problem
			}
		}
		return do(c)
	})
}

// withAnyFolder is with for a command that can look at a data folder whatever is wrong with it.
func (in *invocation) withAnyFolder(ctx context.Context, do func(*client) error) error {
	return using(ctx, in.connect, do)
}

// withOwner connects to an owner, started if need be, and lets go at the end.
func (in *invocation) withOwner(ctx context.Context, do func(*client) error) error {
	return using(ctx, in.connectOwner, do)
}

func using(ctx context.Context, connect func(context.Context) (*client, error), do func(*client) error) error {
	c, err := connect(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(c), c.Close())
}

// mendFirst says what a broken config.toml means for a command without an owner.
func mendFirst(problem *domain.Error) error {
	e := *problem
	e.Hint = "Correct this line, then run the command again. An owner (apollia serve, or the window) goes on with the last version that could be read."
	return &e
}
