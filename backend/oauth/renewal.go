package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// How long a token is not asked for again by itself: after an authorization server could not give one, and after it said no,
// when asking again would come to the same until a person does something.
const (
	pauseAfterFailure = 10 * time.Second
	pauseAfterRefusal = time.Hour
)

// renewalPatience is how long a request waits for a new token while the old one is still good.
const renewalPatience = 2 * time.Second

// errSlow says that a renewal takes longer than somebody wants to wait.
var errSlow = errors.New("the renewal of the token goes on")

// renewal is one request for a new token. kept and err are set when done is closed.
type renewal struct {
	done chan struct{}
	kept credential
	err  error
}

// String keeps what is secret out of logs.
func (r *renewal) String() string { return "renewal of a " + r.kept.String() }

// GoString keeps %#v from printing more than String.
func (r *renewal) GoString() string { return r.String() }

// renew gets a new token in place of used, unless somebody got one already. All who want one wait for the same request,
// which goes on when they no longer do: when ctx ends, or enough has a value.
func (a *account) renew(ctx context.Context, t Target, used string, enough <-chan time.Time) (credential, error) {
	r, kept, err := a.startRenewal(t, used)
	if r == nil {
		return kept, err
	}
	select {
	case <-r.done:
		return r.kept, r.err
	case <-enough:
		return credential{}, errSlow
	case <-ctx.Done():
		return credential{}, ctx.Err()
	}
}

// startRenewal gives the renewal to wait for; without one the credential that there is, or why there is none.
func (a *account) startRenewal(t Target, used string) (*renewal, credential, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(); err != nil {
		return nil, credential{}, err
	}
	if a.has && a.kept.Access != used {
		return nil, a.kept, nil
	}
	if a.renewal != nil {
		return a.renewal, credential{}, nil
	}
	if a.trouble.err != nil && a.trouble.of == t.secretDigest() && a.client.options.Now().Before(a.trouble.until) {
		return nil, credential{}, a.trouble.err
	}
	r := &renewal{done: make(chan struct{})}
	if !a.client.start(func() { a.run(t, r) }) {
		return nil, credential{}, ended("closing", "Apollia is ending")
	}
	a.renewal = r
	return r, credential{}, nil
}

// run asks for the token and keeps it before anybody uses it: a refresh token that was used once may be worth nothing any
// more, so that losing its successor would end the sign-in.
func (a *account) run(t Target, r *renewal) {
	ctx, cancel := context.WithTimeout(a.client.life, exchangeTime)
	defer cancel()
	kept, err := a.fresh(ctx, t)
	a.mu.Lock()
	a.renewal = nil
	r.kept, r.err = kept, err
	a.trouble = trouble{}
	if err != nil && a.client.life.Err() == nil {
		a.trouble = trouble{err: err, until: a.client.options.Now().Add(pauseAfterFailure), of: t.secretDigest()}
		if isRefusal(err) {
			a.trouble.until = a.client.options.Now().Add(pauseAfterRefusal)
		}
	}
	a.mu.Unlock()
	close(r.done)
	a.client.options.Changed(a.subject)
}

// fresh is a new credential, stored already. What is stored when it begins counts, not what was known of it; and when a
// person signs in or out meanwhile, that does.
func (a *account) fresh(ctx context.Context, t Target) (credential, error) {
	a.mu.Lock()
	known, changes := a.kept.Access, a.changes
	if kept := a.unsaved; kept != nil {
		defer a.mu.Unlock()
		return *kept, a.keep(*kept)
	}
	err := a.reload()
	before, had := a.kept, a.has
	a.mu.Unlock()
	if err != nil || had && before.Access != known {
		return before, err
	}
	kept, err := a.client.renewed(ctx, t, a, before, had)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.changes != changes && a.has:
		return a.kept, nil
	case a.changes != changes:
		if err == nil {
			a.client.discard(t, kept)
		}
		return credential{}, signInNeeded(t)
	case isRefusal(err, "invalid_grant") && had:
		return a.afterInvalidGrant(before, err)
	case isRefusal(err, "invalid_client") && had && before.Client.Kind == dynamic:
		// The server forgot us: the next sign-in makes us known again.
		return credential{}, errors.Join(err, a.client.options.Store.Delete(registrationKey(before.Server.Issuer, before.Client.Redirect)))
	case err != nil:
		return credential{}, err
	}
	if !had { // a program signed in
		if err := a.client.options.Tell(Step{What: StepSignedIn, Subject: a.subject, Issuer: kept.Server.Issuer}); err != nil {
			return credential{}, err
		}
	}
	if err := a.keep(kept); err != nil {
		a.unsaved = &kept
		return credential{}, err
	}
	return kept, nil
}

// afterInvalidGrant sorts what it means that a refresh token is worth nothing. When another one is stored by now, that one
// counts, and nothing is lost. Else a person must sign in again; what is stored stays, as long as its token lives. The
// caller holds the lock.
func (a *account) afterInvalidGrant(before credential, err error) (credential, error) {
	if reload := a.reload(); reload != nil {
		return credential{}, reload
	}
	if a.has && a.kept.Refresh != before.Refresh {
		return a.kept, nil
	}
	if a.has && before.Refresh != "" {
		a.client.tell(Step{What: StepEnded, Subject: a.subject, Issuer: before.Server.Issuer, Err: err})
		refused := a.kept
		refused.Refused = true
		if keep := a.keep(refused); keep != nil {
			return credential{}, keep
		}
	}
	return credential{}, err
}

// secretDigest is of all that the configuration says of a sign-in, its secrets too: when it changes, what was refused may
// be granted.
func (t Target) secretDigest() string {
	a := t.auth()
	parts := append([]string{t.digest(), a.SigningAlg, a.IDPClientID}, a.Scopes...)
	for _, name := range domain.AuthSecrets() {
		parts = append(parts, a.Secret(name))
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
