package pipeline

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
)

// Bounds of what is remembered of conversations.
const (
	conversationLife = time.Hour
	maxConversations = 100
)

// Contexts remember what the results of each conversation were about. They are safe for concurrent use.
type Contexts struct {
	now    func() time.Time
	secret func(name, value string) bool

	mu sync.Mutex
	// of has the latest first. A caller is one conversation: what one of them got, no other hears of.
	of map[domain.Caller]*remembered
}

type remembered struct {
	references []domain.Reference
	used       time.Time
}

// NewContexts remembers nothing yet. secret tells what is never repeated.
func NewContexts(now func() time.Time, secret func(name, value string) bool) *Contexts {
	return &Contexts{now: now, secret: secret, of: make(map[domain.Caller]*remembered)}
}

// CrossContext says with each result of a conversation what those before it were about, so that an agent that goes on at
// another server has their identifiers and addresses at hand. It changes nothing of what a server said, and belongs right
// after Authorize.
func CrossContext(c *Contexts, wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			want := wanted(call).CrossContext
			if want == nil || call.Caller.Session == "" {
				return next(ctx, call)
			}
			result, err := next(ctx, call)
			if err != nil || result.Kind != domain.ResultComplete {
				return result, err
			}
			var about []domain.Reference
			if !result.IsError() && !result.Meta.Duplicate {
				about = referencesIn(call, result.Raw, c.secret)
			}
			result.Meta.Context = c.exchange(call.Caller, about, want.MaxEntries)
			return result, nil
		}
	}
}

// exchange gives what a conversation was about until now, at most so many results, and remembers what is new.
func (c *Contexts) exchange(of domain.Caller, about []domain.Reference, most int) []domain.Reference {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	r := c.of[of]
	if r == nil || now.Sub(r.used) >= conversationLife {
		c.makeRoom(now)
		r = &remembered{}
		c.of[of] = r
	}
	r.used = now
	earlier := r.references[:min(len(r.references), most)]
	all := append(slices.Clone(about), earlier...)
	r.references = all[:min(len(all), most)]
	return slices.Clone(earlier)
}

// Forget takes what a server said out of all conversations: whose account it was is another one's now.
func (c *Contexts) Forget(server string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.of {
		r.references = slices.DeleteFunc(slices.Clone(r.references), func(one domain.Reference) bool {
			return strings.HasPrefix(one.Tool, naming.FQN(server, ""))
		})
	}
}

// makeRoom forgets conversations that are over, and the one that was silent for longest where there are too many. The caller
// holds the lock.
func (c *Contexts) makeRoom(now time.Time) {
	var silent domain.Caller
	since := now.Add(time.Second)
	for of, r := range c.of {
		if now.Sub(r.used) >= conversationLife {
			delete(c.of, of)
			continue
		}
		if r.used.Before(since) {
			silent, since = of, r.used
		}
	}
	if len(c.of) >= maxConversations {
		delete(c.of, silent)
	}
}
