package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// callRatio runs the benchmark of the pool, which has it take turns with mcp-go's own client over the same transport,
// and gives the median of their ratios.
func (p programs) callRatio(transport string) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		return p.benchmark(ctx, "pool", "^BenchmarkCall$/^"+transport+"$", "1x", "ratio")
	}
}

// recordedCall is the processor time that the journal takes for one call, in microseconds.
func (p programs) recordedCall(ctx context.Context) (float64, error) {
	return p.benchmark(ctx, "core", "^BenchmarkRecordedCall$", "50000x", "us-cpu/call")
}

// appear is how long a server of the local network takes until it is listed, in milliseconds: one that is announced while we
// search, or one that is there when we begin to search.
func (p programs) appear(when string) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) {
		return p.benchmark(ctx, "lan", "^BenchmarkAppear$", "1x", "ms-"+when)
	}
}

// search runs a benchmark of the search for tools.
func (p programs) search(pattern, times, unit string) func(context.Context) (float64, error) {
	return func(ctx context.Context) (float64, error) { return p.benchmark(ctx, "search", pattern, times, unit) }
}

// benchmark runs one of a package and gives what it reports in a unit.
func (p programs) benchmark(ctx context.Context, name, pattern, times, unit string) (float64, error) {
	program := filepath.Join(p.root, "build/cache/bin", name+".test")
	cmd := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", times)
	cmd.Dir = filepath.Join(p.root, "backend", name)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%w: %s", err, output)
	}
	return metric(string(output), unit)
}

// metric finds a number that a benchmark reports: it stands before its unit.
func metric(output, unit string) (float64, error) {
	words := strings.Fields(output)
	for i := 1; i < len(words); i++ {
		if words[i] == unit {
			return strconv.ParseFloat(words[i-1], 64)
		}
	}
	return 0, fmt.Errorf("the benchmark reports no %s: %s", unit, output)
}
