package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestKeptVersionOutlivesABrokenFile(t *testing.T) {
	dir := t.TempDir()
	path, kept := filepath.Join(dir, FileName), filepath.Join(dir, "run", "kept.toml")
	if _, err := LoadKept(kept); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v, want that there is none", err)
	}
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"one", "two"} {
		put("[[mcp_servers]]\nname = \"" + name + "\"\ncommand = \"x\"\n")
		if err := Keep(path, kept); err != nil {
			t.Fatal(err)
		}
		c, err := LoadKept(kept)
		if err != nil || len(c.Servers) != 1 || c.Servers[0].Name != name {
			t.Fatalf("%+v %v, want %s", c, err, name)
		}
	}
	info, err := os.Stat(kept)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v: others can read it", info, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Keep(path, kept); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadKept(kept); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v: a file that was deleted is still kept", err)
	}
}
