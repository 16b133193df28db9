package api

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/events"
)

const (
	// keepDone is how long a finished call can still be fetched.
	keepDone = 10 * time.Minute
	// abandonAfter ends a command's call that nobody asks about any more: the command was killed. The window may leave
	// a page and come back, so its calls go on.
	abandonAfter = 30 * time.Second
	// maxRunning bounds the calls in flight.
	maxRunning = 1000
	// maxDone and maxKept, in bytes, bound the finished calls that are remembered; the oldest give way. One that its
	// caller has not fetched yet stays for unfetchedLife at least.
	maxDone       = 1000
	maxKept       = 32 << 20
	unfetchedLife = 30 * time.Second
	// maxNotices and maxNoticeBytes bound what is kept of the notices of one call: a server may send any number. The
	// newest of each kind stays: it says how things stand.
	maxNotices     = 200
	maxNoticeBytes = 256 << 10
	// maxArguments is the longest arguments that are kept with a call, in bytes.
	maxArguments = 64 << 10
)

// calls are the calls that came through the API. A window cannot hold a request open or see it cancelled, so a call
// is started by one request and followed by others.
type calls struct {
	call domain.CallFunc
	hub  *events.Hub
	now  func() time.Time
	// base ends every call when the API closes.
	base context.Context //nolint:containedctx // the calls outlive the requests that start them
	stop context.CancelCauseFunc
	wg   sync.WaitGroup

	mu     sync.Mutex
	byID   map[string]*runningCall
	done   []*runningCall // those of byID that have ended, in the order of their ends
	kept   int            // bytes that done holds
	closed bool
}

type runningCall struct {
	view    CallView
	cancel  context.CancelFunc
	changed chan struct{} // closed and replaced at each change
	ended   time.Time
	fetched bool        // its end was told to somebody
	notices int         // bytes of the notices that are kept
	lease   *time.Timer // nil for callers that may go and come back
}

// size is how much a finished call holds, in bytes.
func (r *runningCall) size() int {
	size := r.notices + len(r.view.Arguments)
	if r.view.Result != nil {
		size += len(r.view.Result.Raw)
	}
	return size
}

func newCalls(call domain.CallFunc, hub *events.Hub, now func() time.Time) *calls {
	base, stop := context.WithCancelCause(context.Background())
	return &calls{call: call, hub: hub, now: now, base: base, stop: stop, byID: make(map[string]*runningCall)}
}

func (c *calls) close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.stop(domain.ErrEnding)
	c.wg.Wait()
}

// start begins a call and returns its id; arguments are those of its params. offer is for a call that lacks a token, nil where
// nobody wants one.
func (c *calls) start(call domain.Call, arguments json.RawMessage, offer signInOffer) (string, error) {
	call.ID = rand.Text()
	ctx, cancel := context.WithCancel(c.base)
	r := &runningCall{
		view: CallView{
			ID: call.ID, Status: CallRunning, Server: call.Server, Kind: call.Kind, Name: call.Name, Arguments: remembered(call.Kind, arguments),
			StartedAt: c.now(), Notices: []domain.Notice{},
		},
		cancel:  cancel,
		changed: make(chan struct{}),
	}
	if call.Caller.Kind == domain.CallerCLI {
		r.lease = time.AfterFunc(abandonAfter, cancel)
	}
	call.Sink = func(n domain.Notice) { c.notice(r, n) }
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.mayStart(); err != nil {
		r.cancel()
		return "", err
	}
	c.forget()
	c.byID[call.ID] = r
	c.wg.Go(func() { c.run(ctx, r, call, offer) })
	return call.ID, nil
}

// remembered is what is kept of the arguments of a call: {} of one without any, nothing of a resource's.
func remembered(kind domain.CallKind, arguments json.RawMessage) json.RawMessage {
	switch {
	case kind == domain.ResourceRead || len(arguments) > maxArguments:
		return nil
	case len(arguments) == 0:
		return json.RawMessage("{}")
	default:
		return arguments
	}
}

// mayStart says why no call may start now. The caller holds the lock.
func (c *calls) mayStart() error {
	switch {
	case c.closed:
		return &domain.Error{Code: domain.CodeNotRunning, Message: "Apollia is ending", Hint: "Start it again, then call again."}
	case len(c.byID)-len(c.done) >= maxRunning:
		return &domain.Error{
			Code: domain.CodeDenied, Message: "too many calls run at once", Hint: "Wait for some to end, or cancel them.",
		}
	}
	return nil
}

func (c *calls) run(ctx context.Context, r *runningCall, call domain.Call, offer signInOffer) {
	defer r.cancel()
	result, err := c.call(ctx, call)
	var needed *RequiresOAuth
	if offer != nil && domain.CodeOf(err).WantsSignIn() {
		needed = offer(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.ended = c.now()
	if r.lease != nil {
		r.lease.Stop()
	}
	r.view.Status, r.view.RequiresOAuth = CallDone, needed
	r.view.DurationMS = r.ended.Sub(r.view.StartedAt).Milliseconds()
	if err != nil {
		r.view.Sent = r.view.Sent && !domain.Unsent(err)
		r.view.Error = problem(err).Err
		if id := r.view.Error.Args["request_id"]; id != "" {
			r.view.RequestID = id
		}
	} else {
		r.view.Result = &result
		r.view.IsError = result.IsError()
	}
	c.done = append(c.done, r)
	c.kept += r.size()
	c.forget()
	c.tell(r)
}

func (c *calls) notice(r *runningCall, n domain.Notice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.view.Status == CallDone {
		return // what it holds is counted
	}
	switch n.Kind {
	case domain.NoticeWaiting, domain.NoticeQuestion:
		r.view.Status, r.view.RequestID = CallWaiting, n.RequestID
	case domain.NoticeRunning:
		r.view.Status, r.view.Sent = CallRunning, true
	case domain.NoticeAnswered:
		r.view.Status = CallRunning
	case domain.NoticeDecided, domain.NoticeProgress, domain.NoticeLog, domain.NoticeAsked, domain.NoticeTask:
	}
	r.keep(n)
	c.tell(r)
}

// keep adds a notice, and lets older ones go when there are too many or they hold too much.
func (r *runningCall) keep(n domain.Notice) {
	if len(n.Params) > maxNoticeBytes {
		return
	}
	r.view.Notices = append(r.view.Notices, n)
	r.notices += len(n.Params)
	for len(r.view.Notices) > maxNotices || r.notices > maxNoticeBytes {
		i := leastNeeded(r.view.Notices)
		r.notices -= len(r.view.Notices[i].Params)
		r.view.Notices = slices.Delete(r.view.Notices, i, i+1)
	}
}

// leastNeeded is the oldest progress or log with a newer one after it, else the oldest notice with a newer one of its
// kind, else the oldest.
func leastNeeded(notices []domain.Notice) int {
	newest := make(map[domain.NoticeKind]int)
	for i, n := range notices {
		newest[n.Kind] = i
	}
	oldest := 0
	for i, n := range slices.Backward(notices) {
		if i < newest[n.Kind] {
			oldest = i
		}
	}
	for i, n := range notices {
		if i < newest[n.Kind] && (n.Kind == domain.NoticeProgress || n.Kind == domain.NoticeLog) {
			return i
		}
	}
	return oldest
}

// tell wakes those who wait for a change of r. The caller holds the lock.
func (c *calls) tell(r *runningCall) {
	close(r.changed)
	r.changed = make(chan struct{})
	c.hub.Publish(domain.Event{Topic: domain.TopicCalls, ID: r.view.ID})
}

// await returns the call once it is done, once its status is another one than was, or after the given time. An empty was
// stands for the status it has now.
func (c *calls) await(ctx context.Context, id string, was CallStatus, wait time.Duration) (CallView, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		view, changed, err := c.look(id)
		if was == "" {
			was = view.Status
		}
		if err != nil || view.Status == CallDone || wait == 0 || view.Status != was {
			return view, err
		}
		select {
		case <-changed:
		case <-timer.C:
			view, _, err = c.look(id)
			return view, err
		case <-ctx.Done():
			return view, ctx.Err()
		}
	}
}

func (c *calls) look(id string) (CallView, <-chan struct{}, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.byID[id]
	if !ok {
		return CallView{}, nil, unknownCall(id)
	}
	if r.lease != nil && r.view.Status != CallDone {
		r.lease.Reset(abandonAfter + time.Minute) // a long poll lasts up to a minute itself
	}
	view := r.view
	view.Notices = append([]domain.Notice{}, r.view.Notices...)
	r.fetched = r.fetched || view.Status == CallDone
	if view.Status != CallDone {
		view.DurationMS = c.now().Sub(view.StartedAt).Milliseconds()
	}
	return view, r.changed, nil
}

func (c *calls) cancel(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.byID[id]
	if !ok {
		return unknownCall(id)
	}
	r.cancel()
	return nil
}

// running counts the calls of a server that are in flight.
func (c *calls) running(server string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, r := range c.byID {
		if r.view.Status != CallDone && (server == "" || r.view.Server == server) {
			n++
		}
	}
	return n
}

// forget drops calls that ended long ago, and the oldest of those that ended when there are too many or they hold too
// much. The caller holds the lock.
func (c *calls) forget() {
	now, left := c.now(), len(c.done)
	c.done = slices.DeleteFunc(c.done, func(r *runningCall) bool {
		age := now.Sub(r.ended)
		tooMuch := left > maxDone || c.kept > maxKept
		drop := age > keepDone || tooMuch && (r.fetched || age > unfetchedLife)
		if drop {
			left--
			c.kept -= r.size()
			delete(c.byID, r.view.ID)
		}
		return drop
	})
}

func unknownCall(id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "there is no such call, or it ended long ago",
		Hint: "The journal keeps every call: apollia audit.", Args: map[string]string{"id": id},
	}
}
