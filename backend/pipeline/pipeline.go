// Package pipeline holds the stages a call goes through, and their order.
//
// A stage may refuse, shorten or redact a call; it never turns a refusal into a success. Stages talk to each other by
// two things only, both part of the call: what comes before says it in the call's fields (Target), what comes after
// says it by a notice to the call's Sink, which earlier stages listen in on.
package pipeline

import (
	"context"
	"errors"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// Stage puts something around the rest of the pipeline.
type Stage func(next domain.CallFunc) domain.CallFunc

// Build makes a call go through the stages, the first listed outermost, to end. It tells NoticeRunning when it hands a
// call over to end, once for each time.
func Build(end domain.CallFunc, stages ...Stage) domain.CallFunc {
	road := handingOver(end)
	for _, stage := range slices.Backward(stages) {
		road = stage(road)
	}
	return road
}

func handingOver(end domain.CallFunc) domain.CallFunc {
	return func(ctx context.Context, call domain.Call) (domain.Result, error) {
		call.Tell(domain.Notice{Kind: domain.NoticeRunning})
		return end(ctx, call)
	}
}

// hear gives the call with a sink that tells listen first, then whoever listened before.
func hear(call domain.Call, listen func(domain.Notice)) domain.Call {
	sink := call.Sink
	call.Sink = func(n domain.Notice) {
		listen(n)
		if sink != nil {
			sink(n)
		}
	}
	return call
}

// refused is what a stage returns instead of going on.
func refused(err error) (domain.Result, error) { return domain.Result{}, err }

// canceled says so in our words when err only means that the caller's context ended.
func canceled(ctx context.Context, err error) error {
	var named *domain.Error
	if err == nil || ctx.Err() == nil || errors.As(err, &named) {
		return err
	}
	return &domain.Error{
		Code:    domain.CodeCanceled,
		Message: "the call was canceled before it had a result",
		Hint:    "If it was a change, look whether it was made before you try again.",
		Cause:   err,
	}
}
