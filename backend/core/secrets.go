package core

import (
	"context"
	"errors"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/secrets"
)

// journalKey seals the journal. It is asked for at the first line, not at the start: the keyring may be slow.
type journalKey struct{ vault *secrets.Vault }

func (k journalKey) Key() ([]byte, error)      { return k.vault.Key("audit") }
func (k journalKey) Unrecorded() (bool, error) { return k.vault.Unrecorded() }
func (k journalKey) Recorded() error           { return k.vault.Recorded() }

// reasonJournal is why a call needs a key that its server may not.
const reasonJournal = "journal"

// unsealed says of a call that the journal's key refused why the key matters to it: its server may have no secret at all.
func unsealed(err error) error {
	known, ok := errors.AsType[*domain.Error](err)
	if !ok || !refusesCalls(known.Code) {
		return err
	}
	said := known.With("reason", reasonJournal)
	said.Message = "the call is refused because the journal cannot be sealed: " + known.Message
	return said
}

// whereSecrets says where the key is, as far as a long-lived owner found out in the background. A command is asked but
// once, so it looks.
func (c *Core) whereSecrets(ctx context.Context) secrets.Place {
	if c.options.Role == Command {
		return c.vault.Check(ctx)
	}
	return c.vault.Where(ctx)
}

// checkSecrets looks for the key, and tells those who look at the status when that changed what is known of it.
func (c *Core) checkSecrets(ctx context.Context) secrets.Place {
	before := c.vault.Where(ctx)
	now := c.vault.Check(ctx)
	if now.Kind != before.Kind || reasonOf(now) != reasonOf(before) {
		c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	}
	return now
}

// keyFound has the servers go on that stood still for the key of the secrets: a person unlocked the keyring, or named the key.
func (c *Core) keyFound() {
	c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	if c.pool != nil { // it is made after the vault
		c.pool.TryAgain(refusesCalls)
	}
}

func reasonOf(p secrets.Place) domain.Code {
	if p.Reason == nil {
		return ""
	}
	return p.Reason.Code
}

// renewKey gives up a key that is lost, see secrets.Vault.Renew. The servers that stood still for it try again, so that
// each says which of its secrets it lacks, or that it wants a sign-in.
func (c *Core) renewKey(ctx context.Context) (secrets.Renewal, error) {
	lost, err := c.oauth.Servers()
	if err != nil {
		return secrets.Renewal{}, err
	}
	renewal, err := c.vault.Renew()
	if err != nil {
		return renewal, err
	}
	c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	if c.options.Role == Command {
		return renewal, nil
	}
	for _, name := range renewal.Secrets {
		server, _, _ := strings.Cut(name, "/")
		lost = append(lost, server)
	}
	slices.Sort(lost)
	for _, server := range slices.Compact(lost) {
		_ = c.servers.Reconnect(ctx, server) // fails for want of what was lost, which its state then says
	}
	return renewal, nil
}
