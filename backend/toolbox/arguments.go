package toolbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/schema"
)

// meta reads the arguments of a meta-tool, and does what it does.
func meta[In any](do func(*Toolbox, context.Context, Use, In) ActionResult) func(*Toolbox, context.Context, Use, json.RawMessage) ActionResult {
	return func(t *Toolbox, ctx context.Context, use Use, arguments json.RawMessage) ActionResult {
		var in In
		if len(present(arguments)) > 0 {
			if err := json.Unmarshal(arguments, &in); err != nil {
				return failed("", invalidParams(misfit(err)))
			}
		}
		return do(t, ctx, use, in)
	}
}

// misfit says in an agent's words what json could not read.
func misfit(err error) string {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return wrong.Field + " may not be a " + wrong.Value
	}
	return "the arguments are no JSON object"
}

// check refuses arguments that a meta-tool does not have, by exact name. An agent that writes "arguments" for "params" would
// else run a tool without any, and never know.
func (m metaTool) check(arguments json.RawMessage) error {
	if len(present(arguments)) == 0 {
		return nil
	}
	members, err := jsonrpc.Members(arguments, jsonrpc.Limits{Size: int64(len(arguments)) + 1})
	if err != nil {
		return invalidParams("the arguments are no JSON object, or name something twice")
	}
	takes := schema.ParametersOf(json.RawMessage(m.schema)).All
	if len(takes) == 0 {
		return nil // nothing that it ignores could have changed what it does
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(takes, name) {
			return invalidParams(fmt.Sprintf("there is no argument %q; it takes %s", short(name), strings.Join(takes, ", ")))
		}
	}
	return nil
}

// maxEcho is how much is repeated of a name that somebody made up, in characters.
const maxEcho = 100

// short is a name as an error repeats it.
func short(name string) string { return clip(name, maxEcho) }

// clip is a text of at most so many characters, with a sign where there were more.
func clip(text string, most int) string {
	characters := 0
	for at := range text {
		if characters == most {
			return text[:at] + "…"
		}
		characters++
	}
	return text
}
