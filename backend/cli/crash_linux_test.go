package cli_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/mcptest"
)

// fate is what the journal says of one call.
type fate struct {
	intents  int
	outcomes []string
}

// fatesOf reads what became of each call, by the digest of its arguments.
func fatesOf(entries []audit.Entry) map[string]fate {
	fates := make(map[string]fate)
	for _, e := range entries {
		f := fates[e.ArgumentsDigest]
		if e.Kind == audit.KindIntent {
			f.intents++
		}
		if e.Kind == audit.KindOutcome {
			f.outcomes = append(f.outcomes, e.Outcome)
		}
		fates[e.ArgumentsDigest] = f
	}
	return fates
}

// contradiction says how a fate and the ledger of the server disagree, "" when they do not. A call without an intent was not
// sent, one whose outcome is not known may have run, any other outcome is what happened.
func (f fate) contradiction(ran int) string {
	switch {
	case ran > 1:
		return fmt.Sprintf("the server ran it %d times", ran)
	case f.intents == 0 && (ran > 0 || len(f.outcomes) > 0):
		return "it was not sent, but the server ran it"
	case f.intents > 1 || f.intents != len(f.outcomes):
		return fmt.Sprintf("it has %d intents and the outcomes %q", f.intents, f.outcomes)
	case f.intents == 0:
		return ""
	}
	switch outcome := f.outcomes[0]; {
	case outcome == audit.OutcomeOK && ran == 0:
		return "it is ok, but the server did not run it"
	case outcome != audit.OutcomeOK && outcome != audit.OutcomeUnknown && ran > 0:
		return "it is " + outcome + ", but the server ran it"
	}
	return ""
}

const killRounds, killedCalls = 10, 20

// plan is what one of the calls of a round is.
func plan(round, n int) (server, tool, message string) {
	message = fmt.Sprint("round ", round, " call ", n)
	switch {
	case n%5 == 4:
		return "asks", "echo", message // and nobody answers
	case n%2 == 0:
		return "free", "echo", message
	case round == 1:
		return "free", "wait", message // until it is killed
	default:
		return "free", "slow", message // for a moment
	}
}

// TestKillsNeverMakeTheJournalLie kills the program while it makes 20 calls, ten times, at moments that a seed gives.
func TestKillsNeverMakeTheJournalLie(t *testing.T) {
	w, random := newWorld(t), rand.New(rand.NewPCG(5, 200))
	for round := range killRounds {
		s := w.serve(t)
		s.wantWhole()
		s.killInRound(round, time.Duration(random.IntN(40_000))*time.Microsecond)
	}
	s := w.serve(t)
	fates := fatesOf(s.settled())
	s.stop()
	ran, counts := w.ran(t), map[string]int{}
	for round := range killRounds {
		for n := range killedCalls {
			server, tool, message := plan(round, n)
			f := fates[digestOf(tool, message)]
			if complaint := f.contradiction(ran[message]); complaint != "" {
				t.Errorf("%s: %s", message, complaint)
			}
			word := "not sent"
			if len(f.outcomes) > 0 {
				word = f.outcomes[0]
			}
			counts[word]++
			want := map[string]string{"free": audit.OutcomeOK, "asks": audit.OutcomeRefused}[server]
			if round == 0 && word != want {
				t.Errorf("%s: %s, want %s, since it ended before the kill", message, word, want)
			}
		}
	}
	t.Logf("of %d calls: %v", killRounds*killedCalls, counts)
	if f := fates[digestOf("wait", "round 1 call 1")]; len(f.outcomes) != 1 || f.outcomes[0] != audit.OutcomeUnknown {
		t.Errorf("a call that was killed while it ran is %+v", f)
	}
}

// killInRound makes the calls of a round and kills the program: in the first round when all have ended, in the second when one
// runs, later after the given time.
func (s *served) killInRound(round int, after time.Duration) {
	s.t.Helper()
	var callers sync.WaitGroup
	for n := range killedCalls {
		callers.Go(func() {
			server, tool, message := plan(round, n)
			_, _ = s.call(server, tool, message) // the kill may cut it off anywhere
		})
	}
	switch round {
	case 0:
		callers.Wait()
	case 1:
		mcptest.Eventually(s.t, "the server runs the call", func() bool { return s.world.ran(s.t)["round 1 call 1"] > 0 })
	default:
		<-time.After(after)
	}
	s.kill()
	callers.Wait()
}

func TestContradictionsAreSeen(t *testing.T) {
	unknown := fate{1, []string{audit.OutcomeUnknown}}
	for _, test := range []struct {
		fate  fate
		ran   int
		wrong bool
	}{
		{fate{}, 0, false},
		{fate{}, 1, true},
		{fate{1, []string{audit.OutcomeOK}}, 1, false},
		{fate{1, []string{audit.OutcomeOK}}, 0, true},
		{fate{1, []string{audit.OutcomeOK}}, 2, true},
		{fate{1, []string{audit.OutcomeRefused}}, 0, false},
		{fate{1, []string{audit.OutcomeRefused}}, 1, true},
		{fate{1, nil}, 0, true},
		{fate{1, []string{audit.OutcomeUnknown, audit.OutcomeOK}}, 1, true},
		{unknown, 0, false},
		{unknown, 1, false},
	} {
		if got := test.fate.contradiction(test.ran) != ""; got != test.wrong {
			t.Errorf("%+v, ran %d times: seen %t, want %t", test.fate, test.ran, got, test.wrong)
		}
	}
}
