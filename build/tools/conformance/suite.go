package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// oldestNode is the first major version of Node that runs the suite.
const oldestNode = 22

// suite is the official suite as it is installed.
type suite struct{ node, script, client string }

// scenario is what the suite plays with a client.
type scenario struct {
	name      string
	revisions []string
	// extension holds for a scenario that the suite plays at a revision only when it is forced to.
	extension bool
}

// findNode gives the Node of the PATH when it is new enough, else the one among the packages.
func findNode(packages string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runLife)
	defer cancel()
	if version, err := exec.CommandContext(ctx, "node", "--version").Output(); err == nil {
		major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
		if n, err := strconv.Atoi(major); err == nil && n >= oldestNode {
			return "node", nil
		}
	}
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	node := filepath.Join(packages, "node-"+runtime.GOOS+"-"+arch, "bin", "node")
	if _, err := os.Stat(node); err != nil {
		return "", fmt.Errorf("the suite needs Node %d or newer, which is neither on the PATH nor packed for this system", oldestNode)
	}
	return node, nil
}

// clientScenarios asks the suite what there is for clients.
func (s suite) clientScenarios(ctx context.Context) ([]scenario, error) {
	ctx, cancel := context.WithTimeout(ctx, runLife)
	defer cancel()
	out, err := exec.CommandContext(ctx, s.node, s.script, "list").Output()
	if err != nil {
		return nil, fmt.Errorf("list scenarios: %w", err)
	}
	_, list, found := strings.Cut(string(out), "Client scenarios")
	if !found {
		return nil, errors.New("list scenarios: the suite names none for clients")
	}
	var scenarios []scenario
	for line := range strings.SplitSeq(list, "\n") {
		item, isItem := strings.CutPrefix(line, "  - ")
		if !isItem {
			if len(scenarios) > 0 {
				break // the next heading
			}
			continue
		}
		name, revisions, _ := strings.Cut(strings.TrimSuffix(item, "]"), " [")
		one := scenario{name: name, revisions: strings.Split(revisions, ",")}
		if revisions == "extension" {
			one.extension, one.revisions = true, []string{"2025-11-25", "2026-07-28"}
		}
		scenarios = append(scenarios, one)
	}
	return scenarios, nil
}

// try runs one attempt. The suite exits with another code than 0 for a warning too.
func (s suite) try(a *attempt) {
	began := time.Now()
	defer func() { a.took = time.Since(began) }()
	folder, err := os.MkdirTemp("", "conformance-suite-")
	if err != nil {
		a.said = err.Error()
		return
	}
	defer func() { _ = os.RemoveAll(folder) }() // the suite's own records
	ctx, cancel := context.WithTimeout(context.Background(), runLife)
	defer cancel()
	args := []string{s.script, "client", "--command", s.client, "--scenario", a.name, "--spec-version", a.revision}
	if a.extension {
		args = append(args, "--force")
	}
	cmd := exec.CommandContext(ctx, s.node, args...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	a.passed, a.said = err == nil && !strings.Contains(string(out), "skipping"), tail(string(out))
}

func tail(text string) string {
	const most = 40
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return "      " + strings.Join(lines[max(0, len(lines)-most):], "\n      ")
}
