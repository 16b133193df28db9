package cli

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

func newSkillsCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "skills SERVER",
		Short: "List the skills of a server with their files",
		Long: `List the skills of a server with their files. Nothing of them is read.

A file is read like any resource. One that is not what its skill says is refused, and nothing of it is printed.`,
		Example:           "  apollia mcp skills acme-internal\n  apollia mcp read acme-internal skill://invoices/SKILL.md",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runSkills(cmd.Context(), in, args[0]) },
	}
}

func runSkills(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		list, err := fetching[api.SkillList](ctx, in, c, at("servers", server, "skills"))
		if err != nil {
			return err
		}
		return in.show(list, func() { in.skills(list.Skills) })
	})
}

// skills writes a line for each file; a skill is named and described on its first one.
func (p *printer) skills(skills []domain.Skill) {
	var rows [][]string
	for _, skill := range skills {
		row := []string{skill.Name, skill.URI, "", firstLine(skill.Description)}
		if len(skill.Files) == 0 {
			rows = append(rows, row)
		}
		for _, file := range skill.Files {
			row[1], row[2] = file.URI, bytesOf(file)
			rows = append(rows, row)
			row = []string{"", "", "", ""}
		}
	}
	p.list("There are no skills.", []string{"SKILL", "FILE", "BYTES", "DESCRIPTION"}, rows)
}

func bytesOf(file domain.SkillFile) string {
	if file.Size == nil {
		return ""
	}
	return strconv.FormatInt(*file.Size, 10)
}
