package mcptest

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

type callParams struct {
	Name      string `json:"name"`
	Arguments struct {
		Message string `json:"message"`
		MS      int    `json:"ms"`
		Bytes   int    `json:"bytes"`
		URL     string `json:"url"`
		Query   string `json:"query"`
	} `json:"arguments"`
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
	} `json:"_meta"`
}

func text(s string) any { return object{"content": []any{object{"type": "text", "text": s}}} }

func (s *session) call(ctx context.Context, params json.RawMessage, send func(message)) (any, *rpcError) {
	var p callParams
	if json.Unmarshal(params, &p) != nil {
		return nil, &rpcError{Code: -32602, Message: "Invalid params"}
	}
	if err := s.o.enter(p.Arguments.Message + p.Arguments.Query); err != nil {
		return nil, &rpcError{Code: -32603, Message: err.Error()}
	}
	if s.o.stumbles(p.Arguments.Message) {
		s.crash()
	}
	switch p.Name {
	case "echo":
		return text(p.Arguments.Message), nil
	case "fail":
		return object{"content": []any{object{"type": "text", "text": "it failed"}}, "isError": true}, nil
	case "crash":
		s.crash()
		<-ctx.Done()
	case "slow":
		return s.slow(ctx, p, send), nil
	case "huge":
		return text(strings.Repeat("x", p.Arguments.Bytes)), nil
	case "wait":
		<-ctx.Done()
	case "elicit", "visit", "sample", "roots", "ping":
		return s.question(ctx, p, send), nil
	case "locked":
		return s.locked(p)
	case "unlock":
		return s.unlock(p), nil
	case "widget":
		return object{"content": []any{}, "vendor": json.RawMessage(`{"n":1e3}`)}, nil
	case "log":
		send(message{Method: "notifications/message", Params: mustJSON(object{"level": "warning", "logger": "fake", "data": p.Arguments.Message})})
		return text("logged"), nil
	case "meta":
		return text(string(params)), nil
	case "task":
		return s.startTask(params, p.Arguments.Message)
	case "search_books", "lend_book":
		return s.lend(p.Name, p.Arguments.Query)
	case "change", "retell", "drop":
		s.announce(p.Name, p.Arguments.Message)
	default:
		return s.inspect(p.Name)
	}
	return text(""), nil
}

// question asks the client something and gives its answer back.
func (s *session) question(ctx context.Context, p callParams, send func(message)) any {
	var answer json.RawMessage
	switch p.Name {
	case "elicit":
		schema := object{"type": "object", "properties": object{"name": object{"type": "string"}}}
		answer = s.ask(ctx, "elicitation/create", object{"message": "Who are you?", "requestedSchema": schema}, send)
	case "visit":
		return s.visit(ctx, p, send)
	case "sample":
		answer = s.ask(ctx, "sampling/createMessage", sampling(), send)
	case "roots":
		answer = s.ask(ctx, "roots/list", object{}, send)
	default:
		answer = s.ask(ctx, p.Name, object{}, send)
	}
	return text(string(answer))
}

// announce runs the tools that tell of changes.
func (s *session) announce(tool, what string) {
	switch tool {
	case "change":
		s.changes.tell(what)
		s.emit(message{Method: "notifications/resources/updated", Params: mustJSON(object{"uri": what})})
	case "retell":
		s.changes.retell(what)
		s.emit(message{Method: "notifications/tools/list_changed"})
	case "drop":
		s.changes.tell("drop")
	}
}

// inspect answers the tools that look at the server or change it.
func (s *session) inspect(name string) (any, *rpcError) {
	switch name {
	case "environment":
		environ := os.Environ()
		slices.Sort(environ)
		return text(strings.Join(environ, "\n")), nil
	case "grow":
		s.changes.grow()
		s.emit(message{Method: "notifications/tools/list_changed"})
		return text("grown"), nil
	case "forget":
		if s.forget != nil {
			s.forget()
		}
		return text("forgotten"), nil
	case "level":
		s.mu.Lock()
		defer s.mu.Unlock()
		return text(s.level), nil
	case "cancelled_tasks":
		return text(strconv.Itoa(s.tasks.cancelled())), nil
	case "cancelled":
		s.mu.Lock()
		defer s.mu.Unlock()
		return text(strings.Join(s.cancelled, ",")), nil
	}
	if strings.HasPrefix(name, "tool_") || isMonster(name) {
		return text(name), nil
	}
	return nil, &rpcError{Code: -32602, Message: "Unknown tool: " + name}
}

func (s *session) slow(ctx context.Context, p callParams, send func(message)) any {
	const parts = 4
	for i := range parts {
		select {
		case <-time.After(time.Duration(p.Arguments.MS) * time.Millisecond / parts):
		case <-ctx.Done():
			return nil
		}
		if p.Meta.ProgressToken != nil {
			send(message{Method: "notifications/progress", Params: mustJSON(object{
				"progressToken": p.Meta.ProgressToken, "progress": i + 1, "total": parts, "message": strings.TrimSpace("busy " + s.echo),
			})})
		}
	}
	return text("done")
}

// sampling asks for a text.
func sampling() object {
	return object{
		"messages":     []any{object{"role": "user", "content": object{"type": "text", "text": "Say hi to Ada."}}},
		"systemPrompt": "Be brief.", "maxTokens": 5,
	}
}
