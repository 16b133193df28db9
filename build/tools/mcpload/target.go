package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// target is an endpoint and what was measured of it.
type target struct {
	Name  string  `json:"name"`
	Calls int     `json:"calls"`
	P50   float64 `json:"p50_us"`
	P90   float64 `json:"p90_us"`
	P99   float64 `json:"p99_us"`
	// Rate is calls a second, of all sessions together.
	Rate float64 `json:"calls_per_second"`
	// Ratio is the median over the rounds of p50 beside that of the first target.
	Ratio float64 `json:"ratio_p50"`

	address  string
	sessions []*session
	params   map[string]any
	times    [][]time.Duration // of each round
	took     time.Duration
}

// open starts the sessions, finds the tool, and has every session make one round of calls that do not count.
func (t *target) open(ctx context.Context, p plan) error {
	for range p.sessions {
		s, err := dial(ctx, t.address)
		if err != nil {
			return err
		}
		t.sessions = append(t.sessions, s)
	}
	name, err := findTool(ctx, t.sessions[0], p.tool)
	if err != nil {
		return err
	}
	t.params = map[string]any{"name": name, "arguments": p.params}
	if err := t.round(ctx, p); err != nil {
		return err
	}
	t.times, t.took = nil, 0
	return nil
}

func (t *target) close() (err error) {
	for _, s := range t.sessions {
		err = errors.Join(err, s.close())
	}
	return err
}

// findTool looks for a tool by its name, or by the end of its name behind the prefix of a gateway.
func findTool(ctx context.Context, s *session, name string) (string, error) {
	params := map[string]any{}
	for {
		raw, err := s.request(ctx, "tools/list", params)
		if err != nil {
			return "", err
		}
		var page struct {
			Tools []struct {
				Name string `json:"name"`
			} `json:"tools"`
			Next string `json:"nextCursor"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return "", err
		}
		for _, tool := range page.Tools {
			if tool.Name == name || strings.HasSuffix(tool.Name, "__"+name) {
				return tool.Name, nil
			}
		}
		if page.Next == "" || page.Next == params["cursor"] {
			return "", fmt.Errorf("no tool %q", name)
		}
		params["cursor"] = page.Next
	}
}

// round has the sessions call side by side, each one call after the other.
func (t *target) round(ctx context.Context, p plan) error {
	all := make([][]time.Duration, len(t.sessions))
	failures := make([]error, len(t.sessions))
	began := time.Now()
	var working sync.WaitGroup
	for i, s := range t.sessions {
		working.Go(func() { all[i], failures[i] = t.turn(ctx, s, p.calls) })
	}
	working.Wait()
	t.took += time.Since(began)
	t.times = append(t.times, slices.Concat(all...))
	return errors.Join(failures...)
}

func (t *target) turn(ctx context.Context, s *session, calls int) ([]time.Duration, error) {
	times := make([]time.Duration, 0, calls)
	for range calls {
		began := time.Now()
		raw, err := s.request(ctx, "tools/call", t.params)
		took := time.Since(began)
		if err != nil {
			return times, err
		}
		var result struct {
			IsError bool `json:"isError"`
		}
		if err := json.Unmarshal(raw, &result); err != nil || result.IsError {
			return times, fmt.Errorf("the tool failed: %.200s", raw)
		}
		times = append(times, took)
	}
	return times, nil
}

// sum fills in the numbers.
func (t *target) sum(first *target) {
	all := slices.Concat(t.times...)
	t.Calls = len(all)
	t.P50, t.P90, t.P99 = quantile(all, 0.5), quantile(all, 0.9), quantile(all, 0.99)
	t.Rate = float64(len(all)) / t.took.Seconds()
	var ratios []float64
	for i := range t.times {
		ratios = append(ratios, quantile(t.times[i], 0.5)/quantile(first.times[i], 0.5))
	}
	slices.Sort(ratios)
	t.Ratio = ratios[len(ratios)/2]
}

// quantile is in microseconds.
func quantile(times []time.Duration, q float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return float64(sorted[int(q*float64(len(sorted)-1))].Nanoseconds()) / 1000
}
