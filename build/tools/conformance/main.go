// Command conformance runs the official conformance suite against our client, one line for each scenario and revision,
// and says how many passed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	atOnce = 2
	// runLife bounds one scenario; the suite has a limit of its own below it.
	runLife = 2 * time.Minute
)

func main() {
	root := flag.String("root", ".", "the repository")
	only := flag.String("only", "", "run only scenarios whose name has this in it")
	flag.Parse()
	if err := run(*root, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// attempt is one scenario at one revision.
type attempt struct {
	scenario
	revision string
	passed   bool
	took     time.Duration
	// said is the end of what the suite printed.
	said string
}

func run(root, only string, out io.Writer) error {
	s, err := findSuite(root)
	if err != nil {
		return err
	}
	scenarios, err := s.clientScenarios(context.Background())
	if err != nil {
		return err
	}
	var attempts []*attempt
	for _, scenario := range scenarios {
		for _, revision := range scenario.revisions {
			if strings.Contains(scenario.name, only) {
				attempts = append(attempts, &attempt{scenario: scenario, revision: revision})
			}
		}
	}
	s.runAll(attempts, out)
	return summary(attempts, out)
}

// runAll runs the attempts, a few at once, and prints each in its turn.
func (s suite) runAll(attempts []*attempt, out io.Writer) {
	done := make([]chan struct{}, len(attempts))
	for i := range done {
		done[i] = make(chan struct{})
	}
	var workers sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		workers.Go(func() {
			for i := range next {
				s.try(attempts[i])
				close(done[i])
			}
		})
	}
	workers.Go(func() {
		defer close(next)
		for i := range attempts {
			next <- i
		}
	})
	for i, a := range attempts {
		<-done[i]
		a.print(out)
	}
	workers.Wait()
}

func (a *attempt) print(out io.Writer) {
	verdict := "pass"
	if !a.passed {
		verdict = "FAIL"
	}
	fmt.Fprintf(out, "%s  %-44s %s  %5.1f s\n", verdict, a.name, a.revision, a.took.Seconds())
	if !a.passed {
		fmt.Fprintln(out, a.said)
	}
}

// summary prints the total, and fails when anything failed.
func summary(attempts []*attempt, out io.Writer) error {
	passed := 0
	for _, a := range attempts {
		if a.passed {
			passed++
		}
	}
	fmt.Fprintf(out, "client: %d passed, %d failed\n", passed, len(attempts)-passed)
	if len(attempts) == 0 {
		return errors.New("no scenario was run")
	}
	if failed := len(attempts) - passed; failed > 0 {
		return fmt.Errorf("%d failed", failed)
	}
	return nil
}

// findSuite looks for everything that a run needs.
func findSuite(root string) (suite, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return suite{}, err
	}
	s := suite{
		script: filepath.Join(root, "build/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js"),
		client: filepath.Join(root, "build/bin/conformance-client"),
	}
	for _, file := range []string{s.script, s.client} {
		if _, err := os.Stat(file); err != nil {
			return suite{}, fmt.Errorf("%w: run make conformance, which makes it", err)
		}
	}
	s.node, err = findNode(filepath.Join(root, "build/conformance/node_modules"))
	return s, err
}
