package mcptest

import "os"

// echoes is what a process repeats.
func (o Options) echoes() string { return os.Getenv(o.Echo) }

// repeat puts what the server repeats into every text of an answer that is for people.
func (s *session) repeat(result any, failure *rpcError) (any, *rpcError) {
	if s.echo == "" {
		return result, failure
	}
	if failure != nil {
		failure = &rpcError{Code: failure.Code, Message: failure.Message + " " + s.echo, Data: object{"seen": s.echo}}
	}
	return s.repeatIn("", result), failure
}

func (s *session) repeatIn(name string, v any) any {
	switch v := v.(type) {
	case object:
		out := object{}
		for key, inner := range v {
			out[key] = s.repeatIn(key, inner)
		}
		switch name {
		case "inputSchema":
			out["default"] = object{"message": s.echo}
		case "serverInfo":
			out["name"] = s.o.Name + " " + s.echo
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = s.repeatIn("", inner)
		}
		return out
	case string:
		switch name {
		case "title", "description", "instructions", "version":
			return v + " " + s.echo
		}
	}
	return v
}
