package domain

import (
	"fmt"
	"time"
)

// Verdict is what the policy says of a call. The zero value is Ask, so that what was forgotten is asked.
type Verdict int

// Verdicts in the order of the zero value first; strictness is Deny, Ask, Allow.
const (
	Ask Verdict = iota
	Allow
	Deny
)

// String is the verdict's word in files, JSON and commands.
func (v Verdict) String() string {
	switch v {
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	default:
		return "ask"
	}
}

// MarshalText writes the verdict's word.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads allow, ask or deny and refuses anything else, so that an unknown word never allows.
func (v *Verdict) UnmarshalText(b []byte) error {
	switch string(b) {
	case "ask":
		*v = Ask
	case "allow":
		*v = Allow
	case "deny":
		*v = Deny
	default:
		return fmt.Errorf("unknown verdict %q: want allow, ask or deny", b)
	}
	return nil
}

// Stricter returns the stricter of two verdicts: deny before ask before allow.
func (v Verdict) Stricter(o Verdict) Verdict {
	if v == Deny || o == Deny {
		return Deny
	}
	if v == Ask || o == Ask {
		return Ask
	}
	return Allow
}

// Rule is one line of the owner's policy. Empty patterns match everything; patterns are globs with * and ?.
type Rule struct {
	ID      string  `json:"id"`
	Verdict Verdict `json:"verdict"`
	Server  string  `json:"server,omitempty"`
	// Actions are tool names, "resource:GLOB" or "prompt:NAME".
	Actions []string `json:"actions,omitempty"`
	Client  string   `json:"client,omitempty"`
	Source  Source   `json:"source"`
	// Line is where the rule starts in config.toml; 0 for one kept in governance.db.
	Line      int       `json:"line,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
}

// Scope is how long an approval lasts.
type Scope string

// The scopes a person can choose when approving.
const (
	ScopeOnce    Scope = "once"
	ScopeSession Scope = "session"
	ScopeAlways  Scope = "always"
)

// Approval is a standing approval: a person's "for this session" or "always". It ends when the tool's definition or
// the server's start digest differs from the recorded one.
type Approval struct {
	ID               string     `json:"id"`
	Scope            Scope      `json:"scope"`
	Caller           Caller     `json:"caller"`
	Server           string     `json:"server"`
	Kind             CallKind   `json:"kind" enum:"tool,resource,prompt,sampling"`
	Name             string     `json:"name"`
	DefinitionDigest string     `json:"definition_digest"`
	StartDigest      string     `json:"start_digest"`
	CreatedAt        time.Time  `json:"created_at"`
	Until            *time.Time `json:"until,omitempty"`
	// Review is Answer.Review, for the texts that it lets through.
	Review bool `json:"review,omitempty"`
}

// DecisionStep is one question the policy asked on its way to a verdict.
type DecisionStep struct {
	// Question is a stable code, such as "deny_rules" or "server_default".
	Question string  `json:"question"`
	Answer   Verdict `json:"answer"`
	// Matched says whether this question decided or could have; an unmatched step had nothing to say.
	Matched  bool   `json:"matched"`
	Deciding bool   `json:"deciding"`
	RuleID   string `json:"rule_id,omitempty"`
}

// Decision is a verdict with the rule that made it.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	// Because is the Question of the deciding step.
	Because string         `json:"because"`
	Rule    *Rule          `json:"rule,omitempty"`
	Risk    Risk           `json:"risk"`
	Steps   []DecisionStep `json:"steps"`
}
