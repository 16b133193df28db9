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
		program := filepath.Join(p.root, "build/cache/bin/pool.test")
		cmd := exec.CommandContext(ctx, program, "-test.run", "^$", "-test.bench", "^BenchmarkCall$/^"+transport+"$", "-test.benchtime", "1x")
		cmd.Dir = filepath.Join(p.root, "backend/pool")
		output, err := cmd.CombinedOutput()
		if err != nil {
			return 0, fmt.Errorf("%w: %s", err, output)
		}
		return metric(string(output), "ratio")
	}
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
