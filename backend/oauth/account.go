package oauth

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// account is what is known of one target: its credential, what its server wants, and the renewal that runs.
type account struct {
	client  *Client
	subject Subject
	key     string

	mu     sync.Mutex
	loaded bool
	kept   credential
	has    bool
	// changes counts the sign-ins and sign-outs: a renewal that one of them overtakes comes to nothing.
	changes int
	// unsaved is a credential that was given and could not be stored yet; the one before it is worth nothing any more.
	unsaved *credential
	// vain is a token that the server does not take.
	vain string
	// wanted is the last challenge of the server; challenged says that there was one.
	wanted     httpauth.Challenge
	challenged bool
	// renewal runs while a new token is asked for; there is never more than one.
	renewal *renewal
	trouble trouble
	prover  *prover
	// asked counts the sign-ins in a row that were to get the same scopes, since the server said that it lacks them.
	asked    int
	askedFor []string
	// seen is the outermost class of the addresses at which the server took requests.
	seen class
}

// String keeps what is secret out of logs.
func (a *account) String() string { return "account of " + a.subject.Server }

// GoString keeps %#v from printing more than String.
func (a *account) GoString() string { return a.String() }

// sawAt notes where a request to the server went.
func (a *account) sawAt(addr net.Addr) {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = min(a.seen, classOf(tcp.AddrPort().Addr()).ofServer())
}

func (a *account) seenAt() class {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.seen
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
	a.loaded = false
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
	if !ok {
		// A server out there says first that it wants a token; a program on this computer has no way to.
		if !t.NeedsPerson() && (a.wasChallenged() || t.URL == "") {
			kept, err = a.renew(ctx, t, "", nil)
			return kept, err == nil, err
		}
		return credential{}, false, nil
	}
	if !kept.due(now) {
		return kept, true, nil
	}
	if kept.renewable() || !t.NeedsPerson() {
		var enough <-chan time.Time
		if !kept.expired(now) {
			enough = a.client.options.After(renewalPatience)
		}
		fresh, err := a.renew(ctx, t, kept.Access, enough)
		switch {
		case err == nil:
			return fresh, true, nil
		case ctx.Err() != nil:
			return credential{}, false, ctx.Err()
		case !kept.expired(a.client.options.Now()), errors.Is(err, errSlow):
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

// keep stores a credential, then uses it. The caller holds the lock.
func (a *account) keep(kept credential) error {
	if err := write(a.client.options.Store, a.key, kept); err != nil {
		return err
	}
	a.kept, a.has, a.loaded, a.unsaved = kept, true, true, nil
	return nil
}

// adopt keeps what a sign-in came to, unless that was given up meanwhile. more says that it was to get scopes that the server
// missed.
func (a *account) adopt(f *flow, kept credential, p *prover, scopes []string, more bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if f.over() {
		return unknownState() // what it came to is nobody's
	}
	if err := a.keep(kept); err != nil {
		return err
	}
	a.changes++
	a.prover, a.trouble, a.vain = p, trouble{}, ""
	a.wanted = a.wanted.Without("error") // it is answered; where it said to look still counts
	switch {
	case !more:
		a.asked, a.askedFor = 0, nil
	case covers(a.askedFor, scopes) && covers(scopes, a.askedFor):
		a.asked++
	default:
		a.asked, a.askedFor = 1, scopes
	}
	return nil
}

// forget drops the credential, and gives it for a last use. One that cannot be read is dropped all the same.
func (a *account) forget() (credential, bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.load()
	kept, had := a.kept, a.has && err == nil
	if err := a.client.options.Store.Delete(a.key); err != nil {
		return credential{}, false, err
	}
	a.changes++
	a.loaded = true
	a.kept, a.has, a.unsaved, a.prover, a.asked, a.trouble, a.vain = credential{}, false, nil, nil, 0, trouble{}, ""
	return kept, had, nil
}

// challengedBy keeps what the server wants. Where it said that its metadata is counts until it names another place.
func (a *account) challengedBy(c httpauth.Challenge) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if place := a.wanted.Params[httpauth.ParamMetadata]; c.Params[httpauth.ParamMetadata] == "" && place != "" {
		c = c.With(httpauth.ParamMetadata, place)
	}
	a.wanted, a.challenged = c, true
	if scopes, missing := c.Missing(); missing {
		a.miss(scopes)
	}
}

// miss keeps with the credential what it lacks. Where that cannot be stored, this process still knows. The caller holds the
// lock.
func (a *account) miss(scopes []string) {
	if err := a.load(); err != nil || !a.has || a.unsaved != nil || covers(a.kept.Missing, scopes) {
		return
	}
	kept := a.kept
	kept.Missing = httpauth.Scopes(union(kept.Missing, scopes)) // bounded, whatever a server asks for
	_ = a.keep(kept)
}

// inVain notes that the server does not take a token, new as it is.
func (a *account) inVain(access string) {
	if access == "" {
		return // none was sent
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.vain = access
}

// taken notes that the server takes a token after all.
func (a *account) taken(access string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.vain == access {
		a.vain = ""
	}
}

func (a *account) isVain(access string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return access != "" && a.vain == access
}

// proverOf is the prover of a credential that is bound to a key; nil for any other.
func (a *account) proverOf(kept credential) (*prover, error) {
	if len(kept.Key) == 0 {
		return nil, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.prover != nil && bytes.Equal(a.prover.kept, kept.Key) {
		return a.prover, nil
	}
	p, err := newProver(kept.Key, a.client.options.Now)
	if err != nil {
		return nil, err
	}
	a.prover = p
	return p, nil
}

// trouble is why no token is asked for, and until when. It ends early when the configuration changes.
type trouble struct {
	err   error
	until time.Time
	of    string
}
