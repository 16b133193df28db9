package pipeline

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Journal keeps a line of every call before it starts and one after it ended.
type Journal interface {
	Intent(domain.Call) error
	Outcome(domain.Call, Outcome) error
}

// Outcome is how a call ended.
type Outcome struct {
	// Decision is nil when the call ended before the policy was asked.
	Decision *domain.Decision
	// RequestID is the inbox request that the call waited for or whose approval it used.
	RequestID string
	// Duration counts from the intent line and includes waiting for a person.
	Duration time.Duration
	// Sent is false only when the call provably never reached its server.
	Sent bool
	// Result is nil when the call failed.
	Result *domain.Result
	Err    error
}

// Record writes the intent line, and the outcome line whatever happens: refusals, cancellation and panics included. It
// belongs outermost. A call whose intent cannot be written is refused with the journal's error. An outcome that cannot
// be written is logged: the call is over, and its caller must not take it for one that failed.
//
// It learns the decision and the request from the notices of the stages after it.
func Record(journal Journal, now func() time.Time, logger *slog.Logger) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (result domain.Result, err error) {
			call = call.Digested() // every line has it
			if err := journal.Intent(call); err != nil {
				return refused(fmt.Errorf("record call: %w", err))
			}
			start := now()
			line := &recording{err: &domain.Error{Code: domain.CodeInternal, Message: "the call ended by a panic"}}
			defer func() {
				if err := journal.Outcome(call, line.outcome(now().Sub(start))); err != nil {
					logger.Error("record outcome of call", "call", call.ID, "server", call.Server, "error", err)
				}
			}()
			result, err = next(ctx, hear(call, line.hear))
			line.end(result, err)
			return result, err
		}
	}
}

// recording gathers what the outcome line will say. Notices come from any goroutine.
type recording struct {
	crossing
	mu        sync.Mutex
	decision  *domain.Decision
	requestID string
	result    *domain.Result
	err       error
}

func (r *recording) hear(n domain.Notice) {
	r.crossing.hear(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	if n.Kind == domain.NoticeDecided {
		r.decision = n.Decision
	}
	if n.RequestID != "" && n.Kind != domain.NoticeQuestion {
		r.requestID = n.RequestID
	}
}

func (r *recording) end(result domain.Result, err error) {
	r.err = err
	if err == nil {
		r.result = &result
	}
}

func (r *recording) outcome(took time.Duration) Outcome {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Outcome{
		Decision: r.decision, RequestID: r.requestID, Duration: took, Sent: r.sent(r.err), Result: r.result, Err: r.err,
	}
}
