package policy

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// world is a random question with rules from so small an alphabet that they often meet.
type world struct {
	Question Question
	Rules    Rules
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

func randomRule(r *rand.Rand) domain.Rule {
	rule := domain.Rule{
		ID:      pick(r, "1", "2", "3"),
		Verdict: pick(r, domain.Ask, domain.Allow, domain.Deny),
		Server:  pick(r, "", "a", "b", "*"),
		Client:  pick(r, "", "c", "d", "?"),
		Source:  pick(r, domain.FromStore, domain.FromConfig),
	}
	for range r.IntN(3) {
		rule.Actions = append(rule.Actions, pick(r, "t", "u", "*", "t*", "resource:*", "prompt:t", `\t`, "["))
	}
	return rule
}

func randomCaller(r *rand.Rand) domain.Caller {
	return domain.Caller{Kind: domain.CallerClient, Name: pick(r, "c", "d"), User: domain.LocalUser, Session: pick(r, "", "s")}
}

func randomWorld(r *rand.Rand) world {
	kinds := []domain.CallKind{domain.ToolCall, domain.ResourceRead, domain.PromptGet}
	w := world{Question: Question{
		Server: domain.Server{ID: pick(r, "a", "b"), Definition: domain.Definition{DefaultVerdict: pick(r, domain.Ask, domain.Allow, domain.Deny)}},
		Kind:   pick(r, kinds...), Name: pick(r, "t", "u"), Caller: randomCaller(r), DefinitionDigest: pick(r, "x", "y"),
	}}
	w.Rules.Now, w.Rules.Lost = now, r.IntN(4) == 0
	for range r.IntN(5) {
		w.Rules.Owner = append(w.Rules.Owner, randomRule(r))
	}
	for range r.IntN(3) {
		w.Rules.Approvals = append(w.Rules.Approvals, domain.Approval{
			ID: pick(r, "4", "5"), Scope: pick(r, domain.ScopeOnce, domain.ScopeSession, domain.ScopeAlways), Caller: randomCaller(r),
			Server: pick(r, "a", "b"), Kind: pick(r, kinds...), Name: pick(r, "t", "u"), DefinitionDigest: pick(r, "x", "y"),
		})
	}
	return w
}

// check tries a property on many worlds, the same ones in each run.
func check(t *testing.T, property func(world, *rand.Rand) bool) {
	t.Helper()
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 0))
		if w := randomWorld(r); !property(w, r) {
			t.Fatalf("seed %d: does not hold for %+v", seed, w)
		}
	}
}

func text(t *testing.T, d domain.Decision) string {
	t.Helper()
	b, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestADenyNeverAllowsMore(t *testing.T) {
	check(t, func(w world, r *rand.Rand) bool {
		before := Decide(w.Question, w.Rules).Verdict
		deny := randomRule(r)
		deny.Verdict = domain.Deny
		w.Rules.Owner = append(w.Rules.Owner, deny)
		after := Decide(w.Question, w.Rules).Verdict
		return after == before || after == domain.Deny
	})
}

func TestOrderNeverMatters(t *testing.T) {
	check(t, func(w world, r *rand.Rand) bool {
		before := text(t, Decide(w.Question, w.Rules))
		r.Shuffle(len(w.Rules.Owner), reflect.Swapper(w.Rules.Owner))
		r.Shuffle(len(w.Rules.Approvals), reflect.Swapper(w.Rules.Approvals))
		return text(t, Decide(w.Question, w.Rules)) == before
	})
}

func TestDecisionsExplainThemselves(t *testing.T) {
	check(t, func(w world, _ *rand.Rand) bool {
		d := Decide(w.Question, w.Rules)
		deciding := 0
		for _, step := range d.Steps {
			if !step.Deciding {
				continue
			}
			deciding++
			if !step.Matched || step.Answer != d.Verdict || step.Question != d.Because {
				return false
			}
		}
		named := d.Because == DenyRule || d.Because == OwnerRule
		asked := 4
		if w.Rules.Lost {
			asked++
		}
		return deciding == 1 && len(d.Steps) == asked && named == (d.Rule != nil) && (d.Rule == nil || d.Rule.Verdict == d.Verdict)
	})
}

func TestNothingAllowsWithoutAnAllow(t *testing.T) {
	check(t, func(w world, _ *rand.Rand) bool {
		w.Question.Server.DefaultVerdict = domain.Ask
		w.Rules.Approvals = nil
		for i := range w.Rules.Owner {
			if w.Rules.Owner[i].Verdict == domain.Allow {
				w.Rules.Owner[i].Verdict = domain.Ask
			}
		}
		return Decide(w.Question, w.Rules).Verdict != domain.Allow
	})
}

func TestNothingIsAllowedWhileRulesAreLost(t *testing.T) {
	check(t, func(w world, _ *rand.Rand) bool {
		w.Rules.Lost = false
		before := Decide(w.Question, w.Rules)
		w.Rules.Lost = true
		after := Decide(w.Question, w.Rules)
		if before.Verdict == domain.Allow {
			return after.Verdict == domain.Ask && after.Because == RulesLost
		}
		return after.Verdict == before.Verdict && after.Because == before.Because
	})
}
