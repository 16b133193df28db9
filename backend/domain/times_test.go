package domain

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTimesThatAreNotKnownAreLeftOut(t *testing.T) {
	for name, v := range map[string]any{"server": Server{}, "rule": Rule{}, "status": Status{}} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "0001-01-01") {
			t.Errorf("a %s without times is %s", name, text)
		}
	}
}
