package window

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv("WINDOW_TEST_CLAIM"); folder != "" {
		holdUntilKilled(folder)
	}
	goleak.VerifyTestMain(m)
}

// holdUntilKilled is another process that is the window.
func holdUntilKilled(folder string) {
	instance, err := Claim(context.Background(), folder, Start{})
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString("claimed\n")
	_ = instance.Serve(context.Background(), func(Start) {})
}

func limited(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// serve runs an instance until the test ends, and gives what later starts say.
func serve(t *testing.T, instance *Instance) <-chan Start {
	t.Helper()
	starts := make(chan Start, 8)
	ended := make(chan error, 1)
	ctx, end := context.WithCancel(t.Context())
	go func() { ended <- instance.Serve(ctx, func(s Start) { starts <- s }) }()
	t.Cleanup(func() {
		end()
		if err := errors.Join(<-ended, instance.Close()); err != nil {
			t.Errorf("end the instance: %v", err)
		}
	})
	return starts
}

func TestSecondStartReachesTheFirst(t *testing.T) {
	folders := map[string]string{
		"short path":                 t.TempDir(),
		"path too long for a socket": filepath.Join(t.TempDir(), strings.Repeat("very-long-name-", 10)),
	}
	for name, folder := range folders {
		t.Run(name, func(t *testing.T) {
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			first, err := Claim(limited(t), folder, Start{})
			if err != nil {
				t.Fatal(err)
			}
			starts := serve(t, first)

			sent := Start{Args: []string{"apollia://add?name=é"}, Folder: "/somewhere"}
			if _, err := Claim(limited(t), folder, sent); !errors.Is(err, ErrOpenElsewhere) {
				t.Fatalf("the second start got %v", err)
			}
			select {
			case got := <-starts:
				if diff := cmp.Diff(sent, got); diff != "" {
					t.Error(diff)
				}
			case <-limited(t).Done():
				t.Fatal("the first window was not told")
			}
		})
	}
}

func TestAClosedWindowLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	for range 2 {
		instance, err := Claim(limited(t), folder, Start{})
		if err != nil {
			t.Fatal(err)
		}
		if err := instance.Close(); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		if entry.Name() != "window.lock" {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

func TestAKilledWindowIsReplaced(t *testing.T) {
	folder := t.TempDir()
	owner := exec.CommandContext(limited(t), os.Args[0])
	owner.Env = append(os.Environ(), "WINDOW_TEST_CLAIM="+folder)
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()

	next, err := Claim(limited(t), folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	serve(t, next)
}

func TestAStartWhileTheWindowClosesOpensTheNext(t *testing.T) {
	folder := t.TempDir()
	closing, err := Claim(limited(t), folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if err := closing.Serve(ctx, func(Start) { t.Error("a closing window was asked to show itself") }); err != nil {
		t.Fatal(err)
	}
	next := make(chan *Instance, 1)
	go func() {
		instance, err := Claim(limited(t), folder, Start{})
		if err != nil {
			t.Error(err)
		}
		next <- instance
	}()
	if err := closing.Close(); err != nil {
		t.Fatal(err)
	}
	if instance := <-next; instance != nil {
		serve(t, instance)
	}
}

func TestAHangingWindowIsNamed(t *testing.T) {
	folder := t.TempDir()
	first, err := Claim(limited(t), folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = first.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	// The first never serves: only the end of ctx ends the wait.
	cancel()
	if _, err := Claim(ctx, folder, Start{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}

func TestNoiseOnTheSocketIsIgnored(t *testing.T) {
	folder := t.TempDir()
	first, err := Claim(limited(t), folder, Start{})
	if err != nil {
		t.Fatal(err)
	}
	starts := serve(t, first)
	conn, err := net.Dial("unix", filepath.Join(folder, "window.sock"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 2)); n != 0 || err == nil {
		t.Errorf("noise got an answer of %d bytes", n)
	}
	_ = conn.Close()
	if _, err := Claim(limited(t), folder, Start{Args: []string{"real"}}); !errors.Is(err, ErrOpenElsewhere) {
		t.Fatal(err)
	}
	if got := <-starts; got.Args[0] != "real" {
		t.Errorf("got %v", got)
	}
}
