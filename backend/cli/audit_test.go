package cli

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestSinceOf(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	tests := map[string]time.Time{
		"":                     {},
		"90m":                  now.Add(-90 * time.Minute),
		"24h":                  now.Add(-24 * time.Hour),
		"7d":                   now.AddDate(0, 0, -7),
		"2026-01-31":           time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC),
		"2026-01-31 09:30:00":  time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC),
		"2026-01-31T09:30:00Z": time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC),
	}
	for text, want := range tests {
		if got, err := sinceOf(text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "d", "-1h", "-2d", "7", "2026-13-01"} {
		if _, err := sinceOf(text, now); domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%q: %v, want %s", text, err, domain.CodeInvalidInput)
		}
	}
}
