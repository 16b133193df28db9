package secrets

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/domain"
)

// unlocked starts the keyring daemon as a desktop does after signing in; locked starts it as after an automatic login.
const (
	unlocked = `printf ci | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"`
	locked   = `gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; exec "$@"`
)

func TestRealKeyring(t *testing.T) {
	folder := os.Getenv(folderVariable)
	if folder != "" {
		waitForService(t)
	}
	switch os.Getenv(stageVariable) {
	case "":
		runStages(t)
	case "unlocked":
		dir := filepath.Join(folder, "data")
		values := openStore(t, dir)
		v := Open(dir, values, Options{})
		_, err := v.Put("github", "env.TOKEN", "hunter2")
		must(t, err)
		wantPlace(t, v, InKeyring, "")
		wantSecret(t, Open(dir, values, Options{}), "github/env.TOKEN", "hunter2")
		if _, err := keyring.Get(service, accountOf(dir)); err != nil {
			t.Errorf("the keyring does not hold the key: %v", err)
		}
	case "unlocked again":
		dir := filepath.Join(folder, "data")
		wantSecret(t, Open(dir, openStore(t, dir), Options{}), "github/env.TOKEN", "hunter2")
	case "locked":
		dir := filepath.Join(folder, "data")
		v := Open(dir, openStore(t, dir), Options{})
		_, err := v.Resolve("github/env.TOKEN")
		wantCode(t, err, domain.CodeKeyringDown)
		wantPlace(t, v, InKeyring, domain.CodeKeyringDown)

		other := filepath.Join(folder, "other")
		v = Open(other, openStore(t, other), Options{})
		_, err = v.Put("github", "env.TOKEN", "hunter2")
		must(t, err)
		wantPlace(t, v, InFile, domain.CodeSecretsInFile)
	}
}

// waitForService waits until the keyring daemon is on the bus. Asking for it earlier would make the bus start another.
func waitForService(t *testing.T) {
	t.Helper()
	bus, err := dbus.ConnectSessionBus()
	must(t, err)
	defer func() { must(t, bus.Close()) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(time.Minute); ; <-tick.C {
		var owned bool
		must(t, bus.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&owned))
		if owned {
			return
		}
		if time.Now().After(limit) {
			t.Fatal("the keyring daemon did not come up")
		}
	}
}

func runStages(t *testing.T) {
	home := keyringHome(t)
	runStage(t, home, "unlocked", unlocked)
	runStage(t, home, "locked", locked)
	runStage(t, home, "unlocked again", unlocked)
}

// keyringHome is a home folder for a keyring, and fails without the programs of one.
func keyringHome(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"dbus-run-session", "gnome-keyring-daemon"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("%s is missing: install the packages dbus, dbus-daemon and gnome-keyring to test the real keyring", program)
		}
	}
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, ".local/share/keyrings"), 0o700))
	return home
}

// runStage runs the test once more beside a keyring daemon, with further entries in its environment.
func runStage(t *testing.T, home, stage, start string, environ ...string) {
	t.Helper()
	runtimeDir := t.TempDir()
	must(t, os.Chmod(runtimeDir, 0o700))
	entry := "XDG_RUNTIME_DIR=" + runtimeDir
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	program := exec.CommandContext(ctx, "dbus-run-session", "--", "bash", "-c", start, "_",
		os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1", "-test.timeout=90s")
	program.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_DATA_HOME=" + filepath.Join(home, ".local/share"), entry,
		"TMPDIR=" + t.TempDir(), stageVariable + "=" + stage, folderVariable + "=" + home,
	}, environ...)
	program.WaitDelay = time.Second // a daemon that stays behind holds the output open
	defer waitUntilGone(t, entry)
	if out, err := program.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", stage, err, out)
	}
}

// waitUntilGone waits for the end of every process with an entry in its environment: the bus takes its programs along.
// What does not end by itself is a failure, and is killed.
func waitUntilGone(t *testing.T, entry string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(time.Minute); ; <-tick.C {
		left := withEnvironment(entry)
		if len(left) == 0 {
			return
		}
		if time.Now().Before(limit) {
			continue
		}
		for pid, command := range left {
			t.Errorf("still running: %s", command)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		return
	}
}

// withEnvironment finds the commands of the processes with an entry in their environment, by process ID.
func withEnvironment(entry string) map[int]string {
	found := make(map[int]string)
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(environ, append([]byte(entry), 0)) {
			continue
		}
		folder := filepath.Dir(file)
		pid, _ := strconv.Atoi(filepath.Base(folder))
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		found[pid] = strings.ReplaceAll(string(command), "\x00", " ")
	}
	return found
}
