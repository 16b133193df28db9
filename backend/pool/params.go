package pool

import (
	"bytes"
	"encoding/json"
	"fmt"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// request gives the method and the params that a call is sent with. The params go out as they came, with the
// progress token put in.
func request(call domain.Call, token string) (method string, params json.RawMessage, err error) {
	member := "name"
	switch call.Kind {
	case domain.ToolCall:
		method = "tools/call"
	case domain.ResourceRead:
		method, member = "resources/read", "uri"
	case domain.PromptGet:
		method = "prompts/get"
	default:
		return "", nil, badArguments(fmt.Errorf("unknown kind of call %q", call.Kind))
	}
	params = call.Params
	if len(params) == 0 {
		if params, err = json.Marshal(map[string]string{member: call.Name}); err != nil {
			return "", nil, err
		}
	}
	// What was allowed is call.Name; what is sent must be the same, however a server reads it.
	m, err := jsonrpc.Members(params, jsonrpc.Limits{Size: int64(len(params)) + 1}, member, "arguments", "_meta")
	if err != nil {
		return "", nil, badArguments(err)
	}
	if name, ok := textOf(m[member]); !ok || name != call.Name {
		return "", nil, badArguments(fmt.Errorf("%q is not %q", member, call.Name))
	}
	params, err = withToken(params, m["_meta"], token)
	return method, params, err
}

func badArguments(cause error) error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "The parameters of the call are not usable: " + cause.Error() + ".",
		Hint: "Correct the parameters.", Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
	}
}

// withToken sets _meta.progressToken in params and leaves every other byte. meta is the value of _meta, nil when there
// is none.
func withToken(params, meta json.RawMessage, token string) (json.RawMessage, error) {
	quoted, err := json.Marshal(token)
	if err != nil {
		return nil, err
	}
	if meta == nil {
		return insert(params, `"_meta":{"progressToken":`+string(quoted)+`}`), nil
	}
	m, err := jsonrpc.Members(meta, jsonrpc.Limits{Size: int64(len(meta)) + 1}, "progressToken")
	if err != nil {
		return nil, badArguments(err)
	}
	changed := insert(meta, `"progressToken":`+string(quoted))
	if m["progressToken"] != nil {
		if changed, err = replace(meta, "progressToken", quoted); err != nil {
			return nil, err
		}
	}
	return replace(params, "_meta", changed)
}

// insert puts a member at the front of an object.
func insert(object json.RawMessage, member string) json.RawMessage {
	start := bytes.IndexByte(object, '{') + 1
	rest := object[start:]
	if trimmed := bytes.TrimLeft(rest, " \t\r\n"); len(trimmed) > 0 && trimmed[0] != '}' {
		member += ","
	}
	return bytes.Join([][]byte{object[:start], []byte(member), rest}, nil)
}

// replace puts other in the place of the value of a member. The object was read before, so it is well-formed.
func replace(object json.RawMessage, name string, other json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, badArguments(err)
	}
	for decoder.More() {
		key, err := decoder.Token()
		var value json.RawMessage
		if err == nil {
			err = decoder.Decode(&value)
		}
		if err != nil {
			return nil, badArguments(err)
		}
		if key == name {
			end := int(decoder.InputOffset())
			return bytes.Join([][]byte{object[:end-len(value)], other, object[end:]}, nil), nil
		}
	}
	return nil, badArguments(fmt.Errorf("no %q", name))
}
