package pool

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestProbeReportsEachStep(t *testing.T) {
	eachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		p := newPool(t, nil)
		grown := 0
		report := p.Probe(within(t), "one", d, func(r domain.TestReport) {
			if len(r.Steps) < grown {
				t.Errorf("the report shrank to %d steps", len(r.Steps))
			}
			grown = len(r.Steps)
		})
		if !report.OK || report.Running || report.Error != nil {
			t.Fatalf("report %+v", report)
		}
		want := domain.Steps(d.Transport)
		if len(report.Steps) != len(want) {
			t.Fatalf("steps %+v", report.Steps)
		}
		for i, step := range report.Steps {
			if step.Name != want[i] || !step.OK || step.Running {
				t.Errorf("step %d is %+v, want %s", i, step, want[i])
			}
		}
		if len(report.Tools) != len(mcptest.Standing) || len(report.Resources) != 2 || len(report.Prompts) != 1 {
			t.Errorf("found %d tools, %d resources, %d prompts", len(report.Tools), len(report.Resources), len(report.Prompts))
		}
	})
}
