package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"apollia.fr/connexions/backend/domain"
)

// location is the base of relative references. Nothing is ever read from it.
const location = "urn:apollia:tool"

// maxSchema is the longest schema that is followed, in bytes: compiling one takes time by the square of its references.
const maxSchema = 256 << 10

// Validate checks a value against a schema, taken for draft 2020-12 unless it says otherwise. Its error is a
// *domain.Error with CodeInvalidArguments: Args hold the JSON Pointer (RFC 6901) of the field as "path" and the sentence
// about it as "problem". The sentence never quotes the value, which may be secret.
//
// A member that is null counts as left out where its schema does not take null: models write so, and servers read it so.
//
// A schema that is empty, does not compile, refers to itself without end or to another document, takes too much work, or is longer
// than 256 KiB, validates anything.
func Validate(schema, value json.RawMessage) (err error) {
	// The library is given hostile input; a fault in it must not refuse a call that the server would take.
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	if len(bytes.TrimSpace(schema)) == 0 {
		return nil
	}
	instance, err := decode(value)
	if err != nil {
		return invalid("", "not valid JSON")
	}
	compiled, err := compile(schema)
	if err != nil || !modest(instance) {
		return nil
	}
	meter := newMeter(compiled)
	err = compiled.Validate(instance)
	if object, ok := instance.(map[string]any); ok && err != nil {
		maps.DeleteFunc(object, func(_ string, member any) bool { return member == nil })
		err = compiled.Validate(instance)
	}
	var failure *jsonschema.ValidationError
	if meter.exhausted() || !errors.As(err, &failure) || loops(failure) {
		return nil
	}
	path, problem := explain(failure)
	return invalid(path, problem)
}

func invalid(path, problem string) *domain.Error {
	subject := "the arguments"
	if path != "" {
		subject = fmt.Sprintf("the argument %q", strings.TrimPrefix(path, "/"))
	}
	return &domain.Error{
		Code:    domain.CodeInvalidArguments,
		Message: subject + " cannot be used: " + problem,
		Hint:    "Correct the arguments; the tool's input schema says what it takes.",
		Args:    map[string]string{"path": path, "problem": problem},
	}
}

func compile(schema json.RawMessage) (*jsonschema.Schema, error) {
	if len(schema) > maxSchema {
		return nil, errors.New("read schema: it is too long to be followed")
	}
	document, err := decode(schema)
	if err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	if !modest(document) {
		return nil, errors.New("read schema: a number is out of all proportion")
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(nowhere{})
	if err := compiler.AddResource(location, document); err != nil {
		return nil, fmt.Errorf("add schema: %w", err)
	}
	compiled, err := compiler.Compile(location)
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	return compiled, nil
}

// nowhere refuses every reference to another document: following one would let a server make us read our files or
// call a host of its choice. The library's own metaschemas are built in and do not pass here.
type nowhere struct{}

// Load always fails.
func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("load %s: remote references are not followed", url)
}

func decode(raw json.RawMessage) (any, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	return value, nil
}
