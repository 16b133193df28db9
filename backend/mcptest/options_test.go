package mcptest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsSurviveTheirFlags(t *testing.T) {
	tests := []Options{
		{},
		{
			Name: "a name", Revision: "2025-06-18", Tools: 300, PageSize: 7, Delay: 3 * time.Second,
			Behave: known(), Text: "two words, and \"quotes\"", Echo: "API_KEY",
		},
	}
	for _, want := range tests {
		got, err := parse(want.args())
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

func TestMisspeltBehaviourIsRefused(t *testing.T) {
	_, err := parse([]string{"-behave", "banner,bannner"})
	if err == nil || !strings.Contains(err.Error(), "bannner") {
		t.Errorf("got %v", err)
	}
}
