package human

import (
	"bytes"
	"encoding/json"
	"reflect"

	"apollia.fr/connexions/backend/domain"
)

// CheckEdit refuses what a person may not change of a request for a text, or of the text: all but the words of text blocks
// and, before it goes to the model, the system prompt and the length. CodeInvalidArguments.
func CheckEdit(r domain.Request, edited json.RawMessage) error {
	before, err := decoded(r.Params)
	if err != nil {
		return err
	}
	after, err := decoded(edited)
	if err != nil {
		return notEditable("it is no JSON object")
	}
	if r.TextFor == "" {
		for _, free := range []string{"systemPrompt", "maxTokens"} {
			delete(before, free)
			delete(after, free)
		}
	}
	if !wordless(before, after) {
		return notEditable("more than its words was changed")
	}
	return nil
}

func notEditable(why string) error {
	return &domain.Error{
		Code: domain.CodeInvalidArguments, Message: "this cannot be sent: " + why, Hint: "Change only the words and the length, or refuse.",
		Args: map[string]string{"path": "", "problem": "edit"},
	}
}

// decoded is a JSON object whose numbers keep their digits.
func decoded(raw json.RawMessage) (map[string]any, error) {
	var value map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&value)
	if err == nil && (value == nil || d.More()) {
		err = notEditable("it is no JSON object")
	}
	return value, err
}

// wordless reports whether two values are the same but for the text of their text blocks.
func wordless(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, value := range a {
			other, there := b[name]
			if !there || !isWords(a, b, name) && !wordless(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !wordless(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// isWords reports whether a member is the text of a text block, in both.
func isWords(a, b map[string]any, name string) bool {
	_, before := a["text"].(string)
	_, after := b["text"].(string)
	return name == "text" && a["type"] == "text" && b["type"] == "text" && before && after
}
