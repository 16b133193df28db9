package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestLostAnswerMeansUnknownUnlessItMayRunTwice(t *testing.T) {
	tool := func(effect domain.Effect, annotations string) domain.Call {
		raw := json.RawMessage(`{"name":"pay","annotations":` + annotations + `}`)
		return domain.Call{Kind: domain.ToolCall, Name: "pay", Target: &domain.Target{Tool: &domain.Tool{Raw: raw}, Effect: effect}}
	}
	writes, reads := tool(domain.Writes, `{}`), tool(domain.Reads, `{"readOnlyHint":true}`)
	again := tool(domain.Destroys, `{"idempotentHint":true}`)
	exited := &domain.Error{Code: domain.CodeServerExited, Message: "The server ended.", Proof: "out of memory", Args: map[string]string{"exit_code": "3"}}
	closed := &domain.Error{Code: domain.CodeConnClosed, Message: "It closed.", Args: map[string]string{"reason": "x"}}
	status := func(s string) error {
		return &domain.Error{Code: domain.CodeHTTPStatus, Args: map[string]string{"status": s}}
	}
	tests := []struct {
		name string
		call domain.Call
		err  error
		want domain.Code
	}{
		{"a program that ended", writes, exited, domain.CodeOutcomeUnknown},
		{"a tool without a definition", domain.Call{Kind: domain.ToolCall}, exited, domain.CodeOutcomeUnknown},
		{"a dropped connection", writes, closed, domain.CodeOutcomeUnknown},
		{"a gateway that gave up", writes, status("504"), domain.CodeOutcomeUnknown},
		{"a tool that reads", reads, exited, domain.CodeServerExited},
		{"a tool that may run twice", again, closed, domain.CodeConnClosed},
		{"a resource", domain.Call{Kind: domain.ResourceRead}, closed, domain.CodeConnClosed},
		{"a prompt", domain.Call{Kind: domain.PromptGet}, closed, domain.CodeConnClosed},
		{"not sent", writes, fmt.Errorf("%w (%w)", closed, domain.ErrUnsent), domain.CodeConnClosed},
		{"nothing listened", writes, &domain.Error{Code: domain.CodeConnRefused}, domain.CodeConnRefused},
		{"a refusal", writes, status("400"), domain.CodeHTTPStatus},
		{"an error of the tool", writes, &domain.Error{Code: domain.CodeToolFailed}, domain.CodeToolFailed},
		{"taken back", writes, &domain.Error{Code: domain.CodeCanceled}, domain.CodeCanceled},
	}
	for _, test := range tests {
		road := Build(func(context.Context, domain.Call) (domain.Result, error) { return domain.Result{}, test.err }, Unknown())
		_, err := road(t.Context(), test.call)
		if got := domain.CodeOf(err); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
		if !errors.Is(err, test.err) {
			t.Errorf("%s: the cause is gone from %v", test.name, err)
		}
		if e := domain.AsError(err); test.name == "a program that ended" && (e.Proof != "out of memory" || e.Args["exit_code"] != "3") {
			t.Errorf("%s: %+v", test.name, e)
		}
	}
}

func TestAnswersPassUnknown(t *testing.T) {
	want := domain.Result{Raw: json.RawMessage(`{}`)}
	road := Build(func(context.Context, domain.Call) (domain.Result, error) { return want, nil }, Unknown())
	if got, err := road(t.Context(), domain.Call{Kind: domain.ToolCall}); err != nil || string(got.Raw) != "{}" {
		t.Errorf("got %v, %v", got, err)
	}
}
