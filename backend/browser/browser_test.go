package browser

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// page puts a file into the run folder that was written some time ago.
func page(t *testing.T, home, name string, age time.Duration) {
	t.Helper()
	path := filepath.Join(home, "run", name)
	at := time.Now().Add(-age)
	if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func homeFolder(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "run"), 0o700); err != nil {
		t.Fatal(err)
	}
	return home
}

func names(t *testing.T, home string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(home, "run"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		all = append(all, entry.Name())
	}
	return all
}

func TestOldPagesGoAndNothingElse(t *testing.T) {
	home := homeFolder(t)
	page(t, home, "page-old.html", ReadWithin+time.Minute)
	page(t, home, "page-new.html", ReadWithin/2)
	page(t, home, "instance.json", 2*ReadWithin)
	if err := os.Mkdir(filepath.Join(home, "run", "folder.html"), 0o700); err != nil {
		t.Fatal(err)
	}
	Tidy(home, time.Now())
	if got := names(t, home); !slices.Equal(got, []string{"folder.html", "instance.json", "page-new.html"}) {
		t.Errorf("there are %q", got)
	}
	Tidy(home, time.Now().Add(ReadWithin))
	if got := names(t, home); !slices.Equal(got, []string{"folder.html", "instance.json"}) {
		t.Errorf("later there are %q", got)
	}
	Tidy(t.TempDir(), time.Now()) // without a folder there is nothing to do
}

func TestAPageLeadsToTheLinkAndIsPrivate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the browser of a test stands in for xdg-open")
	}
	home, programs := homeFolder(t), t.TempDir()
	page(t, home, "page-old.html", ReadWithin+time.Minute)
	script := "#!/bin/sh\ncp \"$1\" \"$0.read\"\n"
	if err := os.WriteFile(filepath.Join(programs, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	if err := Open(t.Context(), home, "page-1", `https://one.example/?a="b"&c`); err != nil {
		t.Fatal(err)
	}
	read, err := os.ReadFile(filepath.Join(programs, "xdg-open.read"))
	if err != nil || !strings.Contains(string(read), `url=https://one.example/?a=&#34;b&#34;&amp;c"`) {
		t.Errorf("the browser read %s, %v", read, err)
	}
	info, err := os.Stat(filepath.Join(home, "run", "page-1.html"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the page is %v, %v", info, err)
	}
	if got := names(t, home); !slices.Equal(got, []string{"page-1.html"}) {
		t.Errorf("there are %q, want the old one gone", got)
	}
	t.Setenv("PATH", t.TempDir())
	if err := Open(t.Context(), home, "page-2", "https://one.example/"); err == nil {
		t.Error("without a browser it is said to be open")
	}
}
