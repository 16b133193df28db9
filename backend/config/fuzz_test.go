package config

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func FuzzParse(f *testing.F) {
	f.Add(full)
	f.Add("[[policy.rules]]\nverdict = 'x'\n[mcp_servers]\n")
	f.Add("mcp_servers = [{name = 'a', env = {A = 1}}]\npolicy.rules = [1]")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parse(FileName, []byte(text))
		if (err == nil) != (len(c.Problems) == 0) {
			t.Fatalf("%v with the problems %v", err, c.Problems)
		}
		for _, p := range c.Problems {
			if p.Code != domain.CodeConfigInvalid || p.Args["line"] == "" || p.Hint == "" || strings.Contains(p.Message, "%!") {
				t.Fatalf("a poor problem: %+v", p)
			}
		}
		for _, s := range c.Servers {
			if s.ID == "" || s.Line < 1 {
				t.Fatalf("a server without an id or line: %+v", s.ID)
			}
		}
	})
}
