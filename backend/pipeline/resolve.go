package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/schema"
)

// Target is what a Lookup finds.
type Target = domain.Target

// Lookup finds what a call goes to. Its errors carry the codes of what is missing, such as CodeUnknownServer. For a
// server that is off it may leave the tool out.
type Lookup interface {
	Find(context.Context, domain.Call) (Target, error)
}

// Resolve finds the call's target and refuses what would fail anyway, before a person is bothered: an unknown or
// disabled server, an unknown tool, arguments that do not fit. The stages after it see call.Target, and call.Server is
// then the server's id.
func Resolve(lookup Lookup) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			call, err := resolve(ctx, lookup, call)
			if err != nil {
				return refused(err)
			}
			return next(ctx, call)
		}
	}
}

func resolve(ctx context.Context, lookup Lookup, call domain.Call) (domain.Call, error) {
	switch call.Kind {
	case domain.ToolCall, domain.ResourceRead, domain.PromptGet:
	default: // a kind that no rule speaks of must not get past the rules
		return call, &domain.Error{Code: domain.CodeInvalidInput, Message: fmt.Sprintf("unknown kind of call %q", call.Kind)}
	}
	target, err := lookup.Find(ctx, call)
	if err != nil {
		return call, canceled(ctx, err)
	}
	call.Server, call.Target = target.Server.ID, &target
	if !target.Server.Enabled {
		return call, domain.ServerOff(target.Server.ID, target.Server.Name)
	}
	return call, Check(call)
}

// Check says why a call whose target is known could not be made: there is no such tool, or the params do not name it, or
// do not fit it.
func Check(call domain.Call) error {
	if call.Kind == domain.ToolCall && call.Target.Tool == nil {
		return unknownTool(call)
	}
	if call.Target.Held {
		return nil // it is refused for its definition, and nobody is told what fits that one
	}
	return checkParams(call)
}

// checkParams makes sure that what is governed is what runs: the params name what the call names, in one spelling, and
// the arguments of a tool fit its schema.
func checkParams(call domain.Call) error {
	subject, object := "name", "arguments"
	if call.Kind == domain.ResourceRead {
		subject = "uri"
	}
	// Size was bounded where the call came in.
	limits := jsonrpc.Limits{Size: max(int64(len(call.Params)), 1)}
	members, err := jsonrpc.Members(call.Params, limits, subject, object)
	if err != nil {
		return invalidParams("params", "the params are not a usable object: "+err.Error(), err)
	}
	var name *string
	if err := json.Unmarshal(members[subject], &name); err != nil || name == nil || *name != call.Name {
		return invalidParams(subject, fmt.Sprintf("the params do not say that %q is %q", subject, call.Name), nil)
	}
	arguments := members[object]
	if arguments == nil {
		arguments = json.RawMessage(`{}`)
	}
	if call.Kind == domain.ResourceRead {
		return nil
	}
	if !bytes.HasPrefix(arguments, []byte("{")) {
		return invalidParams(object, "the arguments are not an object", nil)
	}
	if call.Kind != domain.ToolCall {
		return checkPrompt(call.Target.Prompt, arguments)
	}
	return schema.Validate(call.Target.Tool.InputSchema, arguments)
}

// checkPrompt refuses a prompt that lacks an argument it says it needs. One that its server did not list is for the
// server to judge.
func checkPrompt(prompt *domain.Prompt, arguments json.RawMessage) error {
	if prompt == nil {
		return nil
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &given); err != nil {
		return invalidParams("arguments", "the arguments are not an object", err)
	}
	for _, argument := range prompt.Arguments {
		if value := given[argument.Name]; argument.Required && (value == nil || string(value) == "null") {
			return invalidParams("/"+argument.Name, fmt.Sprintf("the argument %q is missing", argument.Name), nil)
		}
	}
	return nil
}

func invalidParams(path, sentence string, cause error) error {
	return &domain.Error{
		Code:    domain.CodeInvalidArguments,
		Message: sentence,
		Hint:    "Correct the call and try again.",
		Args:    map[string]string{"path": path, "problem": sentence},
		Cause:   cause,
	}
}

func unknownTool(call domain.Call) error {
	return &domain.Error{
		Code:    domain.CodeUnknownTool,
		Message: fmt.Sprintf("the server %s has no tool %q", call.Target.Server.Name, call.Name),
		Hint:    "See what it offers with: apollia mcp tools " + call.Server,
		Args:    map[string]string{"server": call.Server, "tool": call.Name},
	}
}
