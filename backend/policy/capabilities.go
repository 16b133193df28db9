package policy

import (
	"cmp"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// The questions of an app's layer, in the order they are asked.
const (
	AppDeny    = "app_deny"
	AppApprove = "app_approve"
	AppGrant   = "app_grant"
	AppRisk    = "app_max_risk"
	AppDefault = "app_default"
	// AppUnrestricted answers for an app without capabilities: development mode.
	AppUnrestricted = "app_unrestricted"
)

// Capabilities is what an app says of itself in its YAML (specification, "Security").
type Capabilities struct {
	Grant   []Capability `json:"grant,omitempty"`
	Approve []Capability `json:"approve,omitempty"`
	Deny    []Capability `json:"deny,omitempty"`
	// Default speaks where nothing else does: auto is Allow, approve is Ask, block is Deny. The zero value is approve.
	Default domain.Verdict `json:"default_policy"`
	// MaxRisk blocks what is riskier and not granted; empty blocks nothing.
	MaxRisk domain.Risk `json:"max_risk_level,omitempty"`
}

// Capability is one entry of a list: some actions of a module.
type Capability struct {
	Module string `json:"module"`
	// Actions are globs as in a Rule; empty means all of the module.
	Actions []string `json:"actions,omitempty"`
}

// App is the layer of the app that calls.
type App struct {
	// Capabilities is nil for an app that has none: it restricts nothing.
	Capabilities *Capabilities
	// Confirmed are the grants that a person confirmed for this app when it was deployed with the file it has now.
	Confirmed []Confirmed
}

// Confirmed is one tool, resource or prompt for which a person confirmed what an app grants itself.
type Confirmed struct {
	Server string
	Kind   domain.CallKind
	Name   string
}

// limit is the stricter of the owner's decision and what the app says. A confirmed grant turns into allow only the ask
// that comes from a server's default, and only where mayLift says so.
func (a App) limit(q Question, owner domain.Decision, mayLift bool) domain.Decision {
	steps, said := a.steps(q, owner.Risk)
	lifted := mayLift && steps[said].Question == AppGrant && owner.Because == ServerDefault && owner.Verdict == domain.Ask && a.confirmed(q)
	if lifted || owner.Verdict.Stricter(steps[said].Answer) != owner.Verdict {
		for i := range owner.Steps {
			owner.Steps[i].Deciding = false
		}
		steps[said].Deciding = true
		owner.Verdict, owner.Because, owner.Rule = steps[said].Answer, steps[said].Question, nil
	}
	owner.Steps = append(owner.Steps, withoutUnmatched(steps)...)
	return owner
}

// steps are the questions of the layer; said is the one whose answer counts.
func (a App) steps(q Question, risk domain.Risk) (steps []domain.DecisionStep, said int) {
	c := a.Capabilities
	if c == nil {
		return []domain.DecisionStep{{Question: AppUnrestricted, Answer: domain.Allow, Matched: true}}, 0
	}
	steps = []domain.DecisionStep{
		{Question: AppDeny, Answer: domain.Deny, Matched: names(c.Deny, q)},
		{Question: AppApprove, Answer: domain.Ask, Matched: names(c.Approve, q)},
		{Question: AppGrant, Answer: domain.Allow, Matched: names(c.Grant, q)},
		{Question: AppRisk, Answer: domain.Deny, Matched: c.MaxRisk != "" && compareRisk(risk, c.MaxRisk) > 0},
		{Question: AppDefault, Answer: c.Default, Matched: true},
	}
	return steps, slices.IndexFunc(steps, func(s domain.DecisionStep) bool { return s.Matched })
}

func (a App) confirmed(q Question) bool {
	return slices.Contains(a.Confirmed, Confirmed{q.Server.ID, q.Kind, q.Name})
}

// names reports whether one of the capabilities is about what is asked for.
func names(list []Capability, q Question) bool {
	return slices.ContainsFunc(list, func(c Capability) bool {
		_, ok := rankOfActions(c.Actions, q)
		return ok && c.Module == q.Module && c.Module != ""
	})
}

func compareRisk(a, b domain.Risk) int {
	level := func(r domain.Risk) int {
		return slices.Index([]domain.Risk{domain.LowRisk, domain.MediumRisk, domain.HighRisk}, r)
	}
	return cmp.Compare(level(a), level(b))
}
