package servers_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/pins"
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
	b.Scan = func(definitions, beside []*pins.Definition) [][]domain.TextFinding {
		times++
		return scan(definitions, beside)
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

func inInstructions(found []domain.TextFinding) bool {
	return len(found) == 1 && found[0].Code == domain.SteersTools && found[0].Field == "instructions"
}

// A server speaks to models by its prompts, resources and instructions, too: at its test, in its lists and on its page.
func TestHostileWordsBesideToolsAreMarked(t *testing.T) {
	b := newBench(t)
	d := fake("Loud", mcptest.Hostile)
	report := b.test(t, d)
	view := b.add(t, d)
	resources, templates, err := b.Resources(t.Context(), view.ID)
	if err != nil {
		t.Fatal(err)
	}
	prompts, err := b.Prompts(t.Context(), view.ID)
	if err != nil {
		t.Fatal(err)
	}
	for place, said := range map[string]domain.TestReport{
		"test": report, "lists": {Resources: resources, Templates: templates, Prompts: prompts},
	} {
		marked := map[string]int{}
		for _, r := range append(said.Resources, said.Templates...) {
			marked[r.Name] = len(r.Findings)
		}
		for _, p := range said.Prompts {
			marked[p.Name] = len(p.Findings)
		}
		if want := map[string]int{"text": 0, "binary": 0, "notes": 1, "item": 1, "greet": 2}; !maps.Equal(marked, want) {
			t.Errorf("%s: marked %v, want %v", place, marked, want)
		}
	}
	if !inInstructions(report.InstructionFindings) {
		t.Errorf("test: the instructions have %+v", report.InstructionFindings)
	}
	if err := b.Pool.Await(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	if view, err = b.Get(view.ID); err != nil || !inInstructions(view.InstructionFindings) {
		t.Errorf("page: the instructions have %+v, %v", view.InstructionFindings, err)
	}
}

// All that a server says is scanned once, however often its page asks, and again when it was listed anew.
func TestWordsBesideToolsAreScannedOnce(t *testing.T) {
	b := newBench(t)
	view := b.add(t, fake("Loud", mcptest.Hostile))
	if err := b.Pool.Await(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	scan, times := b.Scan, 0
	b.Scan = func(definitions, beside []*pins.Definition) [][]domain.TextFinding {
		times++
		return scan(definitions, beside)
	}
	asked := func() int {
		t.Helper()
		before := times
		_, _, resources := b.Resources(t.Context(), view.ID)
		_, prompts := b.Prompts(t.Context(), view.ID)
		_, page := b.Get(view.ID)
		if err := errors.Join(resources, prompts, page); err != nil {
			t.Fatal(err)
		}
		return times - before
	}
	asked()
	if again := asked(); again != 0 {
		t.Errorf("what was scanned was scanned %d times more", again)
	}
	if err := b.Pool.Reconnect(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	if anew := asked(); anew != 3 {
		t.Errorf("three new things were scanned %d times", anew)
	}
}

// The official test server says nothing that a person has to look at closely.
func TestServerEverythingIsLeftAlone(t *testing.T) {
	program, err := filepath.Abs(filepath.Join("..", "..", "build", "servers", "node_modules", ".bin", "mcp-server-everything"))
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil {
		t.Fatalf("%v: run `npm ci` in build/servers first", err)
	}
	b := newBench(t)
	report := b.test(t, domain.Definition{Name: "Everything", Transport: domain.Stdio, Command: program})
	if len(report.Prompts) == 0 || len(report.Resources) == 0 || len(report.Templates) == 0 || report.Instructions == "" {
		t.Fatalf("it says too little: %+v", report)
	}
	found := slices.Clone(report.InstructionFindings)
	for _, tool := range report.Tools {
		found = append(found, tool.Findings...)
	}
	for _, r := range append(report.Resources, report.Templates...) {
		found = append(found, r.Findings...)
	}
	for _, p := range report.Prompts {
		found = append(found, p.Findings...)
	}
	if len(found) > 0 {
		t.Errorf("flagged: %+v", found)
	}
}

// The page of a test that failed shows lists that are empty, and cannot show null.
func TestAFailedTestHasEmptyLists(t *testing.T) {
	b := newBench(t)
	report, err := b.TestDraft(domain.Definition{Name: "closed", Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:1/mcp"}, "", "")
	if err == nil {
		report, err = b.Test(mcptest.Within(t), report.ID, time.Minute)
	}
	if err != nil || report.Running || report.OK {
		t.Fatalf("%+v, %v", report, err)
	}
	if report.Tools == nil || report.Resources == nil || report.Templates == nil || report.Prompts == nil {
		t.Errorf("a list is null: %v %v %v %v", report.Tools, report.Resources, report.Templates, report.Prompts)
	}
}
