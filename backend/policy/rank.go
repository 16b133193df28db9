package policy

import (
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// rank says how specific a rule is for a question; the higher one speaks.
type rank int

// Ranks come in pairs: without and with a client.
const (
	wholeServer rank = 2 * iota
	byGlob
	exactName
)

const withClient rank = 1

const exactWithClient = exactName + withClient

// The prefixes of actions that are not tools.
const (
	resourceAction = "resource:"
	promptAction   = "prompt:"
)

// rankOf reports whether a rule fits the question, and how specific it is.
func rankOf(rule domain.Rule, q Question) (rank, bool) {
	if rule.Server != "" && !matches(rule.Server, q.Server.ID) && !matches(rule.Server, q.Server.Name) {
		return 0, false
	}
	if rule.Client != "" && !matches(rule.Client, q.Caller.Name) {
		return 0, false
	}
	r, ok := rankOfActions(rule.Actions, q)
	if anyone := rule.Client == "" || rule.Client == "*"; !anyone {
		r += withClient
	}
	return r, ok
}

func rankOfActions(actions []string, q Question) (rank, bool) {
	if len(actions) == 0 {
		return wholeServer, true
	}
	best, found := wholeServer, false
	for _, action := range actions {
		kind, pattern := splitAction(action)
		if kind != q.Kind || pattern == "" {
			continue
		}
		g, _ := parseGlob(pattern)
		if !g.matches(q.Name) {
			continue
		}
		found = true
		if g.isExact() {
			return exactName, true
		}
		best = byGlob
	}
	return best, found
}

// splitAction tells what kind of call an action speaks of, and the pattern of its names.
func splitAction(action string) (domain.CallKind, string) {
	if pattern, ok := strings.CutPrefix(action, resourceAction); ok {
		return domain.ResourceRead, pattern
	}
	if pattern, ok := strings.CutPrefix(action, promptAction); ok {
		return domain.PromptGet, pattern
	}
	return domain.ToolCall, action
}

// Action is the action that names exactly this tool, resource or prompt in a Rule, whatever characters its name has.
func Action(kind domain.CallKind, name string) string {
	quoted := Quote(name)
	switch kind {
	case domain.ResourceRead:
		return resourceAction + quoted
	case domain.PromptGet:
		return promptAction + quoted
	default:
		if other, _ := splitAction(name); other != domain.ToolCall {
			return `\` + quoted // a tool that is called like an action of another kind
		}
		return quoted
	}
}

func matches(pattern, name string) bool {
	g, _ := parseGlob(pattern)
	return g.matches(name)
}
