package cli

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// callLook is how long one request waits for a call to go on, in milliseconds: what happens meanwhile is seen after it.
const callLook = 1000

// call makes a call and stays until it ends. Where the policy asks, a person at this terminal is asked here; without a
// terminal the call waits for as long as approval says: not at all for 0.
func (in *invocation) call(ctx context.Context, c *client, request api.CallRequest, approval time.Duration) (api.CallView, error) {
	request.ApprovalWaitMS = approval.Milliseconds()
	if in.Terminal && approval == 0 {
		request.ApprovalWaitMS = -1
	}
	// The id must be known whatever happens, or the call could not be cancelled.
	bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), startPatience)
	defer stop()
	view, err := post[api.CallView](bounded, c, "/api/calls", request)
	if err != nil {
		return view, err
	}
	working := in.working(request.Name)
	defer func() { working.end() }()
	asked := false
	for view.Status != api.CallDone {
		if view.Status == api.CallWaiting && request.ApprovalWaitMS != 0 {
			working.end()
			view, err = in.stay(ctx, c, view)
			working = in.working(request.Name)
		} else {
			view, err = look(ctx, c, view)
		}
		if ctx.Err() != nil {
			return view, in.cancel(ctx, c, at("calls", view.ID))
		}
		if err != nil {
			return view, err
		}
		working.say(doing(request.Name, view.Notices))
		if was := asked; isAsked(view) != was {
			asked = !was
			working.end()
			if asked && request.ApprovalWaitMS != 0 {
				in.say("%s asks something and waits for the answer", printable(view.Server))
			}
			working = in.working(request.Name)
		}
	}
	if request.ApprovalWaitMS == 0 && wasAsked(view) {
		working.end()
		in.say("%s asked something, which nobody could answer here; stay for the answer with --wait 60", printable(view.Server))
	}
	if view.Error != nil {
		return view, view.Error
	}
	return view, nil
}

// wasAsked reports whether the server asked something.
func wasAsked(view api.CallView) bool {
	return slices.ContainsFunc(view.Notices, func(n domain.Notice) bool { return n.Kind == domain.NoticeAsked })
}

// doing says how far a call has come, as its server tells.
func doing(name string, notices []domain.Notice) string {
	for _, notice := range slices.Backward(notices) {
		var told struct {
			Progress, Total *json.Number
			Message         string
			TaskID, Status  string
			StatusMessage   string
		}
		if json.Unmarshal(notice.Params, &told) != nil {
			continue
		}
		switch {
		case notice.Kind == domain.NoticeProgress && told.Progress != nil:
			far := told.Progress.String()
			if told.Total != nil {
				far += " of " + told.Total.String()
			}
			return joined(name, far, told.Message)
		case notice.Kind == domain.NoticeTask:
			return joined(name, "task "+told.TaskID+" "+told.Status, told.StatusMessage)
		}
	}
	return name
}

func joined(name, far, message string) string {
	if message != "" {
		far += ", " + message
	}
	return name + ": " + far
}

// isAsked reports whether the server asked something meanwhile and still waits for the answer.
func isAsked(view api.CallView) bool {
	for _, notice := range slices.Backward(view.Notices) {
		if notice.Kind == domain.NoticeAsked || notice.Kind == domain.NoticeAnswered {
			return notice.Kind == domain.NoticeAsked
		}
	}
	return false
}

// look waits for a call to end, or to start or stop waiting for a person.
func look(ctx context.Context, c *client, last api.CallView) (api.CallView, error) {
	view, err := get[api.CallView](ctx, c, at("calls", last.ID), "wait_ms", strconv.Itoa(callLook))
	if view.ID == "" {
		view.ID = last.ID
	}
	if domain.CodeOf(err) == domain.CodeNotRunning {
		err = cutOff(last, err)
	}
	return view, err
}

// cutOff is a call whose owner went away. While it was last seen to wait for a person, nothing was sent.
func cutOff(last api.CallView, cause error) error {
	if last.Status == api.CallWaiting && !last.Sent {
		return &domain.Error{
			Code: domain.CodeApprovalNeeded, Message: "Apollia ended while the call waited for an answer; it was not sent",
			Hint: "The request stays in the inbox; once it is approved, the same command goes through.", Cause: cause,
			Args: map[string]string{"request_id": last.RequestID},
		}
	}
	return &domain.Error{
		Code: domain.CodeOutcomeUnknown, Message: "Apollia ended before the end of the call was known",
		Hint: "Look before calling again: apollia audit", Cause: cause,
	}
}

// stay remains with a call that waits for a person, until somebody somewhere has answered or the waiting is over.
func (in *invocation) stay(ctx context.Context, c *client, view api.CallView) (api.CallView, error) {
	waiting, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	id, requestID := view.ID, view.RequestID
	var asked sync.WaitGroup
	if in.Terminal {
		asked.Go(func() {
			if err := in.decide(waiting, c, requestID); err != nil {
				stop(err)
			}
		})
	} else {
		in.say("request %s waits for an answer: apollia inbox show %s", requestID, requestID)
	}
	var err error
	for err == nil && view.Status == api.CallWaiting {
		view, err = look(waiting, c, view)
	}
	var refused *domain.Error
	if errors.As(context.Cause(waiting), &refused) && ctx.Err() == nil {
		_ = in.cancel(ctx, c, at("calls", id)) // the refusal says more than the end of the call
		err = refused
	}
	stop(nil) // somebody else may have answered: the question here is over
	asked.Wait()
	return view, err
}
