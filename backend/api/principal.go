package api

import (
	"context"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
)

// Principal is who speaks to the API, established by the door it came through.
type Principal struct {
	Caller domain.Caller
	// Terminal says that a person sits at the command line: its standard input and error are a terminal.
	Terminal bool
}

// WindowPrincipal is the desktop window and the browser, where a person sees what happens.
func WindowPrincipal() Principal {
	return Principal{Caller: domain.Caller{Kind: domain.CallerWindow, Name: "window", User: domain.LocalUser}}
}

// CLIPrincipal is every command, whatever its process.
func CLIPrincipal(terminal bool) Principal {
	return Principal{
		Caller:   domain.Caller{Kind: domain.CallerCLI, Name: "cli", User: domain.LocalUser},
		Terminal: terminal,
	}
}

type principalKey struct{}

// withPrincipal hands the identity from the door to the handlers; from there on it is a field of the call.
func withPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

func principalOf(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// mayWiden refuses what widens rights to a command that no person typed, as approvals.from_cli says, so that an agent
// with a shell cannot approve itself. Narrowing never comes here.
func (a *API) mayWiden(ctx context.Context) error {
	return a.needsPerson(ctx, "the command line may not widen rights here")
}

// byPerson reports whether a person asks, or a command that counts as one by approvals.from_cli.
func (a *API) byPerson(ctx context.Context) bool {
	who := principalOf(ctx)
	mode := a.Setting("approvals.from_cli")
	return who.Caller.Kind != domain.CallerCLI || mode == "always" || mode == "terminal" && who.Terminal
}

// needsPerson refuses, with a sentence, what only a person may do.
func (a *API) needsPerson(ctx context.Context, refusal string) error {
	if a.byPerson(ctx) {
		return nil
	}
	mode := a.Setting("approvals.from_cli")
	a.note(ctx, audit.Entry{
		Kind: audit.KindAnswer, Name: operationOf(ctx), Outcome: audit.OutcomeRefused, Code: string(domain.CodeSelfApproval),
	})
	hint := "Run this command at an interactive terminal, answer in the window, or set [approvals] from_cli = \"always\" in config.toml."
	if mode == "never" {
		hint = "config.toml says [approvals] from_cli = \"never\": answer in the window."
	}
	return &domain.Error{
		Code: domain.CodeSelfApproval, Message: refusal, Hint: hint,
		Args: map[string]string{"from_cli": mode},
	}
}
