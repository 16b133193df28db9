package servers_test

import (
	"slices"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// tested adds a server that stays off, so that only its test has listed it.
func (b *bench) tested(t *testing.T, d domain.Definition) (servers.View, domain.TestReport) {
	t.Helper()
	report := b.test(t, d)
	view, err := b.Add(t.Context(), servers.Addition{Definition: d, TestID: report.ID})
	if err != nil {
		t.Fatal(err)
	}
	return view, report
}

// retold has a server say something else of its tool echo the next time that it is listed.
func (b *bench) retold(t *testing.T, view servers.View, report domain.TestReport, words string) {
	t.Helper()
	report.Tools = slices.Clone(report.Tools)
	at := slices.IndexFunc(report.Tools, func(tool domain.Tool) bool { return tool.Name == "echo" })
	report.Tools[at].Description = words
	report.Tools[at].Raw = []byte(`{"name":"echo","description":"` + words + `","inputSchema":{"type":"object"}}`)
	b.Pool.Remember(view.Server, report)
	if err := b.Listed(view.ID, "2.0", report.Tools); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) echo(t *testing.T, id string) servers.ToolView {
	t.Helper()
	tools, err := b.Tools(t.Context(), id, domain.Caller{Kind: domain.CallerWindow})
	if err != nil {
		t.Fatal(err)
	}
	return tools[slices.IndexFunc(tools, func(tool servers.ToolView) bool { return tool.Name == "echo" })]
}

func TestTheToolsOfATestAreAccepted(t *testing.T) {
	b := newBench(t)
	view, report := b.tested(t, fake("One"))
	b.retold(t, view, report, "other words")
	if !b.echo(t, view.ID).Held {
		t.Error("a tool that differs from the one at the test is not held")
	}

	again := fake("One")
	again.Args = append(again.Args, "-tools=1")
	test, err := b.TestDraft(again, view.ID, "")
	if err == nil {
		test, err = b.Test(t.Context(), test.ID, time.Minute)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Update(t.Context(), view.ID, servers.Change{Definition: again, TestID: test.ID}); err != nil {
		t.Fatal(err)
	}
	if b.echo(t, view.ID).Held {
		t.Error("the tools that were seen at the test of another command are held")
	}
}

// A script that changes how a server starts, with or without a test, has nothing accepted in place of a person.
func TestWhatNobodySawStaysHeld(t *testing.T) {
	b := newBench(t)
	view, report := b.tested(t, fake("One"))
	b.retold(t, view, report, "other words")
	again := fake("One")
	again.Args = append(again.Args, "-tools=1")
	if _, err := b.Update(t.Context(), view.ID, servers.Change{Definition: again, SkipTest: true, Unseen: true}); err != nil {
		t.Fatal(err)
	}
	b.retold(t, view, report, "other words")
	if !b.echo(t, view.ID).Held {
		t.Error("a script has a changed tool accepted")
	}
}

func TestHeldToolsAreMarkedAndNotCalled(t *testing.T) {
	b := newBench(t)
	view, report := b.tested(t, fake("One"))
	if got, err := b.Get(view.ID); err != nil || got.HeldTools != 0 {
		t.Fatalf("%d held, %v", got.HeldTools, err)
	}
	b.retold(t, view, report, "other words")
	tool := b.echo(t, view.ID)
	if !tool.Held || tool.HeldBy == "" || tool.Verdict != domain.Deny {
		t.Errorf("listed as %+v", tool)
	}
	if got, err := b.Get(view.ID); err != nil || got.HeldTools != 1 {
		t.Errorf("%d held, %v", got.HeldTools, err)
	}
	call := domain.Call{Kind: domain.ToolCall, Server: view.ID, Name: "echo", Caller: domain.Caller{Kind: domain.CallerWindow}}
	if d, err := b.Explain(call, nil); err != nil || d.Verdict != tool.Verdict || d.Because != tool.Because {
		t.Errorf("called it would be %+v, %v; listed it is %s because of %s", d, err, tool.Verdict, tool.Because)
	}
	if id, err := b.ReviewTool(view.ID, "echo"); err != nil || id != tool.HeldBy {
		t.Fatalf("reviewed in %q, %v; want %q", id, err, tool.HeldBy)
	}
	r, err := b.store.Request(tool.HeldBy)
	if err != nil {
		t.Fatal(err)
	}
	change, err := b.DefinitionChange(r)
	if err != nil || change.New || len(change.Changes) != 2 || change.Changes[0].Field != "description" {
		t.Errorf("the change is %+v, %v", change, err)
	}
	_, err = b.ReviewTool(view.ID, "nothing")
	wantCode(t, err, domain.CodeUnknownTool)
	_, err = b.DefinitionChange(domain.Request{ID: "1", Kind: domain.ToolRequest, Tool: "echo"})
	wantCode(t, err, domain.CodeUnknownItem)

	if err := b.Remove(t.Context(), view.ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Listed(view.ID, "2.0", report.Tools); err != nil {
		t.Errorf("a list of a server that was removed: %v", err)
	}
	if r, err := b.store.Request(r.ID); err != nil || r.Status != domain.RequestLapsed {
		t.Errorf("of a server that was removed, the request is %s, %v", r.Status, err)
	}
}
