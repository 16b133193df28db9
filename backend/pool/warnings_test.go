package pool

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func reasons(warnings []*domain.Error) string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Args["section"]+" "+w.Args["reason"])
	}
	return strings.Join(all, ", ")
}

func TestWhatCouldNotBeUsedIsShownBesideTheState(t *testing.T) {
	tests := []struct {
		behaviour mcptest.Behaviour
		want      string
	}{
		{mcptest.BrokenItems, "tools twice, tools malformed"},
		{mcptest.StuckCursor, "tools stuck_cursor, resources stuck_cursor, resources stuck_cursor, prompts stuck_cursor"},
		{mcptest.NoPrompts, "prompts not_there"},
		{mcptest.NoTools, ""}, // they were never announced, which is no fault
	}
	for _, test := range tests {
		t.Run(string(test.behaviour), func(t *testing.T) {
			t.Parallel()
			p := newPool(t, nil)
			start(t, p, server("one", mcptest.Command(behaving(test.behaviour))))
			status := p.Status("one")
			if got := reasons(status.Warnings); status.State != domain.StateReady || got != test.want {
				t.Errorf("%s with %q, want ready with %q", status.State, got, test.want)
			}
		})
	}
}

// A list that is listed again says its warnings once more, not twice.
func TestWarningsAreThoseOfTheLastListing(t *testing.T) {
	p := newPool(t, nil)
	start(t, p, server("one", mcptest.Command(behaving(mcptest.BrokenItems))))
	before := p.Status("one")
	callText(t, p, toolCall("one", "grow", `{"name":"grow"}`))
	mcptest.Eventually(t, "the new tool", func() bool { return p.Status("one").Tools == before.Tools+1 })
	if got, want := reasons(p.Status("one").Warnings), reasons(before.Warnings); got != want {
		t.Errorf("warnings %q, want %q", got, want)
	}
}

func TestReplacedWarnings(t *testing.T) {
	about := func(section string) *domain.Error { return &domain.Error{Args: map[string]string{"section": section}} }
	old := []*domain.Error{about("tools"), about("resource templates"), about("skills"), about("prompts")}
	got := replaced(old, map[string]bool{"resources": true}, []*domain.Error{about("resources")})
	if text := reasons(got); text != "tools , prompts , resources " {
		t.Errorf("warnings %q", text)
	}
	many := make([]*domain.Error, 0, 30)
	for i := range 30 {
		many = append(many, about(strconv.Itoa(i)))
	}
	cut := bounded(many)
	if last := cut[len(cut)-1]; len(cut) != maxWarnings || last.Args["count"] != "11" {
		t.Errorf("%d warnings, the last says %v", len(cut), last.Args)
	}
}

func TestInstallingShowsTheLastLine(t *testing.T) {
	runner := filepath.Join(t.TempDir(), "npx")
	if err := os.Symlink(os.Args[0], runner); err != nil {
		t.Skip(err) // where links need a right of their own
	}
	d := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.SlowInit}, Delay: 500 * time.Millisecond})
	d.Command = runner
	p := newPool(t, nil)
	p.Want(server("one", d))
	mcptest.Eventually(t, "a line of the installation", func() bool {
		status := p.Status("one")
		return status.State == domain.StateInstalling && strings.HasPrefix(status.LastLine, "downloading part ")
	})
	if err := p.Await(mcptest.Within(t), "one"); err != nil {
		t.Fatal(err)
	}
	if status := p.Status("one"); status.State != domain.StateReady || status.LastLine != "" {
		t.Errorf("%s with %q", status.State, status.LastLine)
	}
}

func TestLastLineIsOfThisStart(t *testing.T) {
	log := transport.NewLog(nil, nil)
	log.Add(transport.StreamStderr, "of the start before")
	began := log.Last()
	if got := lastLine(log, began); got != "" {
		t.Errorf("got %q, want nothing yet", got)
	}
	log.Add(transport.StreamStderr, "fetching")
	log.Add(transport.StreamLifecycle, "started")
	if got := lastLine(log, began); got != "fetching" {
		t.Errorf("got %q", got)
	}
}
