package core_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// journalOf reads the lines after a number, oldest first.
func journalOf(t *testing.T, c *core.Core, after uint64) []audit.Entry {
	t.Helper()
	entries := decode[api.Activity](t, ask(t, window(c), http.MethodGet, "/api/activity?limit=1000", nil)).Entries
	entries = slices.DeleteFunc(entries, func(e audit.Entry) bool { return e.Seq <= after })
	slices.Reverse(entries)
	return entries
}

// summary says of each line what it is and what it came to, such as "verdict deny" or "rule added".
func summary(entries []audit.Entry) (lines []string) {
	for _, e := range entries {
		words := []string{string(e.Kind)}
		if e.Kind == audit.KindVerdict {
			words = append(words, e.Verdict)
		}
		if e.Outcome != "" {
			words = append(words, e.Outcome)
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

func TestEverythingThatIsDecidedHasALine(t *testing.T) {
	c := asking(t)
	var seen uint64
	did := func(what string, do func(), want ...string) []audit.Entry {
		t.Helper()
		do()
		got := journalOf(t, c, seen)
		if !slices.Equal(summary(got), want) {
			t.Errorf("%s: the lines are %q, want %q", what, summary(got), want)
		}
		if len(got) > 0 {
			seen = got[len(got)-1].Seq
		}
		return got
	}
	as := func(h http.Handler, method, path string, body any) func() {
		return func() { ask(t, h, method, path, body) }
	}
	w := window(c)
	did("a server is added", func() {}, "server added")
	var call api.CallView
	lines := did("a call asks", func() { call = echo(t, c, "hello") }, "intent", "verdict ask")
	if v := lines[1]; v.CallID != call.ID || v.Because != "server_default" || v.ArgumentsDigest != lines[0].ArgumentsDigest || v.Name != "echo" {
		t.Errorf("the verdict is %+v", v)
	}
	did("a script may not answer", as(script(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{Approve: true}), "answer refused")
	lines = did("a person approves for ever", func() {
		ask(t, w, http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{Approve: true, Scope: domain.ScopeAlways})
		end(t, c, call)
	}, "answer approved", "approval added", "outcome ok")
	standing := lines[1].RuleID
	lines = did("a call is let through", func() { end(t, c, echo(t, c, "again")) }, "intent", "verdict allow", "outcome ok")
	if v := lines[1]; v.Because != "standing_approval" || v.RuleID != standing {
		t.Errorf("the verdict is %+v, want it by the approval %s", v, standing)
	}
	did("the approval is revoked", as(w, http.MethodDelete, "/api/approvals/"+standing, nil), "approval revoked")
	lines = did("a rule is made", as(w, http.MethodPost, "/api/policy/rules",
		api.NewRule{Verdict: domain.Deny, Server: "fake", Actions: []string{"echo"}}), "rule added")
	rule := lines[0]
	lines = did("what is hidden is called", func() { end(t, c, echo(t, c, "hidden")) }, "intent", "verdict deny", "outcome refused")
	if v := lines[1]; v.RuleID != rule.RuleID || rule.Name != "echo" || rule.Verdict != "deny" {
		t.Errorf("the verdict is %+v by the rule %+v", v, rule)
	}
	did("the rule is removed", as(w, http.MethodDelete, "/api/policy/rules/"+rule.RuleID, nil), "rule removed")
	did("all stops", as(w, http.MethodPost, "/api/stop-calls", nil), "rule stopped")
	did("all goes on", as(w, http.MethodPost, "/api/resume-calls", nil), "rule resumed")
	always := "always"
	lines = did("a setting is changed", as(w, http.MethodPatch, "/api/settings", api.SettingChange{Key: "approvals.from_cli", Value: &always}), "settings changed")
	if lines[0].Name != "approvals.from_cli" || lines[0].Detail != always || lines[0].Caller.Kind != domain.CallerWindow {
		t.Errorf("the line of the setting is %+v", lines[0])
	}
	did("a server is removed", as(w, http.MethodDelete, "/api/servers/fake", nil), "server removed")
	verified(t, c)
}

func TestApprovalsForASessionEndInTheJournal(t *testing.T) {
	o := options(t, core.Serve)
	during(t, o, func(c *core.Core) {
		ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: mcptest.Command(mcptest.Options{Name: "fake"}), SkipTest: true})
		call := echo(t, c, "hello")
		ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer", api.AnswerRequest{Approve: true, Scope: domain.ScopeSession})
		end(t, c, call)
	})
	c := open(t, o)
	events, cancel := c.Subscribe()
	defer cancel()
	var last audit.Entry
	wait(t, events, func() bool {
		lines := journalOf(t, c, 0)
		last = lines[len(lines)-1]
		return last.Outcome == audit.DidEnd
	})
	if last.Kind != audit.KindApproval || last.Scope != domain.ScopeSession || last.Name != "echo" {
		t.Errorf("the last line is %+v, want the end of the approval", last)
	}
}

// Arguments may hold anything: they are in the journal only where a person says so, and what a person fills into the form of
// a server is nowhere.
func TestArgumentsAreInTheJournalOnlyIfAPersonAllowsIt(t *testing.T) {
	o := options(t, core.Serve)
	c := open(t, o)
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
	first := end(t, c, echo(t, c, "hush-one"))
	yes := "true"
	if a := ask(t, script(c), http.MethodPatch, "/api/settings", api.SettingChange{Key: "audit.arguments", Value: &yes}); a.code(t) != domain.CodeSelfApproval {
		t.Errorf("a script changed what the journal holds: %s", a.body)
	}
	ask(t, window(c), http.MethodPatch, "/api/settings", api.SettingChange{Key: "audit.arguments", Value: &yes})
	second := end(t, c, echo(t, c, "said-two"))
	for _, e := range journalOf(t, c, 0) {
		switch {
		case e.CallID == second.ID && e.Kind == audit.KindIntent:
			if string(e.Arguments) != `{"message":"said-two"}` {
				t.Errorf("the arguments are %s", e.Arguments)
			}
		case e.CallID == first.ID && e.Arguments != nil:
			t.Errorf("the journal holds %s, which nobody allowed", e.Arguments)
		}
	}
}

func TestWhatAPersonFillsInIsKeptNowhere(t *testing.T) {
	o := options(t, core.Serve)
	c := open(t, o)
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: free("fake", ""), SkipTest: true})
	call := elicit(t, c)
	const secret = "hush-hush-form"
	a := ask(t, window(c), http.MethodPost, "/api/inbox/"+call.RequestID+"/answer",
		api.AnswerRequest{Approve: true, Data: json.RawMessage(`{"name":"` + secret + `"}`)})
	if a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	if call = end(t, c, call); call.Error != nil || !strings.Contains(string(call.Result.Raw), secret) {
		t.Fatalf("%+v, want the server to have got the answer", call)
	}
	kept := decode[domain.Request](t, ask(t, window(c), http.MethodGet, "/api/inbox/"+call.RequestID, nil))
	if kept.Answer == nil || !kept.Answer.Approve || kept.Answer.Data != nil {
		t.Errorf("the record is %+v, want the answer without what was filled in", kept.Answer)
	}
	for _, name := range []string{"governance.db", "apollia.db"} {
		content, err := os.ReadFile(filepath.Join(o.Home, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), secret) {
			t.Errorf("%s holds what a person filled in", name)
		}
	}
}

func TestTheJournalIsKeptForAsLongAsTheSettingSays(t *testing.T) {
	o := options(t, core.Serve)
	at := time.Now().Add(-72 * time.Hour)
	o.Now = func() time.Time { return at }
	during(t, o, func(c *core.Core) { lines(t, c, audit.Entry{Kind: audit.KindRule, Outcome: audit.DidStop}) })
	o.Now = time.Now
	c := open(t, o)
	lines(t, c, audit.Entry{Kind: audit.KindRule, Outcome: audit.DidResume})
	if report := verified(t, c); report.Removed != 0 || report.Entries != 2 {
		t.Errorf("the report is %+v, want both entries: by default they are kept for a year", report)
	}
	day := "1"
	ask(t, window(c), http.MethodPatch, "/api/settings", api.SettingChange{Key: "audit.keep_days", Value: &day})
	var report audit.Report
	mcptest.Eventually(t, "the old file is removed", func() bool {
		report = verified(t, c)
		return report.Removed > 0
	})
	if report.Removed != 1 || report.Entries != 3 {
		t.Errorf("the report is %+v, want one entry removed and three left", report)
	}
}
