package store

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// fillDiskVariable makes the test fill the store in the folder it names, in a process of its own: see fillDisk.
const fillDiskVariable = "APOLLIA_TEST_FILL"

// fillDisk saves offers until the disk is full, or rather until a file reaches the longest the process may write,
// which the system refuses in the same way. It prints how many were saved and the code of the refusal.
func fillDisk(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(dir, Options{})
	if err != nil {
		fmt.Println("open:", err)
		return
	}
	limit := syscall.Rlimit{Cur: 256 << 10, Max: 256 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println("set limit:", err)
		return
	}
	offer, _ := json.Marshal(strings.Repeat("x", 10_000))
	for saved := range 1000 {
		if err := s.SaveOffer(fmt.Sprintf("server_%03d", saved), offer); err != nil {
			settings, readErr := s.Settings()
			fmt.Println(saved, domain.CodeOf(err), settings["language"], readErr)
			return
		}
	}
	fmt.Println("the limit was never reached")
}

func TestFullDiskIsSaidAndLosesNothing(t *testing.T) {
	if dir := os.Getenv(fillDiskVariable); dir != "" {
		fillDisk(dir)
		return
	}
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.SetSetting("language", "fr"))
	must(t, s.Close())

	program := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), fillDiskVariable+"="+dir)
	out, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("fill the disk: %v\n%s", err, out)
	}
	var saved int
	var code, rest string
	if _, err := fmt.Sscanf(string(out), "%d %s %s", &saved, &code, &rest); err != nil {
		t.Fatalf("fill the disk: %s", out)
	}
	if saved == 0 || domain.Code(code) != domain.CodeDiskFull || rest != "fr" {
		t.Errorf("got %s, want some offers saved, then %s, and the settings still readable", out, domain.CodeDiskFull)
	}

	s = open(t, dir, Options{})
	if len(s.Damage()) != 0 {
		t.Errorf("a full disk damaged the store: %v", s.Damage())
	}
	for n := range saved {
		if _, ok, err := s.Offer(fmt.Sprintf("server_%03d", n)); !ok || err != nil {
			t.Errorf("offer %d: known %v, %v", n, ok, err)
		}
	}
	must(t, s.SetSetting("language", "en"))
}

func TestReadOnlyFolderIsSaid(t *testing.T) {
	// Not even root may create files here, whether sysfs is mounted read-only or not.
	_, err := Open(filepath.Join("/sys", "apollia"), Options{})
	wantCode(t, err, domain.CodeReadOnly)
}
