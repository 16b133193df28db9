package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// DigestScheme counts the ways in which Tool.Digest was made. Whoever keeps a digest keeps it beside, so that another
// scheme is not taken for another definition.
const DigestScheme = 1

// Digest identifies the tool's definition as a person saw it: name, title, description, schemas and annotations.
// White space of the JSON and the order of its members do not count, anything else does.
func (t Tool) Digest() string {
	return digest(t.Name, t.Title, t.Description, canonical(t.InputSchema), canonical(t.OutputSchema), canonical(t.Annotations()))
}

// Annotations are what the tool claims of itself, as the server sent them; nil for a tool without any.
func (t Tool) Annotations() json.RawMessage {
	var members map[string]json.RawMessage // a struct would take "Annotations" too
	// A tool without Raw, or with broken Raw, simply has no annotations.
	_ = json.Unmarshal(t.Raw, &members)
	return members["annotations"]
}

// StartDigest identifies what runs or is reached: transport, command, arguments, working folder and URL, unexpanded.
func (d Definition) StartDigest() string {
	parts := []string{string(d.Transport), d.Command, d.Cwd, d.URL}
	return digest(append(parts, d.Args...)...)
}

// ArgumentsDigest identifies the params of a call, with white space, the order of keys and the request's _meta left out.
func (c Call) ArgumentsDigest() string {
	if c.digest.isOf(c.Params) {
		return c.digest.sum
	}
	members, ok := decoded[map[string]any](c.Params)
	if !ok || members == nil {
		return digest(compact(c.Params))
	}
	delete(members, "_meta")
	sorted, err := json.Marshal(members)
	if err != nil {
		return digest(compact(c.Params))
	}
	return digest(string(sorted))
}

// Digested is the call with its digest at hand, as long as its params stay these very bytes.
func (c Call) Digested() Call {
	c.digest = knownDigest{of: c.Params, sum: c.ArgumentsDigest()}
	return c
}

// knownDigest is a digest with the bytes that it is of.
type knownDigest struct {
	of  json.RawMessage
	sum string
}

func (k knownDigest) isOf(params json.RawMessage) bool {
	same := len(k.of) == len(params) && (len(params) == 0 || &k.of[0] == &params[0])
	return same && k.sum != ""
}

// canonical writes JSON with its members in order; what is no JSON stays as it is.
func canonical(raw json.RawMessage) string {
	value, ok := decoded[any](raw)
	if !ok {
		return string(raw)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		return string(raw)
	}
	return string(sorted)
}

// decoded reads one JSON value, whose numbers keep their digits.
func decoded[T any](raw json.RawMessage) (value T, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	ok = decoder.Decode(&value) == nil && !decoder.More()
	return value, ok
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func digest(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		sum := sha256.Sum256([]byte(part))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}
