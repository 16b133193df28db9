package servers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/servers"
)

// told is what a server hears when it asks for folders.
func (b *bench) told(t *testing.T, id string) string {
	t.Helper()
	result, err := b.Pool.Call(mcptest.Within(t), domain.Call{Kind: domain.ToolCall, Server: id, Name: "roots"})
	if err != nil {
		t.Fatal(err)
	}
	return mcptest.Text(t, result.Raw)
}

func TestFoldersChangeInTheSessionThatRuns(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("one"))
	if got := b.told(t, "one"); got != `{"roots":[]}` {
		t.Errorf("told of %s by default", got)
	}
	before, _ := b.Get("one")
	first, second := t.TempDir(), t.TempDir()
	view, err := b.ChangeRoots(t.Context(), "one", servers.RootsChange{Add: []string{first, second, first}})
	if err != nil || !slices.Equal(view.Roots, []string{first, second}) {
		t.Fatalf("%v %v", view.Roots, err)
	}
	if got := b.told(t, "one"); !strings.Contains(got, "file://"+first) || !strings.Contains(got, "file://"+second) {
		t.Errorf("told of %s", got)
	}
	if _, err := b.ChangeRoots(t.Context(), "one", servers.RootsChange{Remove: []string{first, "/not/named"}}); err != nil {
		t.Fatal(err)
	}
	if got := b.told(t, "one"); strings.Contains(got, first) || !strings.Contains(got, second) {
		t.Errorf("told of %s once a folder was taken away", got)
	}
	after, _ := b.Get("one")
	if after.PID != before.PID || after.PID == 0 {
		t.Errorf("process %d became %d", before.PID, after.PID)
	}
	mcptest.Eventually(t, "that the server was told of the change", func() bool {
		lines, _ := b.Pool.Logs("one", 0, 100)
		return strings.Contains(fmt.Sprint(lines), "the folders changed")
	})
}

func TestAFolderIsLookedAtAgainWhenItIsTold(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("one"))
	good, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	for _, step := range []error{os.Symlink(good, link), second(b.ChangeRoots(t.Context(), "one", servers.RootsChange{Add: []string{link}}))} {
		if step != nil {
			t.Fatal(step)
		}
	}
	if got := b.told(t, "one"); !strings.Contains(got, link) {
		t.Fatalf("told of %s", got)
	}
	for _, step := range []error{os.Remove(link), os.Symlink(b.home, link)} {
		if step != nil {
			t.Fatal(step)
		}
	}
	if got := b.told(t, "one"); got != `{"roots":[]}` {
		t.Errorf("told of %s, a link that leads into the data folder now", got)
	}
	// It is still named, and keeps nothing else from being changed.
	view, err := b.Get("one")
	if err != nil || !slices.Equal(view.Roots, []string{link}) {
		t.Fatalf("%v %v", view.Roots, err)
	}
	view.TimeoutMS = 45_000
	if _, err := b.Update(t.Context(), "one", servers.Change{Definition: view.Definition, SkipTest: true}); err != nil {
		t.Error(err)
	}
}

func TestFoldersThatAreRefusedChangeNothing(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("one"))
	good := t.TempDir()
	many := make([]string, 101)
	for i := range many {
		many[i] = t.TempDir()
	}
	for reason, add := range map[string][]string{
		"root_in_data": {good, b.home}, "root_missing": {good, good + "/no"}, "root_not_full": {good, "here"}, "roots_too_many": many,
	} {
		_, err := b.ChangeRoots(t.Context(), "one", servers.RootsChange{Add: add})
		wantCode(t, err, domain.CodeInvalidInput)
		if got := domain.AsError(err); got.Args["reason"] != reason || got.Hint == "" {
			t.Errorf("%+v, want %s", got, reason)
		}
	}
	if view, err := b.Get("one"); err != nil || len(view.Roots) > 0 {
		t.Errorf("kept %v, %v", view.Roots, err)
	}
	_, err := b.ChangeRoots(t.Context(), "nobody", servers.RootsChange{Add: []string{good}})
	wantCode(t, err, domain.CodeUnknownServer)
}

// The folders of a server of config.toml are edited there; the session that runs is told too.
func TestFoldersOfTheFileAreEditedThere(t *testing.T) {
	b := newBench(t)
	set := func(roots ...string) {
		d := fake("filed")
		d.Roots = roots
		b.mu.Lock()
		b.file = config.Config{Servers: []domain.Server{{ID: "filed", Definition: d, Enabled: true, Source: domain.FromConfig, Line: 3}}}
		b.mu.Unlock()
		if err := b.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	set()
	_, err := b.ChangeRoots(t.Context(), "filed", servers.RootsChange{Add: []string{folder}})
	wantCode(t, err, domain.CodeManagedByFile)
	if got := b.told(t, "filed"); got != `{"roots":[]}` {
		t.Errorf("told of %s", got)
	}
	before, _ := b.Get("filed")
	set(folder, b.home)
	if got := b.told(t, "filed"); !strings.Contains(got, "file://"+folder+`"`) || strings.Contains(got, b.home+`"`) {
		t.Errorf("told of %s", got)
	}
	if after, _ := b.Get("filed"); after.PID != before.PID {
		t.Errorf("process %d became %d", before.PID, after.PID)
	}
}
