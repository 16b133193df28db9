package core

import (
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

// Problems are what a person should know of the whole program.
func (c *Core) Problems() []*domain.Error {
	problems := []*domain.Error{}
	if _, broken := c.file.get(); broken != nil {
		problems = append(problems, broken)
	}
	if lost := c.lostRules(); lost != nil {
		problems = append(problems, lost)
	}
	for _, damage := range c.store.Damage() {
		if damage.File == store.GovernanceFile {
			continue // its loss was told, for longer than this run
		}
		problems = append(problems, &domain.Error{
			Code: domain.CodeDBDamaged, Message: damage.File + " was damaged and set aside; a fresh one was started",
			Hint: "Keep " + damage.KeptAs + " and restore from a backup, or add the servers again.",
			Args: map[string]string{"file": damage.File, "kept": damage.KeptAs},
		})
	}
	if c.listener == nil && c.listenProblem != nil {
		problems = append(problems, c.listenProblem)
	}
	return problems
}

// lostRules says that rules and approvals were lost, nil when none were or a person accepted it.
func (c *Core) lostRules() *domain.Error {
	loss, err := c.store.Loss()
	if err != nil {
		return domain.AsError(err)
	}
	if loss == nil {
		return nil
	}
	const way = "Look at the rules, set again what is missing, then accept them as they are: apollia policy accept-loss."
	if loss.KeptAs == "" {
		return &domain.Error{
			Code: domain.CodeRulesLost, Hint: way, Args: map[string]string{"reason": "gone"},
			Message: store.GovernanceFile + " was gone, and the rules and approvals with it; no call is made without asking",
		}
	}
	return &domain.Error{
		Code: domain.CodeRulesLost, Hint: way + " The damaged file is " + loss.KeptAs + ".",
		Args:    map[string]string{"kept": loss.KeptAs},
		Message: store.GovernanceFile + " was damaged, and the rules and approvals in it are lost; no call is made without asking",
	}
}
