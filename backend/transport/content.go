package transport

import (
	"bytes"
	"encoding/json"
)

// withoutContent hides what a person filled into the forms of a server in a frame that goes there: in an answer to
// elicitation/create (MCP 2025-11-25, client/elicitation), or in the answers that go along with a call (MCP 2026-07-28,
// basic/utilities/mrtr).
func withoutContent(frame []byte) []byte {
	// Both names are of our own writing, so that all other frames are not taken apart.
	if !bytes.Contains(frame, []byte(`"result"`)) && !bytes.Contains(frame, []byte(`"inputResponses"`)) {
		return frame
	}
	var sent struct {
		Result json.RawMessage `json:"result"`
		Params struct {
			Responses map[string]json.RawMessage `json:"inputResponses"`
		} `json:"params"`
	}
	_ = json.Unmarshal(frame, &sent) // what is of another shape holds no such answer
	frame = withoutContentOf(frame, sent.Result)
	for _, answer := range sent.Params.Responses {
		frame = withoutContentOf(frame, answer)
	}
	return frame
}

// withoutContentOf hides the content of one answer, wherever it stands in the frame. What answers something else has no action.
func withoutContentOf(frame []byte, answer json.RawMessage) []byte {
	var filled struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(answer, &filled) != nil || filled.Action == "" || len(filled.Content) <= len("null") {
		return frame
	}
	return bytes.ReplaceAll(frame, filled.Content, []byte(`"`+masked+`"`))
}
