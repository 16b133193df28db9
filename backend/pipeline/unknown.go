package pipeline

import (
	"context"
	"encoding/json"
	"maps"

	"apollia.fr/connexions/backend/domain"
)

// Unknown says "outcome unknown" of a call that went to its server and whose answer was lost on the way back: it may have
// run, so a person looks before it is done again. A tool that says it only reads, or may be run twice with the same
// effect, keeps the plain reason, as does what provably was not sent. It belongs right before the server.
func Unknown() Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			result, err := next(ctx, call)
			if err == nil || !isLost(err) || mayRunTwice(call) {
				return result, err
			}
			return result, unknown(err)
		}
	}
}

// isLost holds for errors that say nothing of what became of the call.
func isLost(err error) bool {
	if domain.Unsent(err) {
		return false
	}
	e := domain.AsError(err)
	switch e.Code {
	case domain.CodeServerExited, domain.CodeConnClosed, domain.CodeConnFailed, domain.CodeConnTimeout:
		return true
	case domain.CodeHTTPStatus: // of what stands between us and the server
		status := e.Args["status"]
		return status == "502" || status == "504"
	}
	return false
}

// mayRunTwice reports whether doing a call again does nothing more than doing it once, as far as its server says.
func mayRunTwice(call domain.Call) bool {
	switch {
	case call.Kind != domain.ToolCall:
		return true
	case call.Target == nil || call.Target.Tool == nil:
		return false
	case call.Target.Effect == domain.Reads:
		return true
	}
	var tool struct {
		Annotations struct {
			Idempotent bool `json:"idempotentHint"`
		} `json:"annotations"`
	}
	return json.Unmarshal(call.Target.Tool.Raw, &tool) == nil && tool.Annotations.Idempotent
}

// unknown keeps what is known: the sentence of the loss, and its proof, such as the last lines of stderr.
func unknown(err error) error {
	lost := domain.AsError(err)
	e := &domain.Error{
		Code:    domain.CodeOutcomeUnknown,
		Message: "The call was sent, but its answer was lost. " + lost.Message + " It may have run.",
		Hint:    "Look at the server whether it ran before you do it again.",
		Args:    map[string]string{"cause": string(lost.Code)},
		Proof:   lost.Proof, Cause: err,
	}
	maps.Copy(e.Args, lost.Args)
	delete(e.Args, "reason") // the words of the loss, not of this
	return e
}
