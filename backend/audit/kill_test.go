package audit

import (
	"bufio"
	"bytes"
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
	options := Options{FlushLines: 50, FlushAfter: time.Millisecond}
	if dir := os.Getenv(writeVariable); dir != "" {
		writeForEver(t, dir, options, 100)
		return
	}
	dir := t.TempDir()
	written := 0
	for round := range 3 {
		acknowledged := killed(t, dir, 20*(round+1))
		written = wantAfterKill(t, dir, acknowledged, written+1)
	}
}

// Each line begins a file of its own, so that the kill falls between a file and its first line if anything can.
func TestAKillWhileAFileBeginsLosesNoLine(t *testing.T) {
	if dir := os.Getenv(writeVariable); dir != "" {
		writeForEver(t, dir, Options{MaxBytes: 1, FlushLines: 5, FlushAfter: time.Millisecond}, 1)
		return
	}
	dir := t.TempDir()
	written := 0
	for round := range 5 {
		acknowledged := killed(t, dir, 7+round)
		written = wantAfterKill(t, dir, acknowledged, written+1)
	}
	files, err := listFiles(filepath.Join(dir, "audit"))
	must(t, err)
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(dir, "audit", name))
		must(t, err)
		if at, _, ok := readLink(bytes.TrimSuffix(content, []byte("\n"))); !ok || nameFor(at.seq, dayOf(name)) != name {
			t.Errorf("%s holds %q, want its one line", name, content)
		}
	}
}

// killed starts the test again as a writer, kills it after it said some numbers, and gives the last one that it said.
func killed(t *testing.T, dir string, numbers int) (acknowledged int) {
	t.Helper()
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.timeout=1m")
	program.Env = append(os.Environ(), writeVariable+"="+dir)
	out, err := program.StdoutPipe()
	must(t, err)
	must(t, program.Start())
	said := bufio.NewScanner(out)
	for range numbers {
		if !said.Scan() {
			t.Fatal("the writer ended by itself")
		}
	}
	must(t, program.Process.Kill())
	for ok := true; ok; ok = said.Scan() {
		if _, err := fmt.Sscan(said.Text(), &acknowledged); err != nil {
			break
		}
	}
	_ = program.Wait() // killed, as it should be
	return acknowledged
}

// wantAfterKill wants every entry that was acknowledged, and a number of them at least.
func wantAfterKill(t *testing.T, dir string, acknowledged, least int) (entries int) {
	t.Helper()
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(t, err)
	l, err := Open(filepath.Join(dir, "audit"), s, someKey{get: testKey}, Options{})
	must(t, err)
	report, err := l.Verify()
	must(t, err)
	if !report.OK || report.Entries < acknowledged || report.Entries < least {
		t.Errorf("after the kill the report is %+v, want all %d entries that were acknowledged", report, acknowledged)
	}
	must(t, l.Close())
	must(t, s.Close())
	return report.Entries
}

// writeForEver appends entries and prints the number of each that was acknowledged, or of every so many.
func writeForEver(t *testing.T, dir string, o Options, every int) {
	s, err := store.Open(dir, store.Options{LockWait: time.Minute})
	must(t, err)
	l, err := Open(filepath.Join(dir, "audit"), s, someKey{get: testKey}, o)
	must(t, err)
	for n := 0; ; n++ {
		e, err := l.Append(anEntry(n))
		must(t, err)
		if n%every == 0 {
			fmt.Println(e.Seq)
		}
	}
}

// A kill in any step of beginning a file leaves the entries as they were, or with the new one.
func TestAFileBeginsWithItsFirstLineOrNotAtAll(t *testing.T) {
	for name, leave := range map[string]func(t *testing.T, draft, whole string, line []byte){
		"half a draft":      func(t *testing.T, draft, _ string, line []byte) { must(t, os.WriteFile(draft, line[:20], 0o600)) },
		"a whole draft":     func(t *testing.T, draft, _ string, line []byte) { must(t, os.WriteFile(draft, line, 0o600)) },
		"the file in place": func(t *testing.T, _, whole string, line []byte) { must(t, os.WriteFile(whole, line, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, head := t.TempDir(), &memoryHead{}
			options := Options{MaxBytes: 1}
			l := open(t, dir, head, options)
			before := fill(t, l, 2)
			must(t, l.Close())
			remembered := head.link
			l = open(t, dir, head, options)
			third := fill(t, l, 1)[0]
			must(t, l.Close())
			whole := filepath.Join(dir, nameFor(third.Seq, third.At.Format(time.DateOnly)))
			line, err := os.ReadFile(whole)
			must(t, err)
			must(t, os.Remove(whole))
			head.link = remembered

			leave(t, filepath.Join(dir, draftName), whole, line)
			l = open(t, dir, head, options)
			kept := int(l.Last())
			if want := len(before) + len(listed(t, dir)) - 2; kept != want {
				t.Errorf("%d entries are there, want %d", kept, want)
			}
			fill(t, l, 2)
			wantIntact(t, l, kept+2)
		})
	}
}

func listed(t *testing.T, dir string) []string {
	t.Helper()
	files, err := listFiles(dir)
	must(t, err)
	return files
}

func TestAFileThatCannotBeginCostsNoEntry(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, &memoryHead{}, Options{MaxBytes: 1})
	fill(t, l, 1)
	must(t, os.MkdirAll(filepath.Join(dir, draftName, "in the way"), 0o700))
	if e, err := l.Append(anEntry(1)); err == nil {
		t.Errorf("entry %d was taken, and there is no place for it", e.Seq)
	}
	must(t, os.RemoveAll(filepath.Join(dir, draftName)))
	if e := fill(t, l, 1)[0]; e.Seq != 2 {
		t.Errorf("the next entry is number %d, want 2", e.Seq)
	}
	wantIntact(t, l, 2)
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

func TestRefusalsAndChangesOfWhatIsAllowedAreOnDiskFirst(t *testing.T) {
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
		{Entry{Kind: KindServer, Outcome: DidChange}, true},
		{Entry{Kind: KindSettings, Outcome: DidChange}, true},
		{Entry{Kind: KindSignIn, Outcome: OutcomeRefused}, true},
		{Entry{Kind: KindJournal, Outcome: DidRemove, Removed: &Removed{}}, true},
	} {
		if got := test.entry.urgent(); got != test.want {
			t.Errorf("%+v is on disk first: %t, want %t", test.entry, got, test.want)
		}
	}
}
