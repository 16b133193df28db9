package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// stepLook is how long one request waits for a test to go on, in milliseconds: steps appear as they end.
const stepLook = "200"

// testDocument is what a live test found.
type testDocument struct {
	Server          string           `json:"server"`
	OK              bool             `json:"ok"`
	Transport       domain.Transport `json:"transport"`
	ProtocolVersion string           `json:"protocol_version"`
	Steps           []testStep       `json:"steps"`
	// Tools, Resources and Prompts are counts.
	Tools     int             `json:"tools"`
	Resources int             `json:"resources"`
	Prompts   int             `json:"prompts"`
	Warnings  []*domain.Error `json:"warnings,omitempty"`
	Error     *domain.Error   `json:"error,omitempty"`
}

type testStep struct {
	Name domain.StepName `json:"name"`
	OK   bool            `json:"ok"`
	// Skipped marks a section that the server does not announce.
	Skipped bool   `json:"skipped,omitempty"`
	MS      int64  `json:"ms"`
	Detail  string `json:"detail"`
}

func newTestCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:   "test SERVER",
		Short: "Connect to a server, list what it offers, and report each step with its time",
		Long: `Connect to a server, list what it offers, and report each step with its time. A step that fails is named with
its cause and what to do. Exits with 3 when the server wants a sign-in, 5 when it cannot be reached, 1 otherwise.`,
		Example:           "  apollia mcp test acme-internal\n  apollia mcp test acme-internal --json",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runTest(cmd.Context(), in, args[0]) },
	}
}

func runTest(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		report, err := in.test(ctx, c, api.TestRequest{ServerID: server}, in.line)
		if err != nil {
			return err
		}
		if err := in.show(testDocumentOf(report), func() { in.summary(report) }); err != nil {
			return err
		}
		if report.OK {
			return nil
		}
		if !in.json && report.Error != nil {
			in.fail(report.Error)
		}
		return &toldError{testExit(report.Error)}
	})
}

// testExit is 1, 3 or 5: what is wrong with the configuration of a server is a failed test, not wrong usage of test.
func testExit(cause *domain.Error) int {
	if cause == nil {
		return exitFailed
	}
	switch exit := exitOf(cause); exit {
	case exitSignIn, exitUnreachable:
		return exit
	default:
		return exitFailed
	}
}

// test runs a live test to its end and tells each step as it ends. A cancelled one ends what it started.
func (in *invocation) test(
	ctx context.Context, c *client, request api.TestRequest, tell func(string, ...any),
) (domain.TestReport, error) {
	report, err := post[domain.TestReport](ctx, c, "/api/tests", request)
	if err != nil {
		return report, err
	}
	working := in.working("testing " + report.Name)
	defer func() { working.end() }()
	told := 0
	for {
		if told < finished(report) {
			working.end()
			in.tellSteps(report.Steps[told:finished(report)], tell)
			told, working = finished(report), in.working("testing "+report.Name)
		}
		if !report.Running {
			return report, nil
		}
		next, err := get[domain.TestReport](ctx, c, at("tests", report.ID), "wait_ms", stepLook)
		if ctx.Err() != nil {
			return report, in.cancel(ctx, c, at("tests", report.ID))
		}
		if err != nil {
			return report, err
		}
		report = next
	}
}

// cancelLife bounds what is still done for a command that was cancelled.
const cancelLife = 5 * time.Second

// cancel ends what runs at path, after the person ended the command.
func (in *invocation) cancel(ctx context.Context, c *client, path string) error {
	bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), cancelLife)
	defer stop()
	if err := drop(bounded, c, path); err != nil {
		in.say("note: %v", err)
	}
	return canceled(ctx.Err())
}

// finished counts the steps that have ended; steps end in order.
func finished(report domain.TestReport) int {
	n := slices.IndexFunc(report.Steps, func(step domain.TestStep) bool { return step.Running })
	if n < 0 {
		return len(report.Steps)
	}
	return n
}

// tellSteps tells steps that ended. Under --json the document tells them.
func (in *invocation) tellSteps(steps []domain.TestStep, tell func(string, ...any)) {
	for _, step := range steps {
		if !in.json {
			tell("%s", stepLine(step))
		}
	}
}

func stepLine(step domain.TestStep) string {
	return strings.TrimRight(padded(stepWord(step), 13)+padded(string(step.Name), 12)+
		padLeft(strconv.FormatInt(step.MS, 10)+" ms", 9)+gap+oneLine(step.Detail), " ")
}

func stepWord(step domain.TestStep) string {
	switch {
	case step.Skipped:
		return "not announced"
	case step.OK:
		return "ok"
	default:
		return "failed"
	}
}

func testDocumentOf(r domain.TestReport) testDocument {
	d := testDocument{
		Server: r.Server, OK: r.OK, Transport: r.Transport, ProtocolVersion: r.ProtocolVersion, Steps: []testStep{},
		Tools: len(r.Tools), Resources: len(r.Resources), Prompts: len(r.Prompts), Warnings: r.Warnings, Error: r.Error,
	}
	for _, step := range r.Steps {
		d.Steps = append(d.Steps, testStep{step.Name, step.OK, step.Skipped, step.MS, step.Detail})
	}
	return d
}

// summary says what a finished test came to.
func (p *printer) summary(r domain.TestReport) {
	for _, warning := range r.Warnings {
		p.line("note: %s", printable(warning.Message))
	}
	if r.OK {
		p.line("%s works: MCP %s, %d tools, %d resources, %d prompts",
			printable(r.Name), r.ProtocolVersion, len(r.Tools), len(r.Resources), len(r.Prompts))
	}
}
