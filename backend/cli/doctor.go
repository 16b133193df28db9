package cli

import (
	"context"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/doctor"
)

func newDoctorCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and say what is missing",
		Long: `Check this machine and say what is missing: programs that start servers, the keyring, the PATH, the proxy,
certificates, the data folder. Exits with 1 when something that was found is a problem.`,
		Example: "  apollia doctor",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), in) },
	}
}

func runDoctor(ctx context.Context, in *invocation) error {
	return in.withAnyFolder(ctx, func(c *client) error {
		working := in.working("looking the machine over")
		report, err := get[api.DoctorReport](ctx, c, "/api/doctor")
		working.end()
		if err != nil {
			return err
		}
		if err := in.show(report, func() { in.findings(report.Findings) }); err != nil {
			return err
		}
		for _, finding := range report.Findings {
			if finding.Level == doctor.Problem {
				return &toldError{exitFailed}
			}
		}
		return nil
	})
}

func (p *printer) findings(findings []doctor.Finding) {
	rows := make([][]string, 0, len(findings))
	for _, f := range findings {
		detail := f.Detail
		if f.Error != nil {
			detail = f.Error.Message
		}
		rows = append(rows, []string{f.Check, string(f.Level), detail})
		if f.Error != nil && f.Error.Hint != "" {
			rows = append(rows, []string{"", "", "hint: " + f.Error.Hint})
		}
	}
	p.table([]string{"CHECK", "LEVEL", "DETAIL"}, rows)
}
