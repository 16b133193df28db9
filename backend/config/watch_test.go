package config

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
)

type reading struct {
	theme string
	code  domain.Code
}

// watched runs Watch until the test ends and passes on what it reads.
func watched(t *testing.T, path string) <-chan reading {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	readings, ended := make(chan reading, 100), make(chan error, 1)
	go func() {
		ended <- Watch(ctx, path, func(c Config, err error) {
			theme, _, _ := c.SettingAt("ui.theme")
			readings <- reading{theme, domain.CodeOf(err)}
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the watch ended with %v", err)
		}
		goleak.VerifyNone(t)
	})
	return readings
}

// await waits for a reading; others before it are states in between.
func await(t *testing.T, readings <-chan reading, want reading) {
	t.Helper()
	limit := time.After(time.Minute)
	for {
		select {
		case got := <-readings:
			if got == want {
				return
			}
		case <-limit:
			t.Fatalf("%v never came", want)
		}
	}
}

func theme(t *testing.T, path, value string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("[ui]\ntheme = '"+value+"'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	readings := watched(t, path)
	await(t, readings, reading{})

	theme(t, path, "dark")
	await(t, readings, reading{theme: "dark"})

	theme(t, path, "pink")
	await(t, readings, reading{code: domain.CodeConfigInvalid})

	beside := path + ".new"
	theme(t, beside, "light")
	if err := os.Rename(beside, path); err != nil {
		t.Fatal(err)
	}
	await(t, readings, reading{theme: "light"})

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	await(t, readings, reading{})
	theme(t, path, "system")
	await(t, readings, reading{theme: "system"})
}

func TestWatchFollowsALink(t *testing.T) {
	target := write(t, "[ui]\ntheme = 'dark'\n")
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
	readings := watched(t, path)
	await(t, readings, reading{theme: "dark"})
	theme(t, target, "light")
	await(t, readings, reading{theme: "light"})
}

// TestAnEmptiedFileIsGivenTimeToBeWritten drives the waits by hand.
func TestAnEmptiedFileIsGivenTimeToBeWritten(t *testing.T) {
	path := write(t, "[ui]\ntheme = 'dark'\n")
	var waits []time.Duration
	w := &watch{path: path, after: func(d time.Duration) <-chan time.Time {
		waits = append(waits, d)
		return make(chan time.Time)
	}}
	var got []string
	read := func() bool {
		return w.read(func(c Config, err error) {
			theme, _, _ := c.SettingAt("ui.theme")
			got = append(got, theme+string(domain.CodeOf(err)))
		}) == nil
	}
	fill := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}

	for i, step := range []struct {
		text    string
		settled bool
	}{
		{"[ui]\ntheme = 'light'\n", true},
		{"", false}, // emptied, about to be written
		{"[ui]\ntheme = 'dark'\n", true},
		{"", false},
		{"", true}, // emptied for good
		{"", false},
	} {
		fill(step.text)
		if settled := read(); settled != step.settled {
			t.Errorf("step %d: settled %v, want %v", i, settled, step.settled)
		}
	}
	if want := []string{"light", "dark", ""}; !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	if want := []time.Duration{emptied, emptied, emptied}; !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
}

func TestWatchWithoutFolder(t *testing.T) {
	err := Watch(context.Background(), filepath.Join(t.TempDir(), "none", FileName), func(Config, error) {
		t.Error("a folder that is not there was read")
	})
	if err == nil {
		t.Error("no error")
	}
}
