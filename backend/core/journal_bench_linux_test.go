package core

import (
	"context"
	"encoding/json"
	"log/slog"
	"syscall"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/policy"
)

// BenchmarkRecordedCall measures what the journal costs a call that is let through: its three lines, with the work that is done
// for them in the background. It reports processor time, not the time that passes.
func BenchmarkRecordedCall(b *testing.B) {
	c, err := Open(b.Context(), Options{
		Home: b.TempDir(), Role: Serve, Logger: slog.New(slog.DiscardHandler), Now: time.Now, Version: "1.0-bench",
	})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := c.Close(context.WithoutCancel(b.Context())); err != nil {
			b.Error(err)
		}
	}()
	written := journal{c.record, func(domain.Call) bool { return false }}
	decide := func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			if err := written.Verdict(call, domain.Decision{Verdict: domain.Allow, Because: policy.ServerDefault}); err != nil {
				return domain.Result{}, err
			}
			return next(ctx, call)
		}
	}
	answered := domain.Result{Raw: json.RawMessage(`{"content":[]}`)}
	end := func(context.Context, domain.Call) (domain.Result, error) { return answered, nil }
	road := pipeline.Build(end, pipeline.Record(written, time.Now, c.options.Logger), decide)
	call := domain.Call{
		ID: "BENCHBENCHBENCHBENCHBENCHB", Kind: domain.ToolCall, Server: "files", Name: "read_file",
		Params: json.RawMessage(`{"name":"read_file","arguments":{"path":"/home/ada/notes/shopping.txt","limit":100}}`),
		Caller: domain.Caller{Kind: domain.CallerClient, Name: "claude", User: domain.LocalUser, Session: "SESSIONSESSIONSESSIONSESSI"},
	}
	if _, err := road(b.Context(), call); err != nil { // the key is fetched once
		b.Fatal(err)
	}
	before := processorTime(b)
	n := 0
	for b.Loop() {
		if _, err := road(b.Context(), call); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(float64((processorTime(b)-before).Nanoseconds())/1000/float64(n), "us-cpu/call")
}

// processorTime is what this process used so far.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
