package model

import (
	"encoding/json"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// Whatever a server asks is either put to the endpoint as JSON, or refused by name.
func FuzzRequest(f *testing.F) {
	f.Add(simple)
	f.Add(`{"messages":[{"role":"user","content":null}],"maxTokens":1}`)
	f.Add(`{"messages":[{"role":"assistant","content":{"type":"tool_use","id":"a","name":"é.x","input":{}}},` +
		`{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[{"type":"text","text":"1"}],"structuredContent":1}]}],"maxTokens":1}`)
	f.Add(`{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}],"maxTokens":1,"tools":[{"name":"a b","inputSchema":{"a":1}}],"metadata":{"a":[]}}`)
	f.Fuzz(func(t *testing.T, params string) {
		wanted, err := readRequest(json.RawMessage(params))
		if err == nil {
			asked, failed := wanted.chat(newToolNames(wanted))
			if err = failed; err == nil {
				if _, err := json.Marshal(asked); err != nil {
					t.Fatalf("it cannot be sent: %v", err)
				}
			}
		}
		if err != nil && domain.CodeOf(err) != domain.CodeSamplingUnfit {
			t.Fatalf("it gives %v", err)
		}
	})
}
