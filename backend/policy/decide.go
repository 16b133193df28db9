package policy

import (
	"cmp"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// The questions of a Decision, in the order they are asked. They are stable codes: the UI has words for them.
const (
	DenyRule         = "deny_rule"
	HeldDefinition   = "held_definition"
	RulesLost        = "rules_lost"
	StandingApproval = "standing_approval"
	OwnerRule        = "rule"
	ServerDefault    = "server_default"
)

// Question is what a caller wants to do.
type Question struct {
	Server domain.Server
	// Module is what an app's capabilities call the server, such as mcp_github.
	Module string
	Kind   domain.CallKind
	// Name is the tool's name, the resource's URI or the prompt's name.
	Name   string
	Caller domain.Caller
	// Effect is the tool's claim; it moves the risk, never the verdict.
	Effect domain.Effect
	// DefinitionDigest and StartDigest are those of today. A standing approval made for others has ended.
	DefinitionDigest string
	StartDigest      string
	// Held says that no person has accepted the definition of today.
	Held bool
}

// Rules is all that a decision depends on besides the question. The order within each slice does not matter.
type Rules struct {
	// Owner holds the person's rules: config.toml and governance.db count the same.
	Owner     []domain.Rule
	Approvals []domain.Approval
	// Now decides which approvals have run out; while it is zero, every approval that ends at a time has.
	Now time.Time
	// Lost says that rules of the person were lost, among them perhaps one that denies: nothing is allowed then without
	// asking.
	Lost bool
	// App is the layer of the app that calls; nil for other callers.
	App *App
}

// Decide gives the stricter verdict of the owner's rules and of the app that calls, and says which question made it.
func Decide(q Question, r Rules) domain.Decision {
	decision := decideForOwner(q, r)
	if r.App == nil {
		return decision
	}
	return r.App.limit(q, decision, !r.Lost)
}

// decideForOwner gives the verdict of the owner's rules. Any deny rule comes first. A definition that is held stops the
// call until a person accepts it, whatever else there is. Then the most specific of allow and ask speaks: exact tool
// before glob before server, at equal rank one with a client before one without, and at a full tie ask. A standing
// approval ranks as an allow for the exact tool and client. Otherwise the server's default speaks. Where rules were lost,
// what would be allowed is asked.
func decideForOwner(q Question, r Rules) domain.Decision {
	matches := matching(q, r.Owner)
	deny, denied := first(matches, func(v domain.Verdict) bool { return v == domain.Deny })
	rule, ruled := first(matches, func(v domain.Verdict) bool { return v != domain.Deny })
	approval, approved := standing(q, r)

	steps := []domain.DecisionStep{
		{Question: DenyRule, Answer: domain.Deny, Matched: denied, RuleID: deny.rule.ID},
		{Question: HeldDefinition, Answer: domain.Deny, Matched: q.Held},
		{Question: StandingApproval, Answer: domain.Allow, Matched: approved, RuleID: approval.ID},
		{Question: OwnerRule, Answer: rule.rule.Verdict, Matched: ruled, RuleID: rule.rule.ID},
		{Question: ServerDefault, Answer: q.Server.DefaultVerdict, Matched: true},
	}
	decision := domain.Decision{Risk: RiskOf(q.Effect, q.Server.Trust)}
	deciding := 4
	switch {
	case denied:
		deciding, decision.Rule = 0, &deny.rule
	case q.Held:
		deciding = 1
	case ruled && (!approved || rule.rank == exactWithClient):
		deciding, decision.Rule = 3, &rule.rule
	case approved:
		deciding = 2
	}
	if r.Lost {
		const lost = 2
		steps = slices.Insert(steps, lost, domain.DecisionStep{Question: RulesLost, Answer: domain.Ask, Matched: true})
		if deciding >= lost {
			deciding++
		}
		if steps[deciding].Answer == domain.Allow {
			deciding, decision.Rule = lost, nil
		}
	}
	steps[deciding].Deciding = true
	decision.Verdict, decision.Because = steps[deciding].Answer, steps[deciding].Question
	decision.Steps = withoutUnmatched(steps)
	return decision
}

// withoutUnmatched leaves every question in place but takes the answer from those that had nothing to say.
func withoutUnmatched(steps []domain.DecisionStep) []domain.DecisionStep {
	for i := range steps {
		if !steps[i].Matched {
			steps[i].Answer = domain.Ask
		}
	}
	return steps
}

// match is a rule that fits a question.
type match struct {
	rule domain.Rule
	rank rank
}

func matching(q Question, rules []domain.Rule) []match {
	var matches []match
	for _, rule := range rules {
		if rank, ok := rankOf(rule, q); ok {
			matches = append(matches, match{rule, rank})
		}
	}
	return matches
}

// first gives the match that speaks among those with a wanted verdict.
func first(matches []match, wanted func(domain.Verdict) bool) (match, bool) {
	var best match
	found := false
	for _, m := range matches {
		if !wanted(m.rule.Verdict) {
			continue
		}
		if !found || before(m, best) < 0 {
			best, found = m, true
		}
	}
	return best, found
}

// before orders matches by who speaks first. The last comparisons only make the named rule the same whatever the order.
func before(a, b match) int {
	return cmp.Or(
		cmp.Compare(b.rank, a.rank),
		cmp.Compare(a.rule.Verdict, b.rule.Verdict), // Ask is the least Verdict
		cmp.Compare(a.rule.ID, b.rule.ID),
		cmp.Compare(a.rule.Source, b.rule.Source),
		cmp.Compare(a.rule.Line, b.rule.Line),
		cmp.Compare(a.rule.Server, b.rule.Server),
		cmp.Compare(a.rule.Client, b.rule.Client),
		slices.Compare(a.rule.Actions, b.rule.Actions),
		a.rule.CreatedAt.Compare(b.rule.CreatedAt),
	)
}

// RiskOf is what we make of a tool's claim. Every MCP tool is a medium risk; a claim to destroy raises it, and a claim
// to read lowers it only where the server is trusted.
func RiskOf(effect domain.Effect, trust domain.Trust) domain.Risk {
	switch {
	case effect == domain.Destroys:
		return domain.HighRisk
	case effect == domain.Reads && trust == domain.VerifiedOfficial:
		return domain.LowRisk
	default:
		return domain.MediumRisk
	}
}
