package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
)

func newDoctorCmd(in *invocation) *cobra.Command {
	var newKey, yes bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check this machine and say what is missing",
		Long: `Check this machine and say what is missing: programs that start servers, the keyring, the PATH, the proxy,
certificates, the data folder. Exits with 1 when something that was found is a problem.

With --new-key it gives up a key of the secrets that is lost for good. The values of the secrets have to be given again;
the old ones are kept aside, encrypted as they are.`,
		Example: "  apollia doctor\n  apollia doctor --new-key",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if newKey {
				return runNewKey(cmd.Context(), in, yes)
			}
			if yes {
				return wrongUsage("--yes goes with --new-key", "See apollia doctor --help.")
			}
			return runDoctor(cmd.Context(), in)
		},
	}
	cmd.Flags().BoolVar(&newKey, "new-key", false, "make a new key for the secrets in place of one that is lost")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runDoctor(ctx context.Context, in *invocation) error {
	err := in.withAnyFolder(ctx, func(c *client) error {
		working := in.working("looking the machine over")
		report, err := get[api.DoctorReport](ctx, c, "/api/doctor")
		working.end()
		if err != nil {
			return err
		}
		return in.diagnosis(report)
	})
	if !unopened(err) {
		return err
	}
	home, homeErr := config.Home(in.Getenv)
	if homeErr != nil {
		return homeErr
	}
	return in.diagnosis(api.DoctorReport{Findings: in.examine(ctx, home, domain.AsError(err))})
}

func (in *invocation) diagnosis(report api.DoctorReport) error {
	if err := in.show(report, func() { in.findings(report.Findings) }); err != nil {
		return err
	}
	for _, finding := range report.Findings {
		if finding.Level == doctor.Problem {
			return &toldError{exitFailed}
		}
	}
	return nil
}

// unopened tells the failures of a data folder that cannot be opened, which a person may want to look at all the same.
func unopened(err error) bool {
	switch domain.CodeOf(err) {
	case domain.CodeReadOnly, domain.CodeFolderForeign, domain.CodeDBNewer, domain.CodeDiskFull:
		return true
	}
	return false
}

// examine looks over what there is beside a data folder that cannot be opened.
func (in *invocation) examine(ctx context.Context, home string, why *domain.Error) []doctor.Finding {
	findings := doctor.Examine(ctx, doctor.Patient{
		Home: home, SearchPath: in.Getenv("PATH"), Problems: []*domain.Error{why},
		Lookup:  func(name string) (string, bool) { value := in.Getenv(name); return value, value != "" },
		Secrets: func(context.Context) (string, *domain.Error) { return "", nil },
	})
	// Where the secrets are is written in the folder.
	return slices.DeleteFunc(findings, func(f doctor.Finding) bool { return f.Check == "keyring" })
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
