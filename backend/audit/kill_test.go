package audit

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"apollia.fr/connexions/backend/store"
)

// writeVariable makes the test write entries without end into the data folder it names, until it is killed.
const writeVariable = "APOLLIA_TEST_WRITE"

func TestKillLeavesAnIntactLog(t *testing.T) {
	if dir := os.Getenv(writeVariable); dir != "" {
		writeForEver(t, dir)
		return
	}
	dir := t.TempDir()
	written := 0
	for round := range 3 {
		program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=1m")
		program.Env = append(os.Environ(), writeVariable+"="+dir)
		out, err := program.StdoutPipe()
		must(t, err)
		must(t, program.Start())
		said := bufio.NewScanner(out)
		for range 20 * (round + 1) {
			if !said.Scan() {
				t.Fatal("the writer ended by itself")
			}
		}
		must(t, program.Process.Kill())
		var seq int
		for ok := true; ok; ok = said.Scan() {
			if _, err := fmt.Sscan(said.Text(), &seq); err != nil {
				break
			}
		}
		_ = program.Wait() // killed, as it should be

		s, err := store.Open(dir, store.Options{LockWait: time.Minute})
		must(t, err)
		l, err := Open(filepath.Join(dir, "audit"), s, someKey{get: testKey}, Options{})
		must(t, err)
		report, err := l.Verify()
		must(t, err)
		if !report.OK || report.Entries < seq || report.Entries <= written {
			t.Errorf("after the kill the report is %+v, want all %d entries that were acknowledged", report, seq)
		}
		written = report.Entries
		must(t, l.Close())
		must(t, s.Close())
	}
}

// writeForEver appends entries and prints the number of every hundredth that was acknowledged.
func writeForEver(t *testing.T, dir string) {
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(t, err)
	l, err := Open(filepath.Join(dir, "audit"), s, someKey{get: testKey}, Options{FlushLines: 50, FlushAfter: time.Millisecond})
	must(t, err)
	for n := 0; ; n++ {
		e, err := l.Append(anEntry(n))
		must(t, err)
		if n%100 == 0 {
			fmt.Println(e.Seq)
		}
	}
}

func TestHalfALineIsSaidAndStepsAside(t *testing.T) {
	dir, head := t.TempDir(), &memoryHead{}
	l := open(t, dir, head, Options{})
	fill(t, l, 3)
	must(t, l.Close())
	path := onlyFile(t, dir)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteString(`{"seq":4,"at":"2026-07-2`)
	must(t, err)
	must(t, file.Close())

	for range 2 { // and once more after a restart
		l = open(t, dir, head, Options{})
		fill(t, l, 2)
		report, err := l.Verify()
		must(t, err)
		if !report.OK || report.Torn != 1 {
			t.Errorf("report is %+v, want an intact log with one line cut short", report)
		}
		must(t, l.Close())
	}
	l = open(t, dir, head, Options{})
	wantIntact(t, l, 7)
	entries, err := l.Read(Query{})
	must(t, err)
	if len(entries) != 7 || entries[0].Seq != 7 || entries[3].Seq != 4 {
		t.Errorf("%d entries were read, want 7", len(entries))
	}
}

func TestRefusalsAndApprovalsAreOnDiskFirst(t *testing.T) {
	for _, test := range []struct {
		entry Entry
		want  bool
	}{
		{Entry{Kind: KindIntent}, false},
		{Entry{Kind: KindVerdict, Verdict: "allow"}, false},
		{Entry{Kind: KindOutcome, Outcome: OutcomeOK}, false},
		{Entry{Kind: KindOutcome, Outcome: OutcomeRefused}, true},
		{Entry{Kind: KindAnswer, Outcome: "denied"}, true},
		{Entry{Kind: KindApproval, Outcome: DidAdd}, true},
		{Entry{Kind: KindRule, Outcome: DidRemove}, true},
		{Entry{Kind: KindSignIn, Outcome: OutcomeRefused}, true},
		{Entry{Kind: KindJournal, Outcome: DidRemove, Removed: &Removed{}}, true},
	} {
		if got := test.entry.urgent(); got != test.want {
			t.Errorf("%+v is on disk first: %t, want %t", test.entry, got, test.want)
		}
	}
}
