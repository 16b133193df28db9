package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// request gives the method and the params of a call. The params go out as they came.
func request(call domain.Call) (method string, params json.RawMessage, err error) {
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
		params, err = json.Marshal(map[string]string{member: call.Name})
		return method, params, err
	}
	// What was allowed is call.Name; what is sent must be the same, however a server reads it.
	m, err := jsonrpc.Members(params, jsonrpc.Limits{Size: int64(len(params)) + 1}, member, "arguments", "_meta")
	if err != nil {
		return "", nil, badArguments(err)
	}
	if name, ok := textOf(m[member]); !ok || name != call.Name {
		return "", nil, badArguments(fmt.Errorf("%q is not %q", member, call.Name))
	}
	return method, params, nil
}

func badArguments(cause error) error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "The parameters of the call are not usable: " + cause.Error() + ".",
		Hint: "Correct the parameters.", Cause: fmt.Errorf("%w (%w)", cause, domain.ErrUnsent),
	}
}

// member is one member of an object.
type member struct {
	name  string
	value json.RawMessage
}

// withMeta sets members of _meta in params and leaves every other byte.
func withMeta(params json.RawMessage, wanted ...member) (json.RawMessage, error) {
	m, err := jsonrpc.Members(params, jsonrpc.Limits{Size: int64(len(params)) + 1}, "_meta")
	if err != nil {
		return nil, badArguments(err)
	}
	meta := m["_meta"]
	if meta == nil {
		changed, err := set(json.RawMessage(`{}`), wanted...)
		return insert(params, member{"_meta", changed}), err
	}
	changed, err := set(meta, wanted...)
	if err != nil {
		return nil, err
	}
	return replace(params, "_meta", changed)
}

// set puts members into an object, in the place of those of the same name.
func set(object json.RawMessage, wanted ...member) (json.RawMessage, error) {
	var names []string
	for _, w := range wanted {
		names = append(names, w.name)
	}
	known, err := jsonrpc.Members(object, jsonrpc.Limits{Size: int64(len(object)) + 1}, names...)
	if err != nil {
		return nil, badArguments(err)
	}
	for _, w := range slices.Backward(wanted) {
		if known[w.name] == nil {
			object = insert(object, w)
		} else if object, err = replace(object, w.name, w.value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// insert puts a member at the front of an object.
func insert(object json.RawMessage, m member) json.RawMessage {
	start := bytes.IndexByte(object, '{') + 1
	rest := object[start:]
	added := strconv.Quote(m.name) + ":" + string(m.value)
	if trimmed := bytes.TrimLeft(rest, " \t\r\n"); len(trimmed) > 0 && trimmed[0] != '}' {
		added += ","
	}
	return bytes.Join([][]byte{object[:start], []byte(added), rest}, nil)
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

// without takes members out of an object.
func without(object json.RawMessage, names ...string) (json.RawMessage, error) {
	known, err := jsonrpc.Members(object, jsonrpc.Limits{Size: int64(len(object)) + 1}, names...)
	if err != nil {
		return nil, badArguments(err)
	}
	found := false
	for _, name := range names {
		_, here := known[name]
		found = found || here
		delete(known, name)
	}
	if !found {
		return object, nil
	}
	return json.Marshal(known)
}
