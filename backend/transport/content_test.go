package transport

import (
	"strings"
	"testing"
)

func TestWhatAPersonFillsInIsNotInTheTraffic(t *testing.T) {
	const pin = "0042-of-a-person"
	for name, test := range map[string]struct {
		frame string
		shown bool
	}{
		"an answer to the server":     {`{"jsonrpc":"2.0","id":7,"result":{"action":"accept","content":{"pin":"` + pin + `"}}}`, false},
		"one of a client, as it came": {`{"id":7,"result":{ "content" : [ "` + pin + `" ], "action" : "accept"}}`, false},
		"one that goes with a call": {`{"id":8,"method":"tools/call","params":{"name":"pay","inputResponses":{` +
			`"a":{"action":"accept","content":{"pin":"` + pin + `"}},"b":{"action":"decline"}}}}`, false},
		"the arguments of a call":  {`{"id":9,"method":"tools/call","params":{"arguments":{"action":"x","content":"` + pin + `"}}}`, true},
		"a text of the model":      {`{"id":9,"result":{"role":"assistant","content":{"type":"text","text":"` + pin + `"},"model":"m"}}`, true},
		"a text that goes with it": {`{"id":9,"params":{"inputResponses":{"a":{"role":"assistant","content":{"text":"` + pin + `"}}}}}`, true},
	} {
		traffic := NewTraffic(nil)
		traffic.record(Sent, []byte(test.frame), Mask{})
		frame := traffic.After(0, 0)[0]
		if got := strings.Contains(frame.Text, pin); got != test.shown || frame.Size != len(test.frame) {
			t.Errorf("%s: shown as %s, of %d bytes", name, frame.Text, frame.Size)
		}
		if !test.shown && (!strings.Contains(frame.Text, masked) || !strings.Contains(frame.Text, `"accept"`)) {
			t.Errorf("%s: shown as %s, want the rest as it was", name, frame.Text)
		}
	}
	long := `{"id":7,"result":{"action":"accept","content":{"pin":"` + pin + strings.Repeat("x", maxFrameText) + `"}}}`
	traffic := NewTraffic(nil)
	traffic.record(Sent, []byte(long), Mask{})
	if text := traffic.After(0, 0)[0].Text; strings.Contains(text, pin) {
		t.Errorf("a long answer is shown: %.80s", text)
	}
}
