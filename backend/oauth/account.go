package oauth

import (
	"context"
	"errors"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// pauseAfterFailure is how long a token is not asked for again after an authorization server could not give one.
const pauseAfterFailure = 10 * time.Second

// account is what is known of one target: its credential, what its server wants, and the renewal that runs.
type account struct {
	client  *Client
	subject Subject
	key     string

	mu     sync.Mutex
	loaded bool
	kept   credential
	has    bool
	// wanted is the last challenge of the server; challenged says that there was one.
	wanted     Challenge
	challenged bool
	// renewal runs while a new token is asked for; there is never more than one.
	renewal *renewal
	// pause is until when no token is asked for, because of trouble.
	pause   time.Time
	trouble error
	prover  *prover
	// asked counts the sign-ins that asked for the same scopes in a row; see stepUp.
	asked    int
	askedFor []string
}

// renewal is one request for a new token. kept and err are set when done is closed.
type renewal struct {
	done chan struct{}
	kept credential
	err  error
}

// load reads the credential that was kept, once. It needs no network. The caller holds the lock.
func (a *account) load() error {
	if a.loaded {
		return nil
	}
	kept, ok, err := read[credential](a.client.options.Store, a.key)
	if err != nil {
		return err
	}
	a.kept, a.has, a.loaded = kept, ok, true
	return nil
}

// reload forgets what is known in memory, in favour of what is stored. The caller holds the lock.
func (a *account) reload() error {
	a.loaded, a.prover = false, nil
	return a.load()
}

// peek is the credential as it is, and whether there is one.
func (a *account) peek() (credential, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(); err != nil {
		return credential{}, false, err
	}
	return a.kept, a.has, nil
}

// current is the credential to use now; it is renewed first when that is due. While a token is still good, nothing that
// goes wrong with its renewal matters. ok is false when there is none that could be used.
func (a *account) current(ctx context.Context, t Target) (kept credential, ok bool, err error) {
	kept, ok, err = a.peek()
	if err != nil {
		return credential{}, false, err
	}
	now := a.client.options.Now()
	machine := t.grant() != domain.AuthorizationCode
	if !ok {
		if machine && a.wasChallenged() {
			kept, err = a.renew(ctx, t, "")
			return kept, err == nil, err
		}
		return credential{}, false, nil
	}
	if !kept.due(now) {
		return kept, true, nil
	}
	if kept.renewable() || machine {
		fresh, err := a.renew(ctx, t, kept.Access)
		switch {
		case err == nil:
			return fresh, true, nil
		case ctx.Err() != nil:
			return credential{}, false, ctx.Err()
		case !kept.expired(a.client.options.Now()):
			return kept, true, nil
		case !isRefusal(err) && domain.CodeOf(err) != domain.CodeSignInNeeded:
			return credential{}, false, err
		}
	}
	return kept, !kept.expired(a.client.options.Now()), nil
}

func (a *account) wasChallenged() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.challenged
}

// renew gets a new token in place of used, unless somebody got one already. All who want one wait for the same request,
// which goes on when they no longer do.
func (a *account) renew(ctx context.Context, t Target, used string) (credential, error) {
	a.mu.Lock()
	if err := a.load(); err != nil {
		a.mu.Unlock()
		return credential{}, err
	}
	if a.has && a.kept.Access != used {
		kept := a.kept
		a.mu.Unlock()
		return kept, nil
	}
	r := a.renewal
	if r == nil {
		if now := a.client.options.Now(); a.trouble != nil && now.Before(a.pause) {
			err := a.trouble
			a.mu.Unlock()
			return credential{}, err
		}
		r = &renewal{done: make(chan struct{})}
		a.renewal = r
		a.client.work.Go(func() { a.run(t, r) })
	}
	a.mu.Unlock()
	select {
	case <-r.done:
		return r.kept, r.err
	case <-ctx.Done():
		return credential{}, ctx.Err()
	}
}

// run asks for the token and keeps it before anybody uses it: a refresh token that was used once may be worth nothing any
// more, so that losing its successor would end the sign-in.
func (a *account) run(t Target, r *renewal) {
	ctx, cancel := context.WithTimeout(a.client.life, exchangeTime)
	defer cancel()
	a.mu.Lock()
	before, had := a.kept, a.has
	a.mu.Unlock()
	kept, err := a.client.renewed(ctx, t, a, before, had)
	a.mu.Lock()
	defer a.mu.Unlock()
	defer close(r.done)
	a.renewal = nil
	if err == nil {
		err = a.keep(kept)
	}
	if isRefusal(err, "invalid_grant") && had {
		kept, err = a.afterInvalidGrant(before, err)
	}
	r.kept, r.err = kept, err
	a.pause, a.trouble = time.Time{}, nil
	if err != nil && !errors.Is(err, context.Canceled) {
		a.trouble, a.pause = err, a.client.options.Now().Add(pauseAfterFailure)
		if isRefusal(err) {
			a.pause = a.client.options.Now().Add(time.Hour) // asking again would come to the same, until a person does something
		}
	}
	a.client.options.Changed(a.subject)
}

// afterInvalidGrant sorts what it means that a refresh token is worth nothing. When another one is stored by now, that one
// counts, and nothing is lost. Else a person must sign in again; what is stored stays, as long as its token lives.
func (a *account) afterInvalidGrant(before credential, err error) (credential, error) {
	if reload := a.reload(); reload != nil {
		return credential{}, reload
	}
	if a.has && a.kept.Refresh != before.Refresh {
		return a.kept, nil
	}
	if a.has && a.kept.Refresh == before.Refresh {
		refused := a.kept
		refused.Refused = true
		if keep := a.keep(refused); keep != nil {
			return credential{}, keep
		}
	}
	return credential{}, err
}

// keep stores a credential, then uses it. The caller holds the lock.
func (a *account) keep(kept credential) error {
	if err := write(a.client.options.Store, a.key, kept); err != nil {
		return err
	}
	a.kept, a.has, a.loaded = kept, true, true
	return nil
}

// adopt keeps what a sign-in came to.
func (a *account) adopt(kept credential, p *prover, scopes []string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.keep(kept); err != nil {
		return err
	}
	a.prover, a.pause, a.trouble = p, time.Time{}, nil
	if covers(a.askedFor, scopes) && covers(scopes, a.askedFor) {
		a.asked++
	} else {
		a.asked, a.askedFor = 1, scopes
	}
	return nil
}

// forget drops the credential, and gives it for a last use.
func (a *account) forget() (credential, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.load(); err != nil {
		return credential{}, false, err
	}
	kept, had := a.kept, a.has
	if err := a.client.options.Store.Delete(a.key); err != nil {
		return credential{}, false, err
	}
	a.kept, a.has, a.prover, a.asked, a.trouble = credential{}, false, nil, 0, nil
	return kept, had, nil
}

// challengedBy keeps what the server wants.
func (a *account) challengedBy(c Challenge) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wanted, a.challenged = c, true
}

// satisfied notes that the server took a request: what it wanted is given.
func (a *account) satisfied() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = 0
}

// proverOf is the prover of a credential that is bound to a key; nil for any other.
func (a *account) proverOf(kept credential) (*prover, error) {
	if len(kept.Key) == 0 {
		return nil, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prover == nil {
		p, err := newProver(kept.Key, a.client.options.Now)
		if err != nil {
			return nil, err
		}
		a.prover = p
	}
	return a.prover, nil
}
