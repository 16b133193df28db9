package core_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
)

const (
	oneRule    = "[[policy.rules]]\nverdict = \"deny\"\nserver = \"files\"\nactions = [\"delete_*\"]\n"
	otherRules = "[audit]\nkeep_days = 90\n\n# moved\n" + oneRule + "\n[[policy.rules]]\nverdict = \"allow\"\nserver = \"notes\"\n\n" +
		"[[mcp_servers]]\nname = \"notes\"\ntransport = \"stdio\"\ncommand = \"true\"\nenabled = false\n"
)

// byFile waits for so many lines of what config.toml changed, and gives them.
func byFile(t *testing.T, c *core.Core, count int) (lines []audit.Entry) {
	t.Helper()
	events, cancel := c.Subscribe()
	defer cancel()
	wait(t, events, func() bool {
		lines = slices.DeleteFunc(journalOf(t, c, 0), func(e audit.Entry) bool { return e.Caller.Name != "config.toml" })
		return len(lines) >= count
	})
	return lines
}

func TestWhatAPersonChangesInTheFileHasItsLines(t *testing.T) {
	o := options(t, core.Serve)
	path := filepath.Join(o.Home, "config.toml")
	write(t, path, oneRule)
	during(t, o, func(c *core.Core) {
		write(t, path, otherRules)
		got := byFile(t, c, 3)
		if want := []string{"rule added", "settings changed", "server added"}; !slices.Equal(summary(got), want) {
			t.Fatalf("the lines are %q, want %q", summary(got), want)
		}
		if got[0].Server != "notes" || got[0].Verdict != "allow" || got[1].Detail != "90" || got[2].Name != "notes" {
			t.Errorf("the lines are %+v", got)
		}
	})
	if err := os.Remove(path); err != nil { // while nothing runs
		t.Fatal(err)
	}
	c := open(t, o)
	got := byFile(t, c, 3+4)[3:]
	if want := []string{"rule removed", "rule removed", "settings removed", "server removed"}; !slices.Equal(summary(got), want) {
		t.Errorf("the lines are %q, want %q", summary(got), want)
	}
	verified(t, c)
}

// The next to open the folder may be a command that is over at once: it must not take the change as known.
func TestWhatACommandFindsChangedHasItsLines(t *testing.T) {
	o := options(t, core.Serve)
	path := filepath.Join(o.Home, "config.toml")
	write(t, path, oneRule)
	during(t, o, func(*core.Core) {})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	command := o
	command.Role = core.Command
	during(t, command, func(*core.Core) {})
	if got := byFile(t, open(t, o), 1); !slices.Equal(summary(got), []string{"rule removed"}) {
		t.Errorf("the lines are %q", summary(got))
	}
}
