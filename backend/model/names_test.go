package model

import (
	"encoding/json"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// Go reads members whatever their case, and the person reads them as they are written: what differs would be sent unseen.
func TestNamesInOtherLettersAreRefused(t *testing.T) {
	whole := `{"messages":[{"role":"user","content":{"type":"text","text":"seen"}}],"maxTokens":9}`
	if _, err := readRequest(json.RawMessage(whole)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another text":     {`"text":"seen"`, `"text":"seen","Text":"unseen"`},
		"another type":     {`"text":"seen"`, `"text":"seen","TYPE":"image","data":"AA==","mimeType":"image/png"`},
		"other messages":   {`"maxTokens":9`, `"maxTokens":9,"Messages":[]`},
		"another system":   {`"maxTokens":9`, `"maxTokens":9,"systemprompt":"unseen"`},
		"a long s":         {`"maxTokens":9`, `"maxTokens":9,"meſſages":[]`},
		"in a list":        {`{"type":"text","text":"seen"}`, `[{"type":"text","text":"seen"},{"Type":"text","text":"x"}]`},
		"in a tool result": {`{"type":"text","text":"seen"}`, `{"type":"tool_result","toolUseId":"1","content":[{"type":"text","text":"seen","Text":"x"}]}`},
	} {
		changed := strings.Replace(whole, change[0], change[1], 1)
		if changed == whole {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := readRequest(json.RawMessage(changed)); domain.CodeOf(err) != domain.CodeSamplingUnfit {
			t.Errorf("%s: %v", name, err)
		}
	}
	free := strings.Replace(whole, `"maxTokens":9`, `"maxTokens":9,"metadata":{"Text":1},"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"Text":{}}}}]`, 1)
	if _, err := readRequest(json.RawMessage(free)); err != nil {
		t.Errorf("what is the server's own is refused: %v", err)
	}
}
