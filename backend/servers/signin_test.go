package servers_test

import (
	"testing"
	"time"
)

func TestTokensGoWithTheirServersAndWithDraftsThatWereNeverSaved(t *testing.T) {
	b := newBench(t)
	tokens := b.vault.Kept()
	for _, id := range []string{"stays", "removed", "draft"} {
		if err := tokens.Put("token/"+id+"/bG9jYWw/bG9jYWw/x", "{}"); err != nil {
			t.Fatal(err)
		}
	}
	b.add(t, fake("stays"))
	b.add(t, fake("removed"))
	if err := b.Remove(t.Context(), "removed"); err != nil {
		t.Fatal(err)
	}
	has := func(id string) bool {
		names, err := tokens.Names("token/" + id + "/")
		if err != nil {
			t.Fatal(err)
		}
		return len(names) > 0
	}
	if err := b.EmptyTrash(); err != nil || !has("stays") || !has("removed") || has("draft") {
		t.Errorf("%v: stays %v, removed %v, draft %v", err, has("stays"), has("removed"), has("draft"))
	}
	b.now = time.Now().Add(25 * time.Hour)
	if err := b.EmptyTrash(); err != nil || !has("stays") || has("removed") {
		t.Errorf("%v: a day later stays %v, removed %v", err, has("stays"), has("removed"))
	}
}
