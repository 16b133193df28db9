package audit

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// fillVariable makes the test fill the log in the folder it names, in a process of its own: see fillDisk.
const fillVariable = "APOLLIA_TEST_FILL"

func TestAFullDiskIsSaidAndCostsNoEntry(t *testing.T) {
	if dir := os.Getenv(fillVariable); dir != "" {
		fillDisk(t, dir)
		return
	}
	dir := t.TempDir()
	program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), fillVariable+"="+dir)
	out, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("fill the disk: %v\n%s", err, out)
	}
	var written int
	var code domain.Code
	if _, err := fmt.Sscanf(string(out), "%d %s", &written, &code); err != nil {
		t.Fatalf("fill the disk: %s", out)
	}
	if written == 0 || code != domain.CodeDiskFull {
		t.Errorf("%d entries were written, then %q; want some, then %s", written, code, domain.CodeDiskFull)
	}
	l := open(t, dir, &memoryHead{}, Options{})
	wantIntact(t, l, written)
	if e := fill(t, l, 1)[0]; e.Seq != uint64(written+1) {
		t.Errorf("the next entry is number %d, want %d", e.Seq, written+1)
	}
	report, err := l.Verify()
	must(t, err)
	if report.Torn != 0 {
		t.Errorf("%d half lines are left", report.Torn)
	}
}

// fillDisk appends entries until the file reaches the longest the process may write, in the middle of a line, which the
// system refuses as it refuses a full disk. It prints how many were written and the code of the refusal.
func fillDisk(t *testing.T, dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10_000, Max: 10_000}))
	l := open(t, dir, &memoryHead{}, Options{})
	for n := range 1000 {
		if _, err := l.Append(anEntry(n)); err != nil {
			_, again := l.Append(anEntry(n)) // it fails in the same way, not in another
			fmt.Println(n, domain.CodeOf(err), domain.CodeOf(again))
			return
		}
	}
	t.Error("the limit was never reached")
}
