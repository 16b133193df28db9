package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

var quiet = slog.New(slog.DiscardHandler)

// echo is a call that fits the target of world.
func echo() domain.Call {
	return domain.Call{
		ID: "call", Kind: domain.ToolCall, Server: "Demo", Name: "echo",
		Params: json.RawMessage(`{"name":"echo","arguments":{"message":"bonjour"}}`),
		Caller: domain.Caller{Kind: domain.CallerCLI, Name: "cli", User: domain.LocalUser, Session: "run"},
	}
}

// world stands for everything around the pipeline: the servers, the rules and the person.
type world struct {
	target  domain.Target
	findErr error
	rules   policy.Rules
	ruleErr error
	inbox   fakeInbox
	// verdicts were written down, unless writeErr kept them from it.
	verdicts []domain.Verdict
	writeErr error
}

func (w *world) write(_ domain.Call, d domain.Decision) error {
	w.verdicts = append(w.verdicts, d.Verdict)
	return w.writeErr
}

func newWorld() *world {
	return &world{target: domain.Target{
		Server:           domain.Server{ID: "demo", Definition: domain.Definition{Name: "Demo"}, Enabled: true},
		Tool:             &domain.Tool{Name: "echo", InputSchema: json.RawMessage(`{"type":"object","required":["message"]}`)},
		DefinitionDigest: "d1",
	}}
}

func (w *world) Find(ctx context.Context, _ domain.Call) (Target, error) {
	if ctx.Err() != nil {
		return Target{}, ctx.Err()
	}
	return w.target, w.findErr
}

func (w *world) rulesFor(domain.Call) (policy.Rules, error) { return w.rules, w.ruleErr }

func (w *world) says(v domain.Verdict) *world {
	w.rules.Owner = append(w.rules.Owner, domain.Rule{ID: "rule-" + v.String(), Verdict: v, Server: "demo", Source: domain.FromConfig, Line: 7})
	return w
}

func (w *world) road(end domain.CallFunc) domain.CallFunc {
	return Build(end, Resolve(w), Authorize(w.rulesFor, w, &w.inbox, w.write))
}

// fakeInbox answers with what it was told to.
type fakeInbox struct {
	mu       sync.Mutex
	pass     *domain.Request
	passErr  error
	parkErr  error
	answer   func(context.Context, domain.Request, time.Duration) (domain.Request, error)
	asked    []domain.Request
	returned []string
	failing  error // of ReturnPass
}

func (f *fakeInbox) Park(r domain.Request) (domain.Request, func(context.Context, time.Duration) (domain.Request, error), error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r)
	r.ID = "r1"
	return r, func(ctx context.Context, wait time.Duration) (domain.Request, error) { return f.answer(ctx, r, wait) }, f.parkErr
}

func (f *fakeInbox) TakePass(domain.Request) (domain.Request, bool, error) {
	if f.pass == nil || f.passErr != nil {
		return domain.Request{}, false, f.passErr
	}
	return *f.pass, true, nil
}

func (f *fakeInbox) ReturnPass(id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.returned = append(f.returned, id)
	return f.failing
}

// approve answers yes at once, with params in place of the call's when they are given.
func approve(params string) func(context.Context, domain.Request, time.Duration) (domain.Request, error) {
	return func(_ context.Context, r domain.Request, _ time.Duration) (domain.Request, error) {
		r.Status, r.Answer = domain.RequestApproved, &domain.Answer{Approve: true, Scope: domain.ScopeOnce}
		if params != "" {
			r.Answer.Params = json.RawMessage(params)
		}
		return r, nil
	}
}

func refuse(code domain.Code) func(context.Context, domain.Request, time.Duration) (domain.Request, error) {
	return func(_ context.Context, r domain.Request, _ time.Duration) (domain.Request, error) {
		return r, &domain.Error{Code: code, Message: "no", Args: map[string]string{"request_id": r.ID}}
	}
}

// server is an end of the pipeline that counts its calls.
type server struct {
	calls []domain.Call
	err   error
}

func (s *server) call(_ context.Context, call domain.Call) (domain.Result, error) {
	s.calls = append(s.calls, call)
	if s.err != nil {
		return domain.Result{}, s.err
	}
	return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{}`)}, nil
}

// listening gives the call with a sink that keeps the kinds of its notices.
func listening(call domain.Call) (domain.Call, *[]domain.Notice) {
	var heard []domain.Notice
	call.Sink = func(n domain.Notice) { heard = append(heard, n) }
	return call, &heard
}

func wantCode(t *testing.T, err error, want domain.Code) *domain.Error {
	t.Helper()
	if domain.CodeOf(err) != want {
		t.Fatalf("got error %v (%s), want %s", err, domain.CodeOf(err), want)
	}
	return domain.AsError(err)
}

func TestBuildKeepsTheOrder(t *testing.T) {
	var trace []string
	stage := func(name string) Stage {
		return func(next domain.CallFunc) domain.CallFunc {
			return func(ctx context.Context, call domain.Call) (domain.Result, error) {
				trace = append(trace, name)
				return next(ctx, call)
			}
		}
	}
	call, heard := listening(echo())
	end := func(context.Context, domain.Call) (domain.Result, error) {
		if len(*heard) != 1 || (*heard)[0].Kind != domain.NoticeRunning {
			t.Errorf("heard %v before the end, want running", *heard)
		}
		trace = append(trace, "end")
		return domain.Result{}, nil
	}
	if _, err := Build(end, stage("a"), stage("b"), stage("c"))(t.Context(), call); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "b", "c", "end"}; !slices.Equal(trace, want) {
		t.Errorf("got %v, want %v", trace, want)
	}
}

// TestNoStageTurnsARefusalIntoASuccess builds pipelines of stages in any order and a refusal after the last of them.
func TestNoStageTurnsARefusalIntoASuccess(t *testing.T) {
	refusal := errors.New("refused")
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		panics := r.IntN(2) == 0
		w := newWorld().says([]domain.Verdict{domain.Allow, domain.Ask, domain.Deny}[r.IntN(3)])
		w.inbox.answer = approve("")
		refusing := func(domain.CallFunc) domain.CallFunc {
			return func(context.Context, domain.Call) (domain.Result, error) {
				if panics {
					panic(refusal)
				}
				return domain.Result{Raw: json.RawMessage(`"leak"`)}, refusal
			}
		}
		stages := []Stage{Resolve(w), Authorize(w.rulesFor, w, &w.inbox, w.write), Deadline(within(time.Hour, time.Hour))}
		r.Shuffle(len(stages), func(i, j int) { stages[i], stages[j] = stages[j], stages[i] })
		stages = append(stages[:r.IntN(len(stages)+1)], refusing)
		stages = append([]Stage{Record(&fakeJournal{}, time.Now, quiet), Recover(quiet)}, stages...)
		end := &server{}
		_, err := Build(end.call, stages...)(t.Context(), echo())
		if err == nil || len(end.calls) != 0 {
			t.Fatalf("seed %d: got %v and %d calls, want an error and none", seed, err, len(end.calls))
		}
	}
}
