package oauth

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauthtest"
)

func TestTokensThatNoServerUsesAreForgottenAfterAMonth(t *testing.T) {
	w := newWorld(t, oauthtest.Options{})
	changed, gone, spared, another := w.target, w.target, w.target, w.target
	changed.Auth = &domain.Auth{ClientID: "before the change"}
	gone.Server, spared.Server, another.User = "gone", "spared", "somebody"
	for _, target := range []Target{w.target, changed, gone, spared, another} {
		if err := write(w.store, target.key(), credential{Access: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	sweep := func(current ...Target) {
		t.Helper()
		if err := w.client.Sweep(current, func(server string) bool { return server == "spared" }); err != nil {
			t.Fatal(err)
		}
	}
	kept := func(want map[string]bool) {
		t.Helper()
		for name, target := range map[string]Target{"present": w.target, "changed": changed, "gone": gone, "spared": spared, "another user": another} {
			if _, ok, _ := w.store.Get(target.key()); ok != want[name] {
				t.Errorf("%s is kept: %v", name, ok)
			}
		}
	}
	all := map[string]bool{"present": true, "changed": true, "gone": true, "spared": true, "another user": true}

	sweep(w.target)
	w.clock.pass(strayLife - time.Hour)
	sweep(w.target)
	kept(all)
	sweep(w.target, changed) // the change was taken back: its month begins anew
	w.clock.pass(2 * time.Hour)
	sweep(w.target)
	delete(all, "gone")
	kept(all)
	w.clock.pass(strayLife)
	sweep(w.target)
	delete(all, "changed")
	kept(all)
	if marks, _ := w.store.Names(strayPrefix); len(marks) != 0 {
		t.Errorf("left %v", marks)
	}

	if err := w.client.ForgetServer("fake"); err != nil {
		t.Fatal(err)
	}
	kept(map[string]bool{"spared": true})
}
