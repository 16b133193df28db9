package servers_test

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func findingsOf(tools []domain.Tool) map[string][]domain.FindingCode {
	found := map[string][]domain.FindingCode{}
	for _, tool := range tools {
		for _, f := range tool.Findings {
			found[tool.Name] = append(found[tool.Name], f.Code)
		}
	}
	return found
}

// What hides in a description is told where a person first sees the tool, and in the list of tools.
func TestHostileToolsAreMarked(t *testing.T) {
	b := newBench(t)
	d := fake("Loud", mcptest.Hostile)
	report := b.test(t, d)
	view := b.add(t, d)
	views, err := b.Tools(t.Context(), view.ID, domain.Caller{Kind: domain.CallerCLI})
	if err != nil {
		t.Fatal(err)
	}
	var listed []domain.Tool
	for _, v := range views {
		listed = append(listed, v.Tool)
	}
	for place, found := range map[string]map[string][]domain.FindingCode{"test": findingsOf(report.Tools), "list": findingsOf(listed)} {
		if len(found) != 1 || len(found["export"]) != 2 || found["export"][0] != domain.HiddenCharacters || found["export"][1] != domain.SteersTools {
			t.Errorf("%s: found %v", place, found)
		}
	}
}

// A list of tools is asked for far more often than it changes: it is scanned once, and again when it changed.
func TestAListOfToolsIsScannedOnce(t *testing.T) {
	b := newBench(t)
	view := b.add(t, fake("Loud", mcptest.Hostile))
	scan, times := b.Scan, 0
	b.Scan = func(tools []domain.Tool) [][]domain.ToolFinding {
		times++
		return scan(tools)
	}
	listed := func() int {
		t.Helper()
		views, err := b.AllTools(domain.Caller{Kind: domain.CallerCLI})
		if err != nil {
			t.Fatal(err)
		}
		return len(views)
	}
	if err := b.Pool.Await(t.Context(), view.ID); err != nil { // until then it is known from its test
		t.Fatal(err)
	}
	if listed() == 0 || times == 0 {
		t.Fatal("nothing was scanned")
	}
	before := times
	for range 3 {
		listed()
	}
	if times != before {
		t.Errorf("the same list was scanned %d times more", times-before)
	}
	if err := b.Pool.Reconnect(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	listed()
	if times != before+1 {
		t.Errorf("a new list was scanned %d times", times-before)
	}
}
