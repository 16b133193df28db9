package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// requestRow is a request that waits.
type requestRow struct {
	ID     string             `json:"id"`
	Kind   domain.RequestKind `json:"kind"`
	Server string             `json:"server"`
	// Caller is the name of who asks.
	Caller    string     `json:"caller"`
	Tool      string     `json:"tool"`
	CreatedAt time.Time  `json:"created_at"`
	ExpiresAt *time.Time `json:"expires_at"`
}

type requestList struct {
	Requests []requestRow `json:"requests"`
}

func newInboxCmd(in *invocation) *cobra.Command {
	list := &cobra.Command{
		Use:     "list",
		Short:   "List what waits for a person",
		Example: "  apollia inbox list",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInboxList(cmd.Context(), in) },
	}
	show := &cobra.Command{
		Use:               "show REQUEST",
		Short:             "Show one request with its arguments, or with what changed",
		Example:           "  apollia inbox show 3",
		Args:              asUsed,
		ValidArgsFunction: in.completeRequest,
		RunE:              func(cmd *cobra.Command, args []string) error { return runInboxShow(cmd.Context(), in, args[0]) },
	}
	deny := &cobra.Command{
		Use:               "deny REQUEST",
		Short:             "Refuse a request",
		Example:           "  apollia inbox deny 3",
		Args:              asUsed,
		ValidArgsFunction: in.completeRequest,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runInboxAnswer(cmd.Context(), in, args[0], api.AnswerRequest{}, false)
		},
	}
	return newGroup(&cobra.Command{
		Use:     "inbox",
		Short:   "See and answer what waits for a person",
		Example: "  apollia inbox list\n  apollia inbox approve 3",
	}, list, show, newApproveCmd(in), newAnswerCmd(in), deny)
}

func newApproveCmd(in *invocation) *cobra.Command {
	var always, session, blind bool
	cmd := &cobra.Command{
		Use:   "approve REQUEST",
		Short: "Approve a request",
		Long: `Approve a request: once, or with --session until Apollia ends, or with --always until the tool changes.

A text that a server asks for goes to the model, and what that answers waits in the inbox too, unless --no-review is given.

By default only a person at an interactive terminal may approve; see [approvals] from_cli in config.toml.`,
		Example:           "  apollia inbox approve 3\n  apollia inbox approve 3 --always",
		Args:              asUsed,
		ValidArgsFunction: in.completeRequest,
		RunE: func(cmd *cobra.Command, args []string) error {
			answer := api.AnswerRequest{Approve: true, Scope: domain.ScopeOnce, Review: !blind}
			switch {
			case always && session:
				return wrongUsage("--always and --session exclude each other", "Choose one of them.")
			case always:
				answer.Scope = domain.ScopeAlways
			case session:
				answer.Scope = domain.ScopeSession
			}
			return runInboxAnswer(cmd.Context(), in, args[0], answer, true)
		},
	}
	cmd.Flags().BoolVar(&always, "always", false, "do not ask again until the tool or the server changes")
	cmd.Flags().BoolVar(&blind, "no-review", false, "give a server the text of the model without showing it first")
	cmd.Flags().BoolVar(&session, "session", false, "do not ask again until Apollia ends")
	return cmd
}

func runInboxList(ctx context.Context, in *invocation) error {
	return in.with(ctx, func(c *client) error {
		list, err := get[api.RequestList](ctx, c, "/api/inbox", "status", "waiting")
		if err != nil {
			return err
		}
		answer := requestList{Requests: make([]requestRow, 0, len(list.Requests))}
		for _, r := range list.Requests {
			answer.Requests = append(answer.Requests, requestRow{r.ID, r.Kind, r.Server, r.Caller.Name, r.Tool, r.CreatedAt, r.ExpiresAt})
		}
		return in.show(answer, func() { in.requests(answer.Requests) })
	})
}

func (p *printer) requests(requests []requestRow) {
	rows := make([][]string, 0, len(requests))
	for _, r := range requests {
		expires := ""
		if r.ExpiresAt != nil {
			expires = moment(*r.ExpiresAt)
		}
		rows = append(rows, []string{r.ID, string(r.Kind), r.Server, r.Tool, r.Caller, moment(r.CreatedAt), expires})
	}
	p.list("Nothing waits.", []string{"ID", "KIND", "SERVER", "TOOL", "CALLER", "SINCE", "EXPIRES"}, rows)
}

func runInboxShow(ctx context.Context, in *invocation, id string) error {
	return in.with(ctx, func(c *client) error { return in.showRequest(ctx, c, id) })
}

// runInboxAnswer gives an answer. A page that it agrees to is opened in the browser, or its address printed.
func runInboxAnswer(ctx context.Context, in *invocation, id string, answer api.AnswerRequest, browser bool) error {
	return in.with(ctx, func(c *client) error { return in.giveInboxAnswer(ctx, c, id, answer, browser) })
}

func (in *invocation) giveInboxAnswer(ctx context.Context, c *client, id string, answer api.AnswerRequest, browser bool) error {
	request, err := post[domain.Request](ctx, c, at("inbox", id, "answer"), answer)
	if err != nil {
		return err
	}
	if request.Status == domain.RequestApproved && !wasOpened(request) {
		in.openPage(ctx, request, !browser)
	}
	return in.show(request, func() {
		what := oneLine(request.Tool) + " of " + oneLine(request.Server)
		if servers.IsSetup(request) {
			what = "the entry " + oneLine(request.Server) + " of config.toml"
		}
		in.line("%s: %s", request.Status, what)
	})
}
