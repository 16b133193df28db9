package core

import (
	"context"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/store"
)

// Problems are what a person should know of the whole program, as far as it is known without asking the keyring.
func (c *Core) Problems() []*domain.Error {
	problems := c.ownProblems()
	if why := c.vault.Where(context.Background()).Reason; why != nil && refusesCalls(why.Code) {
		said := why.With("reason", reasonJournal)
		said.Message = "every call is refused because the journal cannot be sealed: " + why.Message
		problems = append(problems, said)
	}
	return problems
}

// lookForKey finds out in the background whether the key of the secrets can be had: without it every call is refused,
// which a person should know before the first one.
func (c *Core) lookForKey(ctx context.Context) {
	if why := c.checkSecrets(ctx).Reason; why != nil && refusesCalls(why.Code) {
		c.options.Logger.Warn("every call will be refused", "reason", why.Message, "hint", why.Hint)
	}
}

// refusesCalls tells the reasons why no call goes through: the journal cannot be sealed.
func refusesCalls(code domain.Code) bool {
	return code == domain.CodeKeyringDown || code == domain.CodeSecretKeyMissing || code == domain.CodeConfigInvalid
}

// ownProblems are those that have nothing to do with the key of the secrets.
func (c *Core) ownProblems() []*domain.Error {
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
