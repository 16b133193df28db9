package cli

import (
	"context"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/secrets"
)

// runNewKey gives up a key that is lost, once a person has read what that costs.
func runNewKey(ctx context.Context, in *invocation, yes bool) error {
	if !in.Terminal && !yes {
		return wrongUsage("a new key for the secrets is not made without asking",
			"Run this command at an interactive terminal, or say --yes.")
	}
	return in.with(ctx, func(c *client) error {
		place, err := get[secrets.Place](ctx, c, "/api/secrets")
		if err != nil {
			return err
		}
		// What is not lost is refused by the core, which says why.
		lost := place.Reason != nil && place.Reason.Code == domain.CodeSecretKeyMissing
		if lost && !yes {
			in.costs(place)
			if err := in.confirm(ctx, "Make a new key?"); err != nil {
				return err
			}
		}
		renewal, err := post[secrets.Renewal](ctx, c, "/api/secrets/new-key", nil)
		if err != nil {
			return err
		}
		return in.show(renewal, func() { in.renewal(renewal) })
	})
}

// costs says what a new key loses and what stays.
func (p *printer) costs(place secrets.Place) {
	p.say("%s (%s)", printable(place.Reason.Message), printable(place.Reason.Args["path"]))
	p.say("lost: %s; and every sign-in, which its server asks for again", lostSecrets(place.Lost))
	p.say("stays: servers, rules, approvals and the journal; what it holds until now can be read, but its seal no longer checked")
	p.say("kept aside: the encrypted values, in a file of the data folder, for whoever finds the old key")
}

func lostSecrets(names []string) string {
	if len(names) == 0 {
		return "no secret"
	}
	return "the values of " + printable(strings.Join(names, ", ")) + ", to be given again in the settings of their servers"
}

func (p *printer) renewal(r secrets.Renewal) {
	p.line("the secrets have a new key")
	p.fields(
		[2]string{"key", r.Place.Kind},
		[2]string{"give again", strings.Join(r.Secrets, ", ")},
		[2]string{"old values", r.KeptIn},
		[2]string{"old key file", r.KeyKeptIn},
	)
	if len(r.Secrets) > 0 {
		p.say("Give the values again in the settings of their servers, or here:")
	}
	for _, name := range r.Secrets {
		server, key, _ := strings.Cut(name, "/")
		p.say("  apollia mcp config %s --set %s", printable(server), printable(key))
	}
}
