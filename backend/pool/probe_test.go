package pool

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

func TestProbeReportsEachStep(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{PageSize: 3}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		grown := 0
		report := p.Probe(mcptest.Within(t), "one", d, func(r domain.TestReport) {
			if len(r.Steps) < grown {
				t.Errorf("the report shrank to %d steps", len(r.Steps))
			}
			grown = len(r.Steps)
		})
		if !report.OK || report.Running || report.Error != nil || len(report.Warnings) != 0 {
			t.Fatalf("report %+v", report)
		}
		want := domain.Steps(d.Transport)
		if len(report.Steps) != len(want) {
			t.Fatalf("steps %+v", report.Steps)
		}
		for i, step := range report.Steps {
			if step.Name != want[i] || !step.OK || step.Running || step.Detail == "" {
				t.Errorf("step %d is %+v, want %s", i, step, want[i])
			}
		}
		if len(report.Tools) != len(mcptest.Standing) || len(report.Resources) != 2 || len(report.Prompts) != 1 {
			t.Errorf("found %d tools, %d resources, %d prompts", len(report.Tools), len(report.Resources), len(report.Prompts))
		}
	})
}

func behaving(b ...mcptest.Behaviour) mcptest.Options { return mcptest.Options{Behave: b} }

func TestProbeNamesTheStepThatFailed(t *testing.T) {
	overHTTP := func(b mcptest.Behaviour) domain.Definition {
		return mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(behaving(b)))
	}
	quickly := func(d domain.Definition) domain.Definition {
		d.TimeoutMS = 50
		return d
	}
	tests := []struct {
		name string
		d    domain.Definition
		step domain.StepName
		code domain.Code
	}{
		{"unknown command", domain.Definition{Transport: domain.Stdio, Command: "no-such-program"}, domain.StepResolve, domain.CodeProgramNotFound},
		{"missing folder", domain.Definition{Transport: domain.Stdio, Command: "echo", Cwd: "/no/such"}, domain.StepResolve, domain.CodeSpawnFailed},
		{"dies", mcptest.Command(behaving(mcptest.Die)), domain.StepHandshake, domain.CodeServerExited},
		{"mute", quickly(domain.Definition{Transport: domain.Stdio, Command: "sleep", Args: []string{"100"}}), domain.StepHandshake, domain.CodeNoAnswer},
		{"prints", domain.Definition{Transport: domain.Stdio, Command: "echo", Args: []string{"hello"}}, domain.StepHandshake, domain.CodeNotJSONRPC},
		{"unknown revision", mcptest.Command(mcptest.Options{Revision: "1999-12-31"}), domain.StepVersion, domain.CodeNoCommonRevision},
		{"closed port", domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:1"}, domain.StepConnect, domain.CodeConnRefused},
		{"no host", domain.Definition{Transport: domain.SSE, URL: "http://no-such-host.invalid"}, domain.StepResolve, domain.CodeDNSFailed},
		{"web page", overHTTP(mcptest.HTML), domain.StepHandshake, domain.CodeHTML},
		{"500", overHTTP(mcptest.Broken), domain.StepHandshake, domain.CodeHTTPStatus},
		{"401", overHTTP(mcptest.Unauthorized), domain.StepHandshake, domain.CodeSignInNeeded},
		{"SSE at the wrong address", mcptest.Serve(t, domain.SSE, http.NotFoundHandler()), domain.StepConnect, domain.CodeHTTPStatus},
	}
	p := newPool(t, nil)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			report := p.Probe(mcptest.Within(t), "one", test.d, nil)
			if report.OK || report.Error == nil || report.Error.Code != test.code || report.Error.Hint == "" {
				t.Fatalf("report %+v, error %+v", report, report.Error)
			}
			last := report.Steps[len(report.Steps)-1]
			if last.Name != test.step || last.OK || last.Running {
				t.Errorf("last step %+v, want %s to fail", last, test.step)
			}
			for _, step := range report.Steps[:len(report.Steps)-1] {
				if !step.OK {
					t.Errorf("step %s failed before", step.Name)
				}
			}
		})
	}
}

func TestProbeShowsStderr(t *testing.T) {
	p := newPool(t, nil)
	report := p.Probe(mcptest.Within(t), "one", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}, Text: "no licence"}), nil)
	if !slices.Equal(report.StderrTail, []string{"no licence"}) || report.Error.Proof != "no licence" {
		t.Errorf("tail %q, proof %q", report.StderrTail, report.Error.Proof)
	}
}

func TestProbeWarnsOfWhatStillWorks(t *testing.T) {
	tests := []struct {
		name    string
		o       mcptest.Options
		code    domain.Code
		section string
		reason  string
	}{
		{"no tools", behaving(mcptest.NoTools), domain.CodeNotAnnounced, "tools", ""},
		{"announced and not there", behaving(mcptest.NoPrompts), domain.CodeNotAnnounced, "prompts", "not_there"},
		{"a cursor that never moves", behaving(mcptest.StuckCursor), domain.CodeProtocol, "tools", "stuck_cursor"},
		{"too many pages", mcptest.Options{Tools: 300, PageSize: 1}, domain.CodeProtocol, "tools", "too_many_pages"},
		{"broken entries", behaving(mcptest.BrokenItems), domain.CodeProtocol, "tools", "malformed"},
		{"the same name twice", behaving(mcptest.BrokenItems), domain.CodeProtocol, "tools", "twice"},
	}
	p := newPool(t, nil)
	for _, test := range tests {
		report := p.Probe(mcptest.Within(t), "one", mcptest.Command(test.o), nil)
		if !report.OK {
			t.Errorf("%s: %+v", test.name, report.Error)
		}
		if !slices.ContainsFunc(report.Warnings, func(w *domain.Error) bool {
			return w.Code == test.code && w.Args["section"] == test.section && w.Args["reason"] == test.reason
		}) {
			t.Errorf("%s: warnings %v", test.name, report.Warnings)
		}
	}
}

func TestProbeSpeaksEarlierRevisions(t *testing.T) {
	p := newPool(t, nil)
	for _, revision := range session.Revisions() {
		report := p.Probe(mcptest.Within(t), "one", mcptest.Command(mcptest.Options{Revision: revision}), nil)
		if !report.OK || report.ProtocolVersion != revision {
			t.Errorf("%s: %+v", revision, report.Error)
		}
	}
}

func TestCancelledProbeEndsWhatItStarted(t *testing.T) {
	p := newPool(t, nil)
	ctx, cancel := context.WithCancel(mcptest.Within(t))
	pid := 0
	report := p.Probe(ctx, "one", domain.Definition{Transport: domain.Stdio, Command: "sleep", Args: []string{"1000"}}, func(r domain.TestReport) {
		if last := r.Steps[len(r.Steps)-1]; last.Name == domain.StepHandshake && last.Running {
			pid, _ = strconv.Atoi(r.Steps[len(r.Steps)-2].Detail)
			cancel()
		}
	})
	if report.OK || report.Error.Code != domain.CodeCanceled {
		t.Errorf("report %+v", report.Error)
	}
	if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); pid == 0 || err == nil {
		t.Errorf("the process %d is still there", pid)
	}
}

func TestProbeHidesSecrets(t *testing.T) {
	p := newPool(t, nil)
	d := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}, Text: "bad key hush-hush-42"})
	d.Env = append(d.Env, domain.Variable{Name: "X", Value: "hush-hush-42", Secret: true})
	report := p.Probe(mcptest.Within(t), "one", d, nil)
	if text := report.Error.Proof + strings.Join(report.StderrTail, ""); strings.Contains(text, "hush-hush") {
		t.Errorf("report says %q", text)
	}
}

// A package that is installed by the second start of a test shows work there, not in the first one.
func TestTheSecondStartOfATestIsWatchedItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		starts := 0
		p := New(Options{Dial: func(ctx context.Context, _ string, _ domain.Definition, o transport.Options, _ transport.StepFunc) (*transport.Link, error) {
			starts++
			if starts == 1 {
				return nil, &domain.Error{Code: domain.CodeServerExited, Message: "it ended", Cause: session.ErrProbe}
			}
			for range 4 {
				o.Log.Add(transport.StreamStderr, "fetching")
				select {
				case <-time.After(time.Minute): // less than a quiet start has
				case <-ctx.Done():
					return nil, context.Cause(ctx)
				}
			}
			return nil, &domain.Error{Code: domain.CodeSpawnFailed, Message: "it was left to install"}
		}})
		report := p.Probe(t.Context(), "one", domain.Definition{Transport: domain.Stdio, Command: "npx"}, nil)
		if starts != 2 || report.Error == nil || report.Error.Code != domain.CodeSpawnFailed {
			t.Errorf("%d starts, then %v", starts, report.Error)
		}
		if err := p.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
