// Command conformance-client is driven by the official conformance suite: it does what a scenario asks for with the
// product's own core.
//
// Only two things are scripted: opening a browser, and the answers of the person.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
)

const (
	scenarioVariable = "MCP_CONFORMANCE_SCENARIO"
	contextVariable  = "MCP_CONFORMANCE_CONTEXT"

	// scenarioLife is less than the suite's own limit, so that a failure is told with its reason.
	scenarioLife = 25 * time.Second
	closeLife    = 10 * time.Second
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "conformance-client:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: conformance-client URL, with %s in the environment", scenarioVariable)
	}
	home, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return err
	}
	defer func() { err = first(err, os.RemoveAll(home)) }()
	ctx, cancel := context.WithTimeout(context.Background(), scenarioLife)
	defer cancel()
	port, release, err := takePort(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := writeSettings(home, port); err != nil {
		return err
	}
	c, err := core.Open(ctx, core.Options{
		Home: home, Version: "conformance", Role: core.Command, Environ: os.Environ(), Now: time.Now,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		return err
	}
	defer func() {
		closing, done := context.WithTimeout(context.Background(), closeLife)
		defer done()
		err = first(err, c.Close(closing))
	}()
	p := product{handler: c.Handler(api.WindowPrincipal())}
	changes, unsubscribe := c.Subscribe()
	person := make(chan error, 1)
	go func() { person <- p.agree(ctx, changes) }()
	defer func() {
		unsubscribe()
		err = first(err, <-person)
	}()
	return p.play(ctx, os.Getenv(scenarioVariable), os.Args[1], []byte(os.Getenv(contextVariable)))
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
