package servers

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// maxTests bounds how many reports are remembered; the oldest finished one gives way.
const maxTests = 50

type probeFunc func(ctx context.Context, id string, d domain.Definition, progress func(domain.TestReport)) domain.TestReport

// tests are the live tests of this process. Their reports live in memory: a test is worth what it is worth now.
type tests struct {
	probe   probeFunc
	scanned func(domain.TestReport) domain.TestReport
	publish func(domain.Event)
	now     func() time.Time
	base    context.Context //nolint:containedctx // the tests outlive the requests that start them
	stop    context.CancelFunc
	wg      sync.WaitGroup

	mu     sync.Mutex
	byID   map[string]*test
	ids    []string // in the order they were started
	closed bool
}

type test struct {
	report  domain.TestReport
	subject [sha256.Size]byte // of the definition as it was given, secrets included
	cancel  context.CancelFunc
	changed chan struct{} // closed and replaced at each step
}

func newTests(
	probe probeFunc, scanned func(domain.TestReport) domain.TestReport, publish func(domain.Event), now func() time.Time,
) *tests {
	base, stop := context.WithCancel(context.Background())
	return &tests{probe: probe, scanned: scanned, publish: publish, now: now, base: base, stop: stop, byID: make(map[string]*test)}
}

func (t *tests) close() {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.stop()
	t.wg.Wait()
}

// start runs a test of the expanded definition; given is the draft it was made from.
func (t *tests) start(serverID string, given, expanded domain.Definition) domain.TestReport {
	ctx, cancel := context.WithCancel(t.base)
	one := &test{
		report: domain.TestReport{
			ID: rand.Text(), Server: serverID, Name: given.Name, Running: true, Transport: given.Transport, StartedAt: t.now(),
			Steps: []domain.TestStep{}, Tools: []domain.Tool{}, Resources: []domain.Resource{},
			Templates: []domain.Resource{}, Prompts: []domain.Prompt{},
		},
		subject: subjectOf(given), cancel: cancel, changed: make(chan struct{}),
	}
	first := one.report
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		cancel()
		first.Running = false
		first.Error = &domain.Error{Code: domain.CodeNotRunning, Message: "Apollia is ending", Hint: "Start it again, then test again."}
		return first
	}
	t.byID[first.ID] = one
	t.ids = append(t.ids, first.ID)
	t.forget()
	t.wg.Go(func() {
		defer cancel()
		last := t.probe(ctx, serverID, expanded, func(r domain.TestReport) { t.update(one, first, r, true) })
		t.update(one, first, last, false)
	})
	return first
}

// fail records a test that could not even start, such as one with an unset variable.
func (t *tests) fail(serverID string, given domain.Definition, err error) domain.TestReport {
	report := domain.TestReport{
		ID: rand.Text(), Server: serverID, Name: given.Name, Transport: given.Transport, StartedAt: t.now(),
		Steps: []domain.TestStep{{Name: domain.StepResolve}}, Error: domain.AsError(err),
		Tools: []domain.Tool{}, Resources: []domain.Resource{}, Templates: []domain.Resource{}, Prompts: []domain.Prompt{},
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byID[report.ID] = &test{report: report, cancel: func() {}, changed: make(chan struct{})}
	t.ids = append(t.ids, report.ID)
	t.forget()
	return report
}

func (t *tests) update(one *test, first, r domain.TestReport, running bool) {
	r.ID, r.Server, r.Name, r.StartedAt, r.Running = first.ID, first.Server, first.Name, first.StartedAt, running
	r.Steps = append([]domain.TestStep{}, r.Steps...)
	r = t.scanned(r)
	t.mu.Lock()
	one.report = r
	close(one.changed)
	one.changed = make(chan struct{})
	t.mu.Unlock()
	t.publish(domain.Event{Topic: domain.TopicTests, ID: r.ID})
}

// await returns the report when the test has ended, or as it stands after the given time.
func (t *tests) await(ctx context.Context, id string, wait time.Duration) (domain.TestReport, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		t.mu.Lock()
		one, ok := t.byID[id]
		if !ok {
			t.mu.Unlock()
			return domain.TestReport{}, unknownTest(id)
		}
		report, changed := one.report, one.changed
		t.mu.Unlock()
		if !report.Running || wait == 0 {
			return report, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return report, nil
		case <-ctx.Done():
			return report, ctx.Err()
		}
	}
}

func (t *tests) cancelTest(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, ok := t.byID[id]
	if !ok {
		return unknownTest(id)
	}
	one.cancel()
	return nil
}

func (t *tests) report(id string) (domain.TestReport, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, ok := t.byID[id]
	if !ok {
		return domain.TestReport{}, false
	}
	return one.report, true
}

// passed says whether the test succeeded with exactly this definition. What does not change how a server is reached,
// such as its name, may differ.
func (t *tests) passed(id string, d domain.Definition) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	one, ok := t.byID[id]
	return ok && one.report.OK && !one.report.Running && one.subject == subjectOf(d)
}

// subjectOf identifies what a test tried: everything that decides what is started or reached.
func subjectOf(d domain.Definition) [sha256.Size]byte {
	d.Name, d.DefaultVerdict, d.Roots, d.CacheableTools, d.CacheSeconds = "", domain.Ask, nil, nil, 0
	d = d.Clone()
	for _, variables := range d.Variables() {
		for i := range variables {
			variables[i].Secret = false // the test does not depend on the mark
		}
	}
	encoded, err := json.Marshal(d)
	if err != nil {
		panic(err) // a definition is made of strings and numbers
	}
	return sha256.Sum256(encoded)
}

// forget drops the oldest finished reports above the bound. The caller holds the lock.
func (t *tests) forget() {
	for i := 0; len(t.ids) > maxTests && i < len(t.ids); {
		id := t.ids[i]
		if t.byID[id].report.Running {
			i++
			continue
		}
		delete(t.byID, id)
		t.ids = slices.Delete(t.ids, i, i+1)
	}
}

func unknownTest(id string) error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "there is no such test, or it ended long ago", Hint: "Run the test again.",
		Args: map[string]string{"id": id},
	}
}
