package domain

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest identifies the tool's definition as a person saw it: name, title, description, schemas and annotations.
// White space of the JSON does not count, anything else does.
func (t Tool) Digest() string {
	return digest(t.Name, t.Title, t.Description, compact(t.InputSchema), compact(t.OutputSchema), compact(t.Annotations()))
}

// Annotations are what the tool claims of itself, as the server sent them; nil for a tool without any.
func (t Tool) Annotations() json.RawMessage {
	var annotated struct {
		Annotations json.RawMessage `json:"annotations"`
	}
	// A tool without Raw, or with broken Raw, simply has no annotations.
	_ = json.Unmarshal(t.Raw, &annotated)
	return annotated.Annotations
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
	decoder := json.NewDecoder(bytes.NewReader(c.Params))
	decoder.UseNumber() // numbers keep their digits
	members := map[string]any{}
	if decoder.Decode(&members) != nil || decoder.More() {
		return digest(compact(c.Params))
	}
	delete(members, "_meta")
	canonical, err := json.Marshal(members)
	if err != nil {
		return digest(compact(c.Params))
	}
	return digest(string(canonical))
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
