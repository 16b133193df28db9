package pipeline

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Stream tells progress of a call whose server says nothing for a while, once, and marks the result of a slow call. Waiting
// for a person is not slow.
func Stream(wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			want := wanted(call).Streaming
			if want == nil {
				return next(ctx, call)
			}
			w := &watch{after: want.SlowAfter, tell: call.Tell}
			defer w.stop() // after a panic too
			result, err := next(ctx, hear(call, w.hear))
			result.Meta.Slow = w.stop()
			return result, err
		}
	}
}

// watch is a clock that runs while a call is at its server and says nothing.
type watch struct {
	after time.Duration
	tell  func(domain.Notice)

	mu    sync.Mutex
	timer *time.Timer
	asked int // questions of the server that wait for an answer
	slow  bool
	over  bool
}

func (w *watch) hear(n domain.Notice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch n.Kind {
	case domain.NoticeRunning, domain.NoticeProgress, domain.NoticeTask:
	case domain.NoticeAsked:
		w.asked++
	case domain.NoticeAnswered:
		w.asked--
	default:
		return
	}
	if w.timer != nil {
		w.timer.Stop()
	}
	if !w.over && !w.slow && w.asked == 0 {
		w.timer = time.AfterFunc(w.after, w.late)
	}
}

func (w *watch) late() {
	w.mu.Lock()
	defer w.mu.Unlock() // so that nothing is told once the call is over
	if !w.over && !w.slow && w.asked == 0 {
		w.slow = true
		w.tell(domain.Notice{Kind: domain.NoticeProgress, Params: json.RawMessage(`{"progress":0,"message":"the server takes its time"}`)})
	}
}

// stop ends the clock and says whether it went off.
func (w *watch) stop() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.timer != nil {
		w.timer.Stop()
	}
	return w.slow
}
