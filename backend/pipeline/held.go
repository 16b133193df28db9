package pipeline

import (
	"fmt"

	"apollia.fr/connexions/backend/domain"
)

// held says that a tool is not what a person accepted, and where a person can look at the difference.
func held(call domain.Call) error {
	e := &domain.Error{
		Code:    domain.CodeDefinitionHeld,
		Message: fmt.Sprintf("the definition of %s on %s is not one that a person accepted", call.Name, call.Target.Server.Name),
		Hint:    fmt.Sprintf("A person has to look at what changed first: apollia mcp review %s %s", call.Server, call.Name),
		Args:    map[string]string{"server": call.Server, "tool": call.Name},
	}
	if id := call.Target.HeldBy; id != "" {
		e.Hint = "A person has to look at what changed first: apollia inbox show " + id
		e = e.With("request_id", id)
	}
	return e
}
