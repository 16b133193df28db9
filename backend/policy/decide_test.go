package policy

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

var (
	now     = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	earlier = now.Add(-time.Second)
	later   = now.Add(time.Second)
)

func ask() Question {
	return Question{
		Server:           domain.Server{ID: "git_hub", Definition: domain.Definition{Name: "Git Hub"}},
		Kind:             domain.ToolCall,
		Name:             "create_issue",
		Caller:           domain.Caller{Kind: domain.CallerClient, Name: "Claude", User: domain.LocalUser, Session: "s1"},
		DefinitionDigest: "d1",
		StartDigest:      "t1",
	}
}

func approval() domain.Approval {
	q := ask()
	return domain.Approval{
		ID: "approval", Scope: domain.ScopeAlways, Caller: q.Caller, Server: q.Server.ID, Kind: q.Kind, Name: q.Name,
		DefinitionDigest: q.DefinitionDigest, StartDigest: q.StartDigest,
	}
}

func rule(id string, v domain.Verdict, server, action, client string) domain.Rule {
	r := domain.Rule{ID: id, Verdict: v, Server: server, Client: client}
	if action != "" {
		r.Actions = []string{action}
	}
	return r
}

func TestDecidePrecedence(t *testing.T) {
	tests := []struct {
		name    string
		rules   []domain.Rule
		want    domain.Verdict
		because string
		rule    string
	}{
		{"no rule", nil, domain.Ask, ServerDefault, ""},
		{"rules of others", []domain.Rule{
			rule("a", domain.Allow, "other", "", ""), rule("b", domain.Deny, "", "delete_*", ""), rule("c", domain.Deny, "", "", "Other"),
		}, domain.Ask, ServerDefault, ""},
		{"a deny on the whole server beats an allow on the exact tool and client", []domain.Rule{
			rule("a", domain.Allow, "git_hub", "create_issue", "Claude"), rule("b", domain.Deny, "git_hub", "", ""),
		}, domain.Deny, DenyRule, "b"},
		{"the most specific deny is named", []domain.Rule{
			rule("a", domain.Deny, "", "", ""), rule("b", domain.Deny, "", "create_issue", ""),
		}, domain.Deny, DenyRule, "b"},
		{"exact before glob", []domain.Rule{
			rule("a", domain.Ask, "git_hub", "create_*", "Claude"), rule("b", domain.Allow, "git_hub", "create_issue", ""),
		}, domain.Allow, OwnerRule, "b"},
		{"glob before server", []domain.Rule{
			rule("a", domain.Allow, "git_hub", "", "Claude"), rule("b", domain.Ask, "", "*", ""),
		}, domain.Ask, OwnerRule, "b"},
		{"with client before without", []domain.Rule{
			rule("a", domain.Ask, "git_hub", "create_issue", ""), rule("b", domain.Allow, "git_hub", "create_issue", "Cla*"),
		}, domain.Allow, OwnerRule, "b"},
		{"any client is no client", []domain.Rule{
			rule("a", domain.Ask, "git_hub", "", ""), rule("b", domain.Allow, "git_hub", "", "*"),
		}, domain.Ask, OwnerRule, "a"},
		{"a full tie asks", []domain.Rule{
			rule("a", domain.Allow, "git_hub", "create_issue", ""), rule("b", domain.Ask, "", "create_issue", ""),
		}, domain.Ask, OwnerRule, "b"},
		{"config.toml equals governance.db", []domain.Rule{
			{ID: "a", Verdict: domain.Allow, Server: "git_hub", Source: domain.FromConfig, Line: 3},
			{ID: "b", Verdict: domain.Ask, Server: "git_hub", Source: domain.FromStore},
		}, domain.Ask, OwnerRule, "b"},
		{"the server by its name", []domain.Rule{rule("a", domain.Allow, "Git Hub", "", "")}, domain.Allow, OwnerRule, "a"},
		{"the best of several actions counts", []domain.Rule{
			{ID: "a", Verdict: domain.Allow, Actions: []string{"create_*", "create_issue"}}, rule("b", domain.Ask, "", "create_*", ""),
		}, domain.Allow, OwnerRule, "a"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Decide(ask(), Rules{Owner: test.rules, Now: now})
			if got.Verdict != test.want || got.Because != test.because {
				t.Errorf("got %s because %s, want %s because %s", got.Verdict, got.Because, test.want, test.because)
			}
			if id := ruleID(got); id != test.rule {
				t.Errorf("decided by rule %q, want %q", id, test.rule)
			}
		})
	}
}

func ruleID(d domain.Decision) string {
	if d.Rule == nil {
		return ""
	}
	return d.Rule.ID
}

func TestServerDefaultSpeaksLast(t *testing.T) {
	for _, v := range []domain.Verdict{domain.Ask, domain.Allow, domain.Deny} {
		q := ask()
		q.Server.DefaultVerdict = v
		if got := Decide(q, Rules{}); got.Verdict != v || got.Because != ServerDefault {
			t.Errorf("default %s: got %s because %s", v, got.Verdict, got.Because)
		}
		got := Decide(q, Rules{Owner: []domain.Rule{rule("a", domain.Ask, "git_hub", "", "")}})
		if got.Verdict != domain.Ask || got.Because != OwnerRule {
			t.Errorf("default %s with an ask rule: got %s because %s", v, got.Verdict, got.Because)
		}
	}
}

func TestStandingApprovalRanksAsExactWithClient(t *testing.T) {
	tests := []struct {
		name    string
		rule    domain.Rule
		want    domain.Verdict
		because string
	}{
		{"over an exact ask without client", rule("r", domain.Ask, "git_hub", "create_issue", ""), domain.Allow, StandingApproval},
		{"under an exact ask with client", rule("r", domain.Ask, "git_hub", "create_issue", "Claude"), domain.Ask, OwnerRule},
		{"under a deny", rule("r", domain.Deny, "", "*", ""), domain.Deny, DenyRule},
		{"beside an allow of another rank", rule("r", domain.Allow, "", "", ""), domain.Allow, StandingApproval},
	}
	for _, test := range tests {
		got := Decide(ask(), Rules{Owner: []domain.Rule{test.rule}, Approvals: []domain.Approval{approval()}, Now: now})
		if got.Verdict != test.want || got.Because != test.because {
			t.Errorf("%s: got %s because %s, want %s because %s", test.name, got.Verdict, got.Because, test.want, test.because)
		}
	}
}

func TestStandingApprovalEnds(t *testing.T) {
	tests := []struct {
		name   string
		change func(*domain.Approval, *Question, *Rules)
		want   domain.Verdict
	}{
		{"as it was", func(*domain.Approval, *Question, *Rules) {}, domain.Allow},
		{"the definition changed", func(_ *domain.Approval, q *Question, _ *Rules) { q.DefinitionDigest = "d2" }, domain.Ask},
		{"the start changed", func(_ *domain.Approval, q *Question, _ *Rules) { q.StartDigest = "t2" }, domain.Ask},
		{"another tool", func(_ *domain.Approval, q *Question, _ *Rules) { q.Name = "create_issues" }, domain.Ask},
		{"a prompt of the same name", func(_ *domain.Approval, q *Question, _ *Rules) { q.Kind = domain.PromptGet }, domain.Ask},
		{"another server", func(_ *domain.Approval, q *Question, _ *Rules) { q.Server.ID = "other" }, domain.Ask},
		{"another client", func(_ *domain.Approval, q *Question, _ *Rules) { q.Caller.Name = "Cursor" }, domain.Ask},
		{"another door", func(_ *domain.Approval, q *Question, _ *Rules) { q.Caller.Kind = domain.CallerApp }, domain.Ask},
		{"another user", func(_ *domain.Approval, q *Question, _ *Rules) { q.Caller.User = "bob" }, domain.Ask},
		{"always in another session", func(_ *domain.Approval, q *Question, _ *Rules) { q.Caller.Session = "s2" }, domain.Allow},
		{"for its session", func(a *domain.Approval, _ *Question, _ *Rules) { a.Scope = domain.ScopeSession }, domain.Allow},
		{"for another session", func(a *domain.Approval, q *Question, _ *Rules) {
			a.Scope, q.Caller.Session = domain.ScopeSession, "s2"
		}, domain.Ask},
		{"for a session nobody named", func(a *domain.Approval, q *Question, _ *Rules) {
			a.Scope, a.Caller.Session, q.Caller.Session = domain.ScopeSession, "", ""
		}, domain.Ask},
		{"for once", func(a *domain.Approval, _ *Question, _ *Rules) { a.Scope = domain.ScopeOnce }, domain.Ask},
		{"for an unknown scope", func(a *domain.Approval, _ *Question, _ *Rules) { a.Scope = "" }, domain.Ask},
		{"before its end", func(a *domain.Approval, _ *Question, _ *Rules) { a.Until = &later }, domain.Allow},
		{"at its end", func(a *domain.Approval, _ *Question, _ *Rules) { a.Until = &now }, domain.Ask},
		{"after its end", func(a *domain.Approval, _ *Question, _ *Rules) { a.Until = &earlier }, domain.Ask},
		{"without a clock", func(a *domain.Approval, _ *Question, r *Rules) { a.Until, r.Now = &later, time.Time{} }, domain.Ask},
	}
	for _, test := range tests {
		a, q, r := approval(), ask(), Rules{Now: now}
		test.change(&a, &q, &r)
		r.Approvals = []domain.Approval{a}
		if got := Decide(q, r); got.Verdict != test.want {
			t.Errorf("%s: got %s because %s, want %s", test.name, got.Verdict, got.Because, test.want)
		}
	}
}

func TestStepsListEveryQuestion(t *testing.T) {
	got := Decide(ask(), Rules{
		Owner:     []domain.Rule{rule("r", domain.Ask, "git_hub", "", "")},
		Approvals: []domain.Approval{approval()},
		Now:       now,
	})
	want := []domain.DecisionStep{
		{Question: DenyRule},
		{Question: HeldDefinition},
		{Question: StandingApproval, Answer: domain.Allow, Matched: true, Deciding: true, RuleID: "approval"},
		{Question: OwnerRule, Answer: domain.Ask, Matched: true, RuleID: "r"},
		{Question: ServerDefault, Answer: domain.Ask, Matched: true},
	}
	if len(got.Steps) != len(want) {
		t.Fatalf("got %d steps, want %d", len(got.Steps), len(want))
	}
	for i := range want {
		if got.Steps[i] != want[i] {
			t.Errorf("step %d: got %+v, want %+v", i, got.Steps[i], want[i])
		}
	}
}

func TestZeroValuesAsk(t *testing.T) {
	got := Decide(Question{}, Rules{Approvals: []domain.Approval{{}}})
	if got.Verdict != domain.Ask || got.Risk != domain.MediumRisk {
		t.Errorf("got %s at %s risk, want ask at medium", got.Verdict, got.Risk)
	}
	if got := Decide(Question{}, Rules{Owner: []domain.Rule{{}}}); got.Verdict != domain.Ask || got.Because != OwnerRule {
		t.Errorf("the zero rule: got %s because %s, want ask because %s", got.Verdict, got.Because, OwnerRule)
	}
}

func TestRiskOf(t *testing.T) {
	tests := []struct {
		effect domain.Effect
		trust  domain.Trust
		want   domain.Risk
	}{
		{domain.Reads, domain.VerifiedOfficial, domain.LowRisk},
		{domain.Reads, domain.Community, domain.MediumRisk},
		{domain.Reads, domain.Custom, domain.MediumRisk},
		{domain.Reads, "", domain.MediumRisk},
		{domain.Writes, domain.VerifiedOfficial, domain.MediumRisk},
		{"", "", domain.MediumRisk},
		{domain.Destroys, domain.VerifiedOfficial, domain.HighRisk},
		{domain.Destroys, domain.Custom, domain.HighRisk},
	}
	for _, test := range tests {
		if got := RiskOf(test.effect, test.trust); got != test.want {
			t.Errorf("RiskOf(%q, %q) = %s, want %s", test.effect, test.trust, got, test.want)
		}
	}
}
