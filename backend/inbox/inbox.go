// Package inbox parks requests until a person answers; the first answer wins.
package inbox

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// DefaultPassLife is how long an approval whose caller was gone stays a one-time pass.
const DefaultPassLife = 10 * time.Minute

// Records keeps requests on disk. UpdateRequest is one transaction: its function sees what any earlier one wrote, and
// when it fails nothing is written.
type Records interface {
	CreateRequest(domain.Request) (domain.Request, error)
	UpdateRequest(id string, change func(*domain.Request) error) (domain.Request, error)
	Request(id string) (domain.Request, error)
	Requests(domain.RequestFilter) ([]domain.Request, error)
}

// Options of an Inbox; the zero value is right for the product.
type Options struct {
	// Now tells the time; nil means time.Now.
	Now func() time.Time
	// PassLife is how long an unused approval can be used; 0 means DefaultPassLife.
	PassLife time.Duration
	// Expiry is after how long a request that begins now ends if nobody answers it; 0 and nil leave it waiting. A request
	// that says ExpiresAt keeps it.
	Expiry func() time.Duration
	// Answering hears of an answer before it counts and before whoever waits for it gets it, and keeps it from that by an
	// error. It must not use the inbox. nil hears nothing.
	Answering func(domain.Request) error
	// Answered hears of an answer once it is written and before it is told, to do what it allows; its error goes to whoever
	// answered. It may use the inbox. nil hears nothing.
	Answered func(domain.Request) error
	// Ending hears of a request that ends without an answer, or of an approval that nobody used, before it does. It lets
	// nothing through, so nothing keeps it from that. It must not use the inbox. nil hears nothing.
	Ending func(domain.Request)
	// Logger hears what could not be done in the background; nil means nobody.
	Logger *slog.Logger
}

// Inbox holds the requests that wait for a person. The records decide; what is in memory only says who waits here and
// where to look. Every change goes through one Inbox. It is safe for concurrent use.
type Inbox struct {
	records Records
	publish func(domain.Event)
	options Options
	nudge   chan struct{} // holds one token: the next deadline may have changed
	worker  sync.WaitGroup
	stop    context.CancelFunc // nil until Recover

	// mu is held over each change of a record and of the fields below, so that they agree.
	mu      sync.Mutex
	seats   map[string][]*Seat    // by request ID, in the order of arrival
	waiting map[identity]string   // the request that an identical one joins
	passes  map[identity][]string // approved requests that may be unused
}

// New makes an inbox over records and tells publish what changes. Call Recover before the first request.
func New(records Records, publish func(domain.Event), o Options) *Inbox {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.PassLife == 0 {
		o.PassLife = DefaultPassLife
	}
	if o.Answering == nil {
		o.Answering = func(domain.Request) error { return nil }
	}
	if o.Answered == nil {
		o.Answered = func(domain.Request) error { return nil }
	}
	if o.Ending == nil {
		o.Ending = func(domain.Request) {}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Inbox{
		records: records, publish: publish, options: o, nudge: make(chan struct{}, 1),
		seats: make(map[string][]*Seat), waiting: make(map[identity]string), passes: make(map[identity][]string),
	}
}

// Recover takes up the requests of an earlier run, and from then on ends what has expired. What an MCP session asked
// for lapses, since the session is gone; calls of tools stay, and so do changed definitions. It gives what lapsed, of which
// Ending does not hear: that may have to wait for what is not there yet. Close ends the work.
func (i *Inbox) Recover(ctx context.Context) (lapsed []domain.Request, err error) {
	if lapsed, err = i.takeUp(ctx); err != nil {
		return lapsed, err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	i.stop = stop
	i.worker.Go(func() { i.run(background) })
	return lapsed, nil
}

// Close ends the work of Recover and waits for it. Those who wait for an answer are not ended: their contexts are.
func (i *Inbox) Close() {
	if i.stop != nil {
		i.stop()
	}
	i.worker.Wait()
}

func (i *Inbox) takeUp(ctx context.Context) (lapsed []domain.Request, err error) {
	open, err := i.records.Requests(domain.RequestFilter{Open: true})
	if err != nil {
		return nil, err
	}
	slices.Reverse(open) // passes are spent oldest first
	for _, r := range open {
		if err := ctx.Err(); err != nil {
			return lapsed, err
		}
		if r.Status == domain.RequestWaiting && !outlivesSession(r.Kind) {
			err := i.end(r.ID, domain.RequestLapsed, waits, func(r domain.Request) { lapsed = append(lapsed, r) })
			if err != nil {
				return lapsed, err
			}
			continue
		}
		i.mu.Lock()
		i.remember(r)
		i.mu.Unlock()
	}
	return lapsed, nil
}

// outlivesSession tells what a person can still answer when the session that asked has ended.
func outlivesSession(k domain.RequestKind) bool {
	return k == domain.ToolRequest || k == domain.DefinitionRequest
}

// Get reads one request; CodeUnknownRequest.
func (i *Inbox) Get(id string) (domain.Request, error) { return i.records.Request(id) }

// List reads the wanted requests, newest first.
func (i *Inbox) List(want domain.RequestFilter) ([]domain.Request, error) {
	return i.records.Requests(want)
}

// Waiting lists what waits for a person, oldest first.
func (i *Inbox) Waiting() ([]domain.Request, error) {
	found, err := i.List(domain.RequestFilter{Status: domain.RequestWaiting})
	slices.Reverse(found)
	return found, err
}

// Answered lists at most limit requests that no longer wait, newest first; 0 means all.
func (i *Inbox) Answered(limit int) ([]domain.Request, error) {
	return i.List(domain.RequestFilter{Answered: true, Limit: limit})
}

// Keep keeps a request that has ended without being asked, so that a person sees what became of it.
func (i *Inbox) Keep(r domain.Request) (domain.Request, error) {
	r.ID, r.CreatedAt = "", i.options.Now()
	if r.Status == domain.RequestApproved {
		r.UsedAt = &r.CreatedAt
	}
	kept, err := i.records.CreateRequest(keptOf(r))
	if err == nil {
		i.tell(kept)
	}
	return kept, err
}

// Fail says of a request that has ended why nothing came of it.
func (i *Inbox) Fail(id string, why *domain.Error) error {
	return i.changeIf(id, func(r *domain.Request) bool {
		r.Failure = why
		return r.Status != domain.RequestWaiting
	})
}

// changeIf writes a record when fn reports that it changed it, then brings memory in step, then tells.
func (i *Inbox) changeIf(id string, fn func(*domain.Request) bool) error {
	i.mu.Lock()
	r, err := i.records.Request(id)
	changed := err == nil && fn(&r)
	if changed {
		err = i.write(r)
	}
	i.mu.Unlock()
	if changed && err == nil {
		i.tell(r)
	}
	return err
}

// write keeps what has become of a request, and brings memory in step. The caller holds mu since it read it.
func (i *Inbox) write(r domain.Request) error {
	_, err := i.records.UpdateRequest(r.ID, func(kept *domain.Request) error {
		*kept = keptOf(r)
		return nil
	})
	if err == nil {
		i.remember(r)
	}
	return err
}

func (i *Inbox) tell(r domain.Request) {
	i.publish(domain.Event{Topic: domain.TopicInbox, ID: r.ID})
	if i.deadline(r) == nil {
		return
	}
	select {
	case i.nudge <- struct{}{}:
	default:
	}
}

// remember brings memory in step with a record, and hands an ended one to those who wait for it. The caller holds mu.
func (i *Inbox) remember(r domain.Request) {
	key := identify(r)
	if r.Status == domain.RequestWaiting {
		i.waiting[key] = r.ID
		return
	}
	if i.waiting[key] == r.ID {
		delete(i.waiting, key)
	}
	passes := slices.DeleteFunc(i.passes[key], func(id string) bool { return id == r.ID })
	if isPass(r) {
		passes = append(passes, r.ID)
	}
	if len(passes) > 0 {
		i.passes[key] = passes
	} else {
		delete(i.passes, key)
	}
	i.deliver(r)
}
