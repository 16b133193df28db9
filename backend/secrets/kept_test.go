package secrets

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"apollia.fr/connexions/backend/store"
)

func TestKept(t *testing.T) {
	dir := t.TempDir()
	box, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = box.Close() }()
	kept := Open(dir, box, Options{Environ: []string{}}).Kept()
	if _, ok, err := kept.Get("token/a"); ok || err != nil {
		t.Errorf("nothing is kept yet: %v, %v", ok, err)
	}
	for name, value := range map[string]string{"token/a": "hush-1", "token/b": "hush-2", "client/a": "hush-3", "token/a/b": "hush-4"} {
		if err := kept.Put(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := kept.Get("token/b"); got != "hush-2" || !ok || err != nil {
		t.Errorf("token/b is %q, %v, %v", got, ok, err)
	}
	if names, err := kept.Names("token/"); err != nil || !reflect.DeepEqual(names, []string{"token/a", "token/a/b", "token/b"}) {
		t.Errorf("names %v, %v", names, err)
	}
	if err := kept.Delete("token/a"); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := kept.Get("token/a"); ok || err != nil {
		t.Errorf("a value that was forgotten: %v, %v", ok, err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "apollia.db"))
	if err != nil || bytes.Contains(raw, []byte("hush-")) {
		t.Errorf("it is kept in clear (%v)", err)
	}
}
