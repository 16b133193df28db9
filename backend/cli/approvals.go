package cli

import (
	"context"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

func newApprovalsCmd(in *invocation) *cobra.Command {
	list := &cobra.Command{
		Use:     "list",
		Short:   "List the standing approvals",
		Example: "  apollia approvals list",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runApprovalsList(cmd.Context(), in) },
	}
	revoke := &cobra.Command{
		Use:     "revoke APPROVAL",
		Short:   "End a standing approval: the next call is asked for again",
		Example: "  apollia approvals revoke 2",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, args []string) error { return runRevoke(cmd.Context(), in, args[0]) },
	}
	return newGroup(&cobra.Command{
		Use:     "approvals",
		Short:   "See and revoke what was approved for longer than once",
		Example: "  apollia approvals list",
	}, list, revoke)
}

func runApprovalsList(ctx context.Context, in *invocation) error {
	return in.with(ctx, func(c *client) error {
		list, err := get[api.ApprovalList](ctx, c, "/api/approvals")
		if err != nil {
			return err
		}
		return in.show(list, func() { in.approvals(list.Approvals) })
	})
}

func (p *printer) approvals(approvals []domain.Approval) {
	rows := make([][]string, 0, len(approvals))
	for _, a := range approvals {
		until := ""
		if a.Until != nil {
			until = moment(*a.Until)
		}
		rows = append(rows, []string{a.ID, string(a.Scope), a.Server, a.Name, callerName(a.Caller), moment(a.CreatedAt), until})
	}
	p.list("There are no standing approvals.", []string{"ID", "SCOPE", "SERVER", "TOOL", "CALLER", "SINCE", "UNTIL"}, rows)
}

func runRevoke(ctx context.Context, in *invocation, id string) error {
	return in.with(ctx, func(c *client) error {
		if err := drop(ctx, c, at("approvals", id)); err != nil {
			return err
		}
		return in.show(map[string]string{"revoked": id}, func() { in.line("revoked %s", id) })
	})
}
