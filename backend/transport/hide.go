package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// hideError hides the secrets in all that an error says: its sentence, its facts, its proof and the cause underneath,
// which then can be told by errors.Is only.
func (m Mask) hideError(err error) error {
	if err == nil || m.isEmpty() {
		return err
	}
	cause := concealed{cause: err, text: m.Hide(err.Error())}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		e := *known
		e.Message, e.Hint, e.Proof = m.Hide(e.Message), m.Hide(e.Hint), m.Hide(e.Proof)
		e.Args = maps.Clone(e.Args)
		for name, value := range e.Args {
			e.Args[name] = m.Hide(value)
		}
		e.Cause = cause
		return &e
	}
	if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return &jsonrpc.Error{Code: refused.Code, Message: m.Hide(refused.Message), Data: m.hideJSON(refused.Data, message)}
	}
	return cause
}

// concealed stands for an error whose words hold secrets.
type concealed struct {
	cause error
	text  string
}

// Error is the text without the secrets.
func (c concealed) Error() string { return c.text }

// Is looks through to the error, whose words nobody can reach.
func (c concealed) Is(target error) bool { return errors.Is(c.cause, target) }

// place is where in what a server says a value stands. It decides which texts stay as they are: those that a call
// must name in the very same letters, and those by which a schema decides.
type place int

const (
	words   place = iota // all text is for people
	fixed                // no text is
	message              // the result or the params of a message that lists nothing
	listing              // the result of a list
	entry                // a tool or a prompt
	meta                 // what an extension adds to it
	address              // a resource or a template
	skill                // a skill, or one of its files
	completion
	schema
	schemas // what names schemas
)

// member is the place of a member of an object.
func (p place) member(name string) place {
	switch p {
	case message:
		return messageMember(name)
	case listing:
		return listingMember(name)
	case entry:
		return entryMember(name)
	case meta:
		if name == "ui" {
			return meta
		}
		return fixedAmong(name, "resourceUri", "ui/resourceUri")
	case skill:
		if name == "resources" {
			return skill
		}
		return fixedAmong(name, "uri", "digest", "frontmatter")
	case completion:
		return fixedAmong(name, "values")
	case address:
		return fixedAmong(name, "uri", "uriTemplate", "mimeType")
	case schema:
		return schemaMember(name)
	case schemas:
		return schema
	default:
		return p
	}
}

func messageMember(name string) place {
	switch name {
	case "requestedSchema":
		return schema
	case "completion":
		return completion
	}
	return fixedAmong(name, "progressToken", "requestId", "uri", "protocolVersion", "supportedVersions", "supported")
}

func listingMember(name string) place {
	switch name {
	case "tools", "prompts":
		return entry
	case "resources", "resourceTemplates":
		return address
	case "skills":
		return skill
	}
	return fixedAmong(name, "nextCursor")
}

func entryMember(name string) place {
	switch name {
	case "arguments":
		return entry
	case "inputSchema", "outputSchema":
		return schema
	case "_meta":
		return meta
	}
	return fixedAmong(name, "name")
}

// fixedAmong keeps the text of the members named, of no other.
func fixedAmong(name string, names ...string) place {
	if slices.Contains(names, name) {
		return fixed
	}
	return words
}

// schemaMember knows the keywords of JSON Schema 2020-12 and of the drafts before; any other is an annotation.
func schemaMember(name string) place {
	switch name {
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return schemas
	case "items", "prefixItems", "contains", "additionalItems", "additionalProperties", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
		return schema
	}
	return fixedAmong(name, "type", "enum", "const", "required", "pattern", "format", "dependentRequired", "dependencies",
		"contentEncoding", "contentMediaType", "$ref", "$dynamicRef", "$id", "$schema", "$anchor", "$dynamicAnchor")
}

// MaskJSON hides the secrets of the definition in every text of a value that came over the link as it is.
func (l *Link) MaskJSON(raw json.RawMessage) json.RawMessage { return l.mask.hideJSON(raw, words) }

// hideJSON hides the secrets in the texts of a JSON value and leaves every other byte, the names of members too.
func (m Mask) hideJSON(raw json.RawMessage, at place) json.RawMessage {
	if len(raw) == 0 || m.isEmpty() {
		return raw
	}
	h := hider{mask: m, raw: raw, in: json.NewDecoder(bytes.NewReader(raw))}
	h.in.UseNumber() // a number of any size is read over
	if err := h.value(at); err != nil {
		return json.RawMessage(`"` + masked + `"`) // it was read before, so it is well-formed; and if not, it is not shown
	}
	return append(h.out, raw[h.done:]...)
}

// hider copies a JSON value with other texts.
type hider struct {
	mask Mask
	raw  []byte
	in   *json.Decoder
	out  []byte
	done int // how much of raw is in out
}

func (h *hider) value(at place) error {
	start := h.in.InputOffset()
	token, err := h.in.Token()
	if err != nil {
		return err
	}
	switch v := token.(type) {
	case string:
		if at != fixed && at != schema {
			h.text(int(start), v)
		}
	case json.Delim:
		return h.inside(at, v == '{')
	}
	return nil
}

// inside goes through what an object or an array holds, up to its end.
func (h *hider) inside(at place, object bool) error {
	for h.in.More() {
		inner := at
		if object {
			token, err := h.in.Token()
			if err != nil {
				return err
			}
			name, _ := token.(string) // the decoder lets nothing else be a name
			inner = at.member(name)
		}
		if err := h.value(inner); err != nil {
			return err
		}
	}
	_, err := h.in.Token()
	return err
}

// text puts a text without its secrets in the place of the one that ends here and begins after start.
func (h *hider) text(start int, text string) {
	hidden := h.mask.Hide(text)
	if hidden == text {
		return
	}
	start += bytes.IndexByte(h.raw[start:], '"')
	h.out = append(h.out, h.raw[h.done:start]...)
	h.out = append(h.out, `"`+inJSON(hidden, false)+`"`...)
	h.done = int(h.in.InputOffset())
}
