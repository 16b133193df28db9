package store

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

func TestOldEndedRequestsAreForgotten(t *testing.T) {
	s := open(t, t.TempDir(), Options{KeepRequests: 10})
	for i := range 2 * pruneEvery {
		r := waiting("a")
		if i != 0 {
			r.Status = domain.RequestDenied
		}
		_, err := s.CreateRequest(r)
		must(t, err)
	}
	got, err := s.Requests(domain.RequestFilter{})
	must(t, err)
	want := []string{"128", "127", "126", "125", "124", "123", "122", "121", "120", "119", "1"}
	if diff := cmp.Diff(want, ids(got)); diff != "" {
		t.Errorf("kept requests (-want +got):\n%s", diff)
	}
}

// One server's flood leaves what was answered to the others, and the newest of its own.
func TestAFloodOfOneServerLeavesTheRequestsOfOthers(t *testing.T) {
	s := open(t, t.TempDir(), Options{KeepRequests: 10})
	quiet := []string{"1", "2", "3"}
	for n := range 2 * pruneEvery {
		r := waiting("loud")
		if n < len(quiet) {
			r.Server = "quiet"
		}
		r.Status = domain.RequestApproved
		r.UsedAt = &r.CreatedAt
		_, err := s.CreateRequest(r)
		must(t, err)
	}
	got, err := s.Requests(domain.RequestFilter{})
	must(t, err)
	want := []string{"128", "127", "126", "125", "124", "123", "122", "3", "2", "1"}
	if diff := cmp.Diff(want, ids(got)); diff != "" {
		t.Errorf("kept requests (-want +got):\n%s", diff)
	}
}

func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.IntRange(0, 50), 0, 8).Draw(t, "counts")
		room := rapid.IntRange(0, 120).Draw(t, "room")
		share := shareOf(slices.Clone(counts), room)
		kept, all := 0, 0
		for _, count := range counts {
			kept, all = kept+min(count, share), all+count
		}
		switch {
		case kept > room:
			t.Fatalf("%d are kept where there is room for %d", kept, room)
		case all <= room && kept != all:
			t.Fatalf("%d of %d are kept though there is room for %d", kept, all, room)
		case len(counts) > 0 && share < room/len(counts):
			t.Fatalf("the share is %d, less than an equal part of %d among %d", share, room, len(counts))
		case all > room && kept+len(counts) <= room:
			t.Fatalf("only %d are kept where there is room for %d", kept, room)
		}
	})
}
