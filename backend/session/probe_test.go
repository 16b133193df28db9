package session

import (
	"context"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/transport"
)

func TestAShortStartLeavesTimeForTheHandshake(t *testing.T) {
	for left, most := range map[time.Duration]time.Duration{
		time.Second: time.Second / 3, 6 * time.Second: 2 * time.Second, time.Minute: maxProbe,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		if got := patience(ctx); got > most || got < most/2 {
			t.Errorf("with %s left a silent server is waited for %s, want %s", left, got, most)
		}
		cancel()
	}
	if got := patience(t.Context()); got != maxProbe {
		t.Errorf("without a limit: %s", got)
	}
}

// A server that answers nothing at all fails in the handshake, whatever the time that it was given.
func TestASilentServerFailsInTheHandshake(t *testing.T) {
	link, err := transport.Dial(mcptest.Within(t), "one", mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Silent}}), transport.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = link.Close() }()
	ctx, cancel := context.WithTimeout(mcptest.Within(t), time.Second)
	defer cancel()
	err = New(link, Options{}).Greet(ctx)
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeNoAnswer || e.Args["method"] != "initialize" {
		t.Errorf("got %v", err)
	}
}
