// Package native holds the native modules: filesystem, database.
//
// A module offers what the session of an MCP server offers: entries of tools/list and results of tools/call (MCP
// 2025-11-25, server/tools), so that nobody further up needs to know the difference. It holds no file or connection open
// between two calls: each call opens what it needs, after looking again whether it may, and closes it before it ends.
package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/schema"
)

// Module is a native module as everything above this package sees it.
type Module interface {
	// ID is what stands before the dot in the names of its tools.
	ID() string
	// Tools are as an MCP server would list them; Raw is the entry of tools/list.
	Tools() []domain.Tool
	// Call runs one tool. Arguments were validated against its input schema by whoever calls. A tool that fails says so
	// in its result (isError). Errors: CodeUnknownTool, CodeInvalidArguments, and the context's own.
	Call(ctx context.Context, tool string, arguments json.RawMessage) (domain.Result, error)
}

// tool is one tool of a module and what runs it.
type tool struct {
	name, title, description string
	input                    string // JSON Schema
	effect                   domain.Effect
	idempotent               bool
	run                      func(ctx context.Context, arguments json.RawMessage) (answer, error)
}

// listed writes a tool as an MCP server lists it.
func (t tool) listed(module string) domain.Tool {
	type hints struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
		Idempotent  bool `json:"idempotentHint"`
		OpenWorld   bool `json:"openWorldHint"`
	}
	raw, err := json.Marshal(struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
		Annotations hints           `json:"annotations"`
	}{
		t.name, t.title, t.description, json.RawMessage(t.input),
		hints{ReadOnly: t.effect == domain.Reads, Destructive: t.effect == domain.Destroys, Idempotent: t.idempotent},
	})
	if err != nil {
		panic(fmt.Sprintf("the input schema of %s.%s is no JSON: %v", module, t.name, err)) // a mistake in this package
	}
	return domain.Tool{
		Server: module, Name: t.name, Title: t.title, Description: t.description, InputSchema: json.RawMessage(t.input), Effect: t.effect, Raw: raw,
	}
}

// toolset is what the modules have in common.
type toolset struct {
	id    string
	tools []tool
}

// ID is the module's id.
func (s toolset) ID() string { return s.id }

// Tools lists the module's tools.
func (s toolset) Tools() []domain.Tool {
	listed := make([]domain.Tool, 0, len(s.tools))
	for _, t := range s.tools {
		listed = append(listed, t.listed(s.id))
	}
	return listed
}

// Call runs one tool.
func (s toolset) Call(ctx context.Context, name string, arguments json.RawMessage) (domain.Result, error) {
	for _, t := range s.tools {
		if t.name == name {
			return t.call(ctx, arguments)
		}
	}
	return domain.Result{}, &domain.Error{
		Code: domain.CodeUnknownTool, Message: fmt.Sprintf("%s has no tool %q", s.id, name), Hint: "List its tools, and use one of those names.",
		Args: map[string]string{"server": s.id, "tool": name},
	}
}

func (t tool) call(ctx context.Context, arguments json.RawMessage) (domain.Result, error) {
	if err := ctx.Err(); err != nil {
		return domain.Result{}, err
	}
	if len(arguments) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	said, err := t.run(ctx, arguments)
	var unread *unreadError
	switch {
	case errors.As(err, &unread):
		return domain.Result{}, t.explain(arguments, unread)
	case ctx.Err() != nil && err != nil:
		return domain.Result{}, context.Cause(ctx)
	case err != nil:
		said = failed(err)
	}
	return said.result()
}

// unreadError says that arguments do not have the form that the schema demands.
type unreadError struct{ cause error }

func (e *unreadError) Error() string { return "read arguments: " + e.cause.Error() }
func (e *unreadError) Unwrap() error { return e.cause }

// explain says of arguments that cannot be read what the schema says of them, as for any server.
func (t tool) explain(arguments json.RawMessage, unread *unreadError) error {
	if err := schema.Validate(json.RawMessage(t.input), arguments); err != nil {
		return err
	}
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "the arguments cannot be used: they do not have the form that " + t.name + " takes",
		Hint: "Correct the arguments; the tool's input schema says what it takes.", Args: map[string]string{"path": "", "problem": "wrong form"}, Cause: unread,
	}
}

// typed decodes the arguments of a tool. What is null counts as left out.
func typed[T any](run func(context.Context, T) (answer, error)) func(context.Context, json.RawMessage) (answer, error) {
	return func(ctx context.Context, arguments json.RawMessage) (answer, error) {
		var wanted T
		if err := json.Unmarshal(arguments, &wanted); err != nil {
			return answer{}, &unreadError{err}
		}
		return run(ctx, wanted)
	}
}

// count is a number of things. JSON Schema takes 10.0 for an integer, and so does it.
type count int

// UnmarshalJSON reads a number without a fraction.
func (c *count) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	const most = 1 << 50
	number, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || number != float64(int64(number)) || number > most || number < -most {
		return fmt.Errorf("%.40s is no count", raw)
	}
	*c = count(number)
	return nil
}

// within gives a count between one and the most, or the usual one where none was given.
func (c count) within(usual, most int) int {
	if c <= 0 {
		return usual
	}
	return min(int(c), most)
}
