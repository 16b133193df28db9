package core

import (
	"context"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// tokenLook is how often the time of day is looked at: timers stand still while the computer sleeps.
const tokenLook = 5 * time.Second

// Pauses before a token that is to be renewed is looked at again.
const (
	busyPause   = time.Second // its program is at work
	failedPause = 30 * time.Second
)

// withToken puts the token of a program's sign-in into its environment, where the definition names a variable for it.
// CodeSignInNeeded when there is none.
func (c *Core) withToken(ctx context.Context, serverID string, d domain.Definition) (domain.Definition, error) {
	if d.Transport != domain.Stdio || d.Auth == nil || d.Auth.EnvTokenVar == "" {
		return d, nil
	}
	token, renewAt, err := c.oauth.Token(ctx, servers.SignInTarget(serverID, d))
	if err != nil {
		return d, err
	}
	d.Env = append(slices.Clone(d.Env), domain.Variable{Name: d.Auth.EnvTokenVar, Value: token, Secret: true})
	d.Hidden = append(slices.Clone(d.Hidden), token)
	if !renewAt.IsZero() {
		c.tokens.expect(renewal{server: serverID, token: token, at: renewAt})
	}
	return d, nil
}

// tokenClock knows when the tokens that programs were started with are to be renewed.
type tokenClock struct{ changes chan renewal }

type renewal struct {
	server string
	token  string // the one that its program was started with
	at     time.Time
}

func newTokenClock() tokenClock { return tokenClock{changes: make(chan renewal, 16)} }

// expect notes when a token is to be renewed, in place of what was known of its server.
func (t tokenClock) expect(r renewal) {
	select {
	case t.changes <- r:
	default: // nobody looks: a command, which does not live that long
	}
}

// restartForToken has a server take the token of a sign-in: at once, or as soon as no call is at it.
func (c *Core) restartForToken(server string) {
	if c.pool.RestartIdle(server) {
		c.tokens.expect(renewal{server: server, at: c.options.Now().Add(busyPause)})
	}
}

// keepTokens starts each program again whose token was renewed: a new one reaches it by its environment only. One that is
// at work is left alone until it is done; one whose token cannot be renewed keeps it.
func (c *Core) keepTokens(ctx context.Context) {
	due := make(map[string]renewal)
	for {
		var next <-chan time.Time
		if first, found := earliest(due); found {
			next = time.After(min(first.at.Sub(c.options.Now()), tokenLook))
		}
		select {
		case change := <-c.tokens.changes:
			due[change.server] = change
		case <-next:
			first, _ := earliest(due)
			if c.options.Now().Before(first.at) {
				continue
			}
			delete(due, first.server)
			if pause := c.renewToken(ctx, first); pause > 0 {
				first.at = c.options.Now().Add(pause)
				due[first.server] = first
			}
		case <-ctx.Done():
			return
		}
	}
}

// renewToken renews a token and has its program take it. It returns when to try again; 0 is never.
func (c *Core) renewToken(ctx context.Context, r renewal) (pause time.Duration) {
	status := c.pool.Status(r.server)
	switch {
	case status.State == domain.StateOff:
		return 0 // the next start asks for a token anyway
	case status.References > 1: // it is switched on, and called
		return busyPause
	}
	token, err := c.servers.Token(ctx, r.server)
	switch {
	case domain.CodeOf(err).Class() == domain.NotFound:
		return 0
	case err != nil && domain.CodeOf(err).Class() != domain.SignIn, token == r.token:
		return failedPause
	}
	if c.pool.RestartIdle(r.server) { // with the new token, or to say that a sign-in is needed
		return busyPause // a call began while the token was asked for
	}
	return 0
}

func earliest(due map[string]renewal) (first renewal, found bool) {
	for _, r := range due {
		if !found || r.at.Before(first.at) {
			first, found = r, true
		}
	}
	return first, found
}
