package pipeline

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func logTo(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

func TestRecoverMakesAPanicAnError(t *testing.T) {
	var log strings.Builder
	road := Build(func(context.Context, domain.Call) (domain.Result, error) {
		panic("nil map")
	}, Recover(logTo(&log)))
	_, err := road(t.Context(), echo())
	e := wantCode(t, err, domain.CodeInternal)
	if strings.Contains(e.Message, "nil map") {
		t.Errorf("the sentence shows the panic: %q", e.Message)
	}
	for _, want := range []string{"nil map", "recover_test.go", "call=call"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}
