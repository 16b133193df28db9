// Command mcpload calls MCP endpoints in turns and tells what a call costs at each, and beside the first.
//
// The endpoints take turns within one run (a round of each, again and again), so that the ratios hold on a busy machine;
// the times themselves, and p99, do not. An endpoint is an address, or a program that speaks over its standard streams:
//
//	mcpload -url direct=http://127.0.0.1:7001/mcp -url gateway=http://127.0.0.1:7433/mcp -n 4000
//	mcpload -url 'pipe=stdio:build/cache/bin/mcpfake' -n 4000
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

// plan is what is done to every endpoint.
type plan struct {
	tool     string
	params   json.RawMessage
	sessions int
	rounds   int
	calls    int // of one session in one round
}

func main() {
	var targets []*target
	flag.Func("url", "NAME=ADDRESS or NAME=stdio:PROGRAM ARGUMENT..., once for each; the first is the measure of the others", func(text string) error {
		name, address, ok := strings.Cut(text, "=")
		if !ok || name == "" || address == "" {
			return errors.New("want NAME=ADDRESS")
		}
		targets = append(targets, &target{Name: name, address: address})
		return nil
	})
	tool := flag.String("tool", "echo", "the tool to call; one that ends in __NAME serves too")
	arguments := flag.String("args", `{"message":"hello"}`, "the arguments of the call, a JSON object")
	sessions := flag.Int("c", 1, "sessions at a time")
	count := flag.Int("n", 1000, "calls of each endpoint, of all rounds and sessions")
	rounds := flag.Int("rounds", 5, "rounds, in each of which every endpoint has its turn")
	flag.Parse()

	p := plan{tool: *tool, params: json.RawMessage(*arguments), sessions: max(*sessions, 1), rounds: max(*rounds, 1)}
	p.calls = max(1, *count/(p.sessions*p.rounds))
	err := run(context.Background(), p, targets)
	if err == nil {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		err = out.Encode(targets)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcpload:", err)
		os.Exit(1)
	}
}

// run measures all targets and fills in what was found.
func run(ctx context.Context, p plan, targets []*target) (err error) {
	if len(targets) == 0 {
		return errors.New("no -url")
	}
	defer func() {
		for _, t := range targets {
			err = errors.Join(err, t.close())
		}
	}()
	for _, t := range targets {
		if err := t.open(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	for range p.rounds {
		for _, t := range targets {
			if err := t.round(ctx, p); err != nil {
				return fmt.Errorf("%s: %w", t.Name, err)
			}
		}
	}
	for _, t := range targets {
		t.sum(targets[0])
	}
	return nil
}
