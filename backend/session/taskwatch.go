package session

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// taskWatch waits for the end of one task.
type taskWatch struct {
	session *Session
	call    domain.Call
	id      string

	// answered are the keys of the questions that were answered: a server may show one for a while after (SEP-2663).
	answered map[string]bool
	rounds   int
	givenUp  bool // here, while the server goes on

	// result receives the answer to tasks/result once it was asked for; asking is who does.
	result chan taskResult
	asking sync.WaitGroup
}

type taskResult struct {
	raw json.RawMessage
	err error
}

// awaitTask looks at a task until it ends, and gives the result of the call. A caller that leaves ends the task, and so
// does a question that it does not get an answer to.
func (s *Session) awaitTask(ctx context.Context, call domain.Call, t task) (json.RawMessage, error) {
	defer s.forgetTask(t.ID)
	w := &taskWatch{session: s, call: call, id: t.ID, answered: make(map[string]bool)}
	watching, stop := context.WithCancel(ctx)
	raw, err := w.run(watching, t)
	stop()
	w.asking.Wait()
	if ctx.Err() != nil || w.givenUp {
		s.cancelTask(ctx, t.ID)
	}
	return raw, err
}

func (w *taskWatch) run(ctx context.Context, t task) (json.RawMessage, error) {
	for {
		w.session.noteTask(w.call, w.id, t)
		w.call.Tell(domain.Notice{Kind: domain.NoticeTask, Params: encoded(map[string]string{
			"taskId": w.id, "status": t.Status, "statusMessage": w.session.link.Mask(t.Message),
		})})
		if raw, over, err := w.act(ctx, t); over || err != nil {
			return raw, err
		}
		select {
		case <-w.session.options.after(t.pause()):
		case r := <-w.result:
			return r.raw, r.err
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		raw, err := w.session.ofTask(ctx, "tasks/get", w.id)
		if err != nil && w.result != nil {
			return w.outcome(ctx) // which may be on its way, and the task forgotten
		}
		if err != nil {
			return nil, err
		}
		t = task{}
		if err := json.Unmarshal(raw, &t); err != nil || t.Status == "" {
			return nil, malformedTask(errors.Join(err, errors.New("no status")))
		}
	}
}

// act does what the status of a task asks for. over says that the task has ended, with raw as its result.
func (w *taskWatch) act(ctx context.Context, t task) (raw json.RawMessage, over bool, err error) {
	stateless := w.session.greeting.IsStateless()
	switch {
	case t.Status == taskWorking:
	case t.Status == taskNeedsYou && stateless:
		err = w.answer(ctx, t.needs)
		w.givenUp = err != nil
	case t.Status == taskNeedsYou:
		w.ask(ctx) // it asks what it needs to know once somebody waits for the result
	case stateless, t.Status == taskCancelled:
		raw, err = t.outcome()
		over = true
	default:
		w.ask(ctx) // only the result says how it ended
		raw, err = w.outcome(ctx)
		over = true
	}
	return raw, over, err
}

// ask asks for the result, which comes when the task has ended (MCP 2025-11-25, basic/utilities/tasks).
func (w *taskWatch) ask(ctx context.Context) {
	if w.result != nil {
		return
	}
	w.result = make(chan taskResult, 1)
	w.asking.Go(func() {
		raw, err := w.session.ofTask(ctx, "tasks/result", w.id)
		w.result <- taskResult{raw, err}
	})
}

// outcome waits for the result that was asked for.
func (w *taskWatch) outcome(ctx context.Context) (json.RawMessage, error) {
	select {
	case r := <-w.result:
		return r.raw, r.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// answer gives a task what it needs to go on, once for each question.
func (w *taskWatch) answer(ctx context.Context, n needs) error {
	fresh := needs{Requests: make(map[string]inputRequest)}
	for key, request := range n.Requests {
		if !w.answered[key] {
			fresh.Requests[key] = request
		}
	}
	if len(fresh.Requests) == 0 {
		return nil
	}
	if err := fresh.check(); err != nil {
		return err
	}
	if w.rounds == maxRounds {
		return tooManyRounds()
	}
	w.rounds++
	answers, err := w.session.answersTo(ctx, w.call, fresh)
	if err != nil {
		return err
	}
	params, err := w.session.dress(encoded(map[string]any{"taskId": w.id, "inputResponses": answers}), "")
	if err != nil {
		return err
	}
	if _, err = w.session.link.Call(ctx, "tasks/update", params, nil); err != nil {
		return err
	}
	for key := range answers {
		w.answered[key] = true
	}
	return nil
}

// ofTask asks about a task. What it answers belongs to the call, so it stays as it is.
func (s *Session) ofTask(ctx context.Context, method, id string) (json.RawMessage, error) {
	params, err := s.dress(encoded(map[string]string{"taskId": id}), "")
	if err != nil {
		return nil, err
	}
	return s.link.Call(ctx, method, params, nil)
}
