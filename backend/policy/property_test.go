package policy

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

// world is a random question with rules from so small an alphabet that they often meet.
type world struct {
	Question Question
	Rules    Rules
}

func pick[T any](t *rapid.T, name string, values ...T) T {
	return rapid.SampledFrom(values).Draw(t, name)
}

func several[T any](t *rapid.T, name string, most int, one func(*rapid.T) T) []T {
	return rapid.SliceOfN(rapid.Custom(one), 0, most).Draw(t, name)
}

var callKinds = []domain.CallKind{domain.ToolCall, domain.ResourceRead, domain.PromptGet}

func anyActions(t *rapid.T) []string {
	return several(t, "actions", 2, func(t *rapid.T) string {
		return pick(t, "action", "t", "u", "*", "t*", "resource:*", "prompt:t", `\t`, "[", "")
	})
}

func anyRule(t *rapid.T) domain.Rule {
	return domain.Rule{
		ID:      pick(t, "id", "1", "2", "3"),
		Verdict: pick(t, "verdict", domain.Ask, domain.Allow, domain.Deny),
		Server:  pick(t, "server", "", "a", "b", "*"),
		Client:  pick(t, "client", "", "c", "d", "?"),
		Source:  pick(t, "source", domain.FromStore, domain.FromConfig),
		Actions: anyActions(t),
	}
}

func anyCaller(t *rapid.T) domain.Caller {
	return domain.Caller{
		Kind: domain.CallerClient, Name: pick(t, "name", "c", "d"), User: domain.LocalUser, Session: pick(t, "session", "", "s"),
	}
}

func anyApproval(t *rapid.T) domain.Approval {
	return domain.Approval{
		ID: pick(t, "id", "4", "5"), Scope: pick(t, "scope", domain.ScopeOnce, domain.ScopeSession, domain.ScopeAlways), Caller: anyCaller(t),
		Server: pick(t, "server", "a", "b"), Kind: pick(t, "kind", callKinds...), Name: pick(t, "tool", "t", "u"),
		DefinitionDigest: pick(t, "digest", "x", "y"),
	}
}

func anyCapability(t *rapid.T) Capability {
	return Capability{Module: pick(t, "module", "mcp_a", "mcp_b", "nothing", ""), Actions: anyActions(t)}
}

func anyCapabilities(t *rapid.T) *Capabilities {
	if rapid.Bool().Draw(t, "no capabilities") {
		return nil
	}
	return &Capabilities{
		Grant: several(t, "grant", 2, anyCapability), Approve: several(t, "approve", 2, anyCapability), Deny: several(t, "deny", 2, anyCapability),
		Default: pick(t, "default", domain.Ask, domain.Allow, domain.Deny),
		MaxRisk: pick(t, "max", "", domain.LowRisk, domain.MediumRisk, domain.HighRisk, "enormous"),
	}
}

func anyConfirmed(t *rapid.T) Confirmed {
	return Confirmed{pick(t, "server", "a", "b"), pick(t, "kind", callKinds...), pick(t, "tool", "t", "u")}
}

func anyWorld(t *rapid.T) world {
	server := pick(t, "of", "a", "b")
	w := world{Question: Question{
		Server: domain.Server{ID: server, Definition: domain.Definition{DefaultVerdict: pick(t, "default verdict", domain.Ask, domain.Allow, domain.Deny)}},
		Module: "mcp_" + server, Kind: pick(t, "kind", callKinds...), Name: pick(t, "tool", "t", "u"), Caller: anyCaller(t),
		Effect: pick(t, "effect", domain.Reads, domain.Destroys), DefinitionDigest: pick(t, "digest", "x", "y"),
		Held: pick(t, "held", false, false, false, true),
	}}
	w.Question.Server.Trust = pick(t, "trust", domain.Custom, domain.VerifiedOfficial)
	w.Rules = Rules{
		Owner: several(t, "rules", 4, anyRule), Approvals: several(t, "approvals", 2, anyApproval), Now: now, Lost: pick(t, "lost", false, false, false, true),
	}
	return w
}

// withApp is a world in which an app calls.
func withApp(t *rapid.T) world {
	w := anyWorld(t)
	w.Rules.App = &App{Capabilities: anyCapabilities(t), Confirmed: several(t, "confirmed", 3, anyConfirmed)}
	return w
}

// check tries a property on many worlds, with and without an app.
func check(t *testing.T, property func(*rapid.T, world)) {
	t.Helper()
	t.Run("without an app", func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { property(t, anyWorld(t)) }) })
	t.Run("with an app", func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { property(t, withApp(t)) }) })
}

func (w world) decide() domain.Decision { return Decide(w.Question, w.Rules) }

// ofOwner is what the owner's rules alone say.
func (w world) ofOwner() domain.Decision {
	w.Rules.App = nil
	return w.decide()
}

func text(t *rapid.T, d domain.Decision) string {
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestADenyNeverAllowsMore(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		before := w.decide().Verdict
		deny := anyRule(t)
		deny.Verdict = domain.Deny
		w.Rules.Owner = append(w.Rules.Owner, deny)
		if after := w.decide().Verdict; after != before && after != domain.Deny {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestADenyOfAnAppNeverAllowsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := withApp(t)
		before := w.decide().Verdict
		c := Capabilities{Default: domain.Allow}
		if w.Rules.App.Capabilities != nil {
			c = *w.Rules.App.Capabilities
		}
		c.Deny = append(slices.Clone(c.Deny), anyCapability(t))
		w.Rules.App = &App{Capabilities: &c, Confirmed: w.Rules.App.Confirmed}
		if after := w.decide().Verdict; after != before && after != domain.Deny {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

// An app widens what its owner says only from the ask of a server's default to allow, and only for what a person
// confirmed and it grants itself.
func TestAnAppExceedsItsOwnerExactlyWhereAPersonConfirmed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := withApp(t)
		owner, both := w.ofOwner(), w.decide()
		c := w.Rules.App.Capabilities
		lifts := !w.Rules.Lost && c != nil && w.Rules.App.confirmed(w.Question) && owner.Because == ServerDefault && owner.Verdict == domain.Ask &&
			names(c.Grant, w.Question) && !names(c.Approve, w.Question) && !names(c.Deny, w.Question)
		if lifts {
			if both.Verdict != domain.Allow || both.Because != AppGrant {
				t.Fatalf("%s because %s, though it was confirmed", both.Verdict, both.Because)
			}
			return
		}
		if owner.Verdict.Stricter(both.Verdict) != both.Verdict {
			t.Fatalf("the owner says %s, with the app it is %s", owner.Verdict, both.Verdict)
		}
	})
}

func TestApproveBeatsAWiderGrant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := withApp(t)
		approve := Capability{Module: w.Question.Module, Actions: []string{Action(w.Question.Kind, w.Question.Name)}}
		w.Rules.App.Capabilities = &Capabilities{
			Grant: []Capability{{Module: w.Question.Module}}, Approve: []Capability{approve}, Default: domain.Allow,
		}
		if w.decide().Verdict == domain.Allow {
			t.Fatal("it is allowed")
		}
	})
}

// What the words of an app do not mean, such as an unknown module or level, allows nothing.
func TestAnUnknownModuleOrLevelNeverAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := withApp(t)
		c := &Capabilities{Default: pick(t, "default", domain.Ask, domain.Deny)}
		w.Rules.App.Capabilities = c
		before := text(t, w.decide())
		c.Grant = append(c.Grant, Capability{Module: pick(t, "module", "", "mcp_", "mcp", "a", "mcp_a.t", "MCP_A"), Actions: anyActions(t)})
		if after := text(t, w.decide()); after != before {
			t.Fatalf("it was %s, with a grant of nothing it is %s", before, after)
		}
		c.Default, c.MaxRisk = domain.Allow, "enormous"
		if w.decide().Verdict == domain.Allow {
			t.Fatal("an unknown level allows")
		}
	})
}

func TestOrderNeverMatters(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		before := text(t, w.decide())
		w.Rules.Owner = rapid.Permutation(w.Rules.Owner).Draw(t, "rules anew")
		w.Rules.Approvals = rapid.Permutation(w.Rules.Approvals).Draw(t, "approvals anew")
		if after := text(t, w.decide()); after != before {
			t.Fatalf("%s became %s", before, after)
		}
	})
}

func TestDecisionsExplainThemselves(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		d := w.decide()
		var deciding []domain.DecisionStep
		for _, step := range d.Steps {
			if step.Deciding {
				deciding = append(deciding, step)
			}
		}
		if len(deciding) != 1 || !deciding[0].Matched || deciding[0].Answer != d.Verdict || deciding[0].Question != d.Because {
			t.Fatalf("%+v is decided by %+v", d, deciding)
		}
		named := d.Because == DenyRule || d.Because == OwnerRule
		if named != (d.Rule != nil) || d.Rule != nil && d.Rule.Verdict != d.Verdict {
			t.Fatalf("because %s, and the rule is %+v", d.Because, d.Rule)
		}
		var asked []string
		for _, step := range d.Steps {
			asked = append(asked, step.Question)
		}
		if want := w.questions(); !slices.Equal(asked, want) {
			t.Fatalf("asked %v, want %v", asked, want)
		}
	})
}

// questions are those that are asked, whatever they answer.
func (w world) questions() []string {
	all := []string{DenyRule, HeldDefinition, StandingApproval, OwnerRule, ServerDefault}
	if w.Rules.Lost {
		all = slices.Insert(all, 2, RulesLost)
	}
	switch {
	case w.Rules.App == nil:
	case w.Rules.App.Capabilities == nil:
		all = append(all, AppUnrestricted)
	default:
		all = append(all, AppDeny, AppApprove, AppGrant, AppRisk, AppDefault)
	}
	return all
}

func TestNothingAllowsWithoutAnAllow(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		w.Question.Server.DefaultVerdict = domain.Ask
		w.Rules.Approvals = nil
		for i := range w.Rules.Owner {
			if w.Rules.Owner[i].Verdict == domain.Allow {
				w.Rules.Owner[i].Verdict = domain.Ask
			}
		}
		if app := w.Rules.App; app != nil {
			app.Confirmed = nil
		}
		if w.decide().Verdict == domain.Allow {
			t.Fatal("it is allowed")
		}
	})
}

func TestNothingIsAllowedWhileRulesAreLost(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		w.Rules.Lost = false
		before := w.decide()
		w.Rules.Lost = true
		after := w.decide()
		if after.Verdict == domain.Allow || before.Verdict != domain.Allow && after.Verdict != before.Verdict {
			t.Fatalf("%s became %s", before.Verdict, after.Verdict)
		}
		if before.Verdict == domain.Allow && before.Because != AppGrant && after.Because != RulesLost {
			t.Fatalf("asked because of %s", after.Because)
		}
	})
}

// Nothing lets a call to a tool through whose definition is held: no rule, no approval, no app.
func TestNothingAllowsAHeldDefinition(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		w.Question.Held = false
		before := w.decide()
		w.Question.Held = true
		after := w.decide()
		if after.Verdict != domain.Deny {
			t.Fatalf("it is %s because of %s", after.Verdict, after.Because)
		}
		if ruled := w.ofOwner().Because == DenyRule; ruled != (after.Because == DenyRule) || !ruled && after.Because != HeldDefinition {
			t.Fatalf("it was %s because of %s, then denied because of %s", before.Verdict, before.Because, after.Because)
		}
	})
}

// The same decision is made for a list and for a call: it depends on nothing but the question and the rules.
func TestDecidingChangesNothing(t *testing.T) {
	check(t, func(t *rapid.T, w world) {
		first := w.decide()
		if second := w.decide(); !reflect.DeepEqual(first, second) {
			t.Fatalf("first %+v, then %+v", first, second)
		}
	})
}
