package pool

import (
	"context"
	"errors"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// maxTail is how many lines of stderr a report carries.
const maxTail = 20

// Probe is a live test of an expanded definition: it reaches the server beside any session there may be, shakes
// hands, lists, and ends what it started before it returns. The report grows through progress, which is called on
// this goroutine and may be nil; each failure is on its own step. The end of ctx ends the test.
func (p *Pool) Probe(ctx context.Context, serverID string, d domain.Definition, progress func(domain.TestReport)) domain.TestReport {
	if progress == nil {
		progress = func(domain.TestReport) {}
	}
	t := &trial{
		began: time.Now(), progress: progress, log: transport.NewLog(nil, nil),
		report: domain.TestReport{
			Server: serverID, Name: d.Name, Running: true, Transport: d.Transport, StartedAt: time.Now(),
			Tools: []domain.Tool{}, Resources: []domain.Resource{}, Templates: []domain.Resource{}, Prompts: []domain.Prompt{},
		},
	}
	err := p.try(ctx, t, serverID, d)
	t.end(err)
	return t.report
}

func (p *Pool) try(ctx context.Context, t *trial, serverID string, d domain.Definition) error {
	o := opening{
		options: p.options, serverID: serverID, definition: d, log: t.log, traffic: transport.NewTraffic(nil),
		hooks: hooks{begin: t.begin, done: t.done, skip: t.skip}, test: true,
		roots: func(context.Context) []string { return p.allowed(d.Roots, t.log) },
	}
	s, err := o.connectInTime(ctx, installs(d))
	if errors.Is(err, session.ErrProbe) {
		// Some servers end at anything but the handshake.
		t.log = transport.NewLog(nil, nil)
		o.log, o.hooks, o.handshake = t.log, o.hooks.again(), true
		s, err = o.connectInTime(ctx, installs(d))
	}
	if err != nil {
		return err
	}
	t.greeted(s)
	found, err := o.survey(ctx, s)
	t.found(found)
	if closing := s.end(); err == nil {
		err = closing
	}
	return err
}

// trial is a test that runs.
type trial struct {
	began    time.Time
	progress func(domain.TestReport)
	log      *transport.Log
	report   domain.TestReport
}

func (t *trial) elapsed() int64 { return time.Since(t.began).Milliseconds() }

// tell passes a copy of the report on, so that what was told does not change later.
func (t *trial) tell() {
	r := t.report
	r.Steps = slices.Clone(r.Steps)
	r.Warnings = slices.Clone(r.Warnings)
	t.progress(r)
}

func (t *trial) begin(name domain.StepName) {
	t.report.Steps = append(t.report.Steps, domain.TestStep{Name: name, Running: true, StartMS: t.elapsed()})
	t.tell()
}

func (t *trial) finish(change func(*domain.TestStep)) {
	step := &t.report.Steps[len(t.report.Steps)-1]
	step.Running, step.MS = false, t.elapsed()-step.StartMS
	change(step)
	t.tell()
}

func (t *trial) done(detail string) {
	t.finish(func(s *domain.TestStep) { s.OK, s.Detail = true, detail })
}

func (t *trial) skip() {
	t.finish(func(s *domain.TestStep) { s.OK, s.Skipped = true, true })
}

func (t *trial) greeted(s *live) {
	g := s.Greeting()
	t.report.TransportInUse = s.transport
	t.report.ProtocolVersion, t.report.Info = g.Version, g.Info
	t.report.Instructions, t.report.Capabilities = g.Instructions, g.Capabilities
}

func (t *trial) found(f finding) {
	t.report.Tools, t.report.Prompts = f.offer.Tools, f.offer.Prompts
	t.report.Resources, t.report.Templates = f.offer.Resources, f.offer.Templates
	t.report.Warnings = append(t.report.Warnings, f.all()...)
}

func (t *trial) end(err error) {
	t.report.Running = false
	t.report.OK = err == nil
	if err != nil {
		t.report.Error = domain.AsError(err)
	}
	t.report.StderrTail = t.log.Tail(transport.StreamStderr, maxTail)
	if last := len(t.report.Steps) - 1; last >= 0 && t.report.Steps[last].Running {
		t.finish(func(*domain.TestStep) {})
		return
	}
	t.tell()
}
