package api

import (
	"context"
	"crypto/rand"
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
	maxCalls     = 1000
	maxNotices   = 200
)

// calls are the calls that came through the API. A window cannot hold a request open or see it cancelled, so a call
// is started by one request and followed by others.
type calls struct {
	call domain.CallFunc
	hub  *events.Hub
	now  func() time.Time
	// base ends every call when the API closes.
	base context.Context //nolint:containedctx // the calls outlive the requests that start them
	stop context.CancelFunc
	wg   sync.WaitGroup

	mu   sync.Mutex
	byID map[string]*runningCall
}

type runningCall struct {
	view    CallView
	cancel  context.CancelFunc
	changed chan struct{} // closed and replaced at each change
	ended   time.Time
	lease   *time.Timer // nil for callers that may go and come back
}

func newCalls(call domain.CallFunc, hub *events.Hub, now func() time.Time) *calls {
	base, stop := context.WithCancel(context.Background())
	return &calls{call: call, hub: hub, now: now, base: base, stop: stop, byID: make(map[string]*runningCall)}
}

func (c *calls) close() {
	c.stop()
	c.wg.Wait()
}

func (c *calls) start(call domain.Call) (string, error) {
	call.ID = rand.Text()
	ctx, cancel := context.WithCancel(c.base)
	r := &runningCall{
		view: CallView{
			ID: call.ID, Status: CallRunning, Server: call.Server, Kind: call.Kind, Name: call.Name,
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
	c.forget()
	if len(c.byID) >= maxCalls {
		cancel()
		return "", &domain.Error{
			Code: domain.CodeDenied, Message: "too many calls run at once", Hint: "Wait for some to end, or cancel them.",
		}
	}
	c.byID[call.ID] = r
	c.wg.Go(func() { c.run(ctx, r, call) })
	return call.ID, nil
}

func (c *calls) run(ctx context.Context, r *runningCall, call domain.Call) {
	defer r.cancel()
	result, err := c.call(ctx, call)
	c.mu.Lock()
	defer c.mu.Unlock()
	r.ended = c.now()
	r.view.Status = CallDone
	r.view.DurationMS = r.ended.Sub(r.view.StartedAt).Milliseconds()
	if err != nil {
		r.view.Error = problem(err).Err
		if id := r.view.Error.Args["request_id"]; id != "" {
			r.view.RequestID = id
		}
	} else {
		r.view.Result = &result
		r.view.IsError = result.IsError()
	}
	c.tell(r)
}

func (c *calls) notice(r *runningCall, n domain.Notice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch n.Kind {
	case domain.NoticeWaiting:
		r.view.Status, r.view.RequestID = CallWaiting, n.RequestID
	case domain.NoticeRunning:
		r.view.Status = CallRunning
	case domain.NoticeDecided, domain.NoticeProgress, domain.NoticeLog:
	}
	if len(r.view.Notices) < maxNotices {
		r.view.Notices = append(r.view.Notices, n)
	}
	c.tell(r)
}

// tell wakes those who wait for a change of r. The caller holds the lock.
func (c *calls) tell(r *runningCall) {
	close(r.changed)
	r.changed = make(chan struct{})
	c.hub.Publish(domain.Event{Topic: domain.TopicCalls, ID: r.view.ID})
}

// await returns the call once it is done, once it starts to wait for a person, or after the given time.
func (c *calls) await(ctx context.Context, id string, wait time.Duration) (CallView, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	first := true
	var was CallStatus
	for {
		view, changed, err := c.look(id)
		if err != nil || view.Status == CallDone || wait == 0 || !first && view.Status != was {
			return view, err
		}
		first, was = false, view.Status
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

// forget drops calls that ended long ago. The caller holds the lock.
func (c *calls) forget() {
	for id, r := range c.byID {
		if r.view.Status == CallDone && c.now().Sub(r.ended) > keepDone {
			delete(c.byID, id)
		}
	}
}

func unknownCall(id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "there is no such call, or it ended long ago",
		Hint: "The journal keeps every call: apollia audit.", Args: map[string]string{"id": id},
	}
}
