package cli

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

func newTasksCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "tasks [SERVER]",
		Short:             "List the calls that go on as tasks at their servers",
		Example:           "  apollia mcp tasks",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTasks(cmd.Context(), in, given(args, 0))
		},
	}
}

func newTaskCmd(in *invocation) *cobra.Command {
	var cancel bool
	cmd := &cobra.Command{
		Use:               "task SERVER TASK",
		Short:             "Show one task, or ask its server to end it",
		Example:           "  apollia mcp task acme task-7\n  apollia mcp task acme task-7 --cancel",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runTask(cmd.Context(), in, args[0], args[1], cancel)
		},
	}
	cmd.Flags().BoolVar(&cancel, "cancel", false, "ask the server to end the task; the call that waits for it fails")
	return cmd
}

func runTasks(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		list, err := tasksOf(ctx, c, server)
		if err != nil {
			return err
		}
		return in.show(list, func() { in.tasks(list.Tasks) })
	})
}

func tasksOf(ctx context.Context, c *client, server string) (api.TaskList, error) {
	return get[api.TaskList](ctx, c, "/api/tasks?server="+url.QueryEscape(server))
}

func runTask(ctx context.Context, in *invocation, server, id string, cancel bool) error {
	return in.with(ctx, func(c *client) error {
		if cancel {
			return in.cancelTask(ctx, c, server, id)
		}
		list, err := tasksOf(ctx, c, server)
		if err != nil {
			return err
		}
		found := slices.IndexFunc(list.Tasks, func(t domain.Task) bool { return t.ID == id })
		if found < 0 {
			return domain.UnknownTask(id)
		}
		return in.show(list.Tasks[found], func() { in.tasks(list.Tasks[found : found+1]) })
	})
}

func (in *invocation) cancelTask(ctx context.Context, c *client, server, id string) error {
	if err := drop(ctx, c, at("servers", server, "tasks", id)); err != nil {
		return err
	}
	return in.show(struct {
		Server    string `json:"server"`
		Task      string `json:"task"`
		Cancelled bool   `json:"cancelled"`
	}{server, id, true}, func() { in.line("The server was asked to end the task %s.", printable(id)) })
}

func (p *printer) tasks(tasks []domain.Task) {
	rows := make([][]string, 0, len(tasks))
	for _, t := range tasks {
		rows = append(rows, []string{t.Server, t.ID, t.Tool, t.Status, t.StartedAt.Local().Format(time.TimeOnly), firstLine(t.Message)})
	}
	p.list("No call goes on as a task.", []string{"SERVER", "TASK", "TOOL", "STATUS", "SINCE", "MESSAGE"}, rows)
}
