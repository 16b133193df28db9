package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

func TestTwoSetupsThatDifferNeverLookTheSame(t *testing.T) {
	for _, word := range []string{"a  b", "a\nb", "a\tb", "a\u00a0b", "a\u200bb", "'a b'", "a' 'b", `a\ b`} {
		params, err := json.Marshal(domain.SetupChange{
			Before: &domain.Setup{Transport: domain.Stdio, Command: "npx", Args: []string{"a b"}},
			After:  domain.Setup{Transport: domain.Stdio, Command: "npx", Args: []string{word}},
		})
		if err != nil {
			t.Fatal(err)
		}
		text := setupText(domain.Request{ID: "7", Server: "files", Params: params}, servers.View{})
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			if strings.Contains(line, "runs") {
				lines = append(lines, line[2:])
			}
		}
		if len(lines) != 2 || lines[0] == lines[1] {
			t.Errorf("with %q the text is\n%s", word, text)
		}
	}
}
