package audit

import (
	"slices"
	"testing"
	"time"
)

func TestCallsThatWereSentAreFound(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	l := open(t, t.TempDir(), &memoryHead{}, Options{Now: func() time.Time { return now }})
	for _, e := range []Entry{
		{Kind: KindIntent, CallID: "old"},
		{Kind: KindOutcome, CallID: "old", Outcome: OutcomeOK},
		{},
		{Kind: KindIntent, CallID: "long"},
		{Kind: KindIntent, CallID: "cut"},
		{Kind: KindVerdict, CallID: "cut"},
		{Kind: KindIntent, CallID: "refused"},
		{Kind: KindOutcome, CallID: "refused", Outcome: OutcomeRefused, Unsent: true},
		{Kind: KindIntent, CallID: "failed"},
		{Kind: KindOutcome, CallID: "failed", Outcome: OutcomeError},
		{Kind: KindOutcome, CallID: "long", Outcome: OutcomeUnknown},
	} {
		if e.Kind == "" {
			now = now.Add(2 * time.Hour)
			continue
		}
		if _, err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	upTo := l.Last()
	if _, err := l.Append(Entry{Kind: KindIntent, CallID: "running"}); err != nil {
		t.Fatal(err)
	}
	sent, err := l.Sent(now.Add(-time.Hour), upTo)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range sent {
		ids = append(ids, e.CallID)
	}
	if want := []string{"cut", "failed", "long"}; !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}
