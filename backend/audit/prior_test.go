package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func newKey() ([]byte, error) { return []byte("fedcba9876543210fedcba9876543210"), nil }

// takeOver opens a log whose key was lost and replaced.
func takeOver(t *testing.T, dir string, head Head, key func() ([]byte, error)) *Log {
	t.Helper()
	fresh := true
	l, err := Open(dir, head, someKey{key, &fresh}, Options{})
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	return l
}

func wantReport(t *testing.T, l *Log, entries, unchecked int) {
	t.Helper()
	got, err := l.Verify()
	must(t, err)
	if !got.OK || got.Entries != entries || got.Unchecked != unchecked {
		t.Errorf("report is %+v (%v), want an intact log of %d entries, %d of them unchecked", got, got.Error, entries, unchecked)
	}
}

// renewed is a log of four entries under a lost key and three under a new one, closed.
func renewed(t *testing.T) (dir string, head *memoryHead) {
	t.Helper()
	dir, head = t.TempDir(), &memoryHead{}
	l := open(t, dir, head, Options{})
	fill(t, l, 4)
	must(t, l.Close())
	l = takeOver(t, dir, head, newKey)
	fill(t, l, 3)
	must(t, l.Close())
	return dir, head
}

func TestLogGoesOnUnderANewKey(t *testing.T) {
	dir, head := t.TempDir(), &memoryHead{}
	l := open(t, dir, head, Options{})
	fill(t, l, 4)
	must(t, l.Close())
	old, err := os.ReadFile(onlyFile(t, dir))
	must(t, err)

	l = takeOver(t, dir, head, newKey)
	wantReport(t, l, 4, 4) // nothing says yet that the key is new
	entries := fill(t, l, 3)
	sum := sha256.Sum256(old)
	if p := entries[0].Prior; p == nil || p.Entries != 4 || p.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("the first entry says %+v of what was before, want 4 entries and the digest of their file", p)
	}
	if entries[1].Prior != nil {
		t.Error("the second entry speaks of what was before too")
	}
	wantReport(t, l, 7, 4)
	must(t, l.Close())

	l, err = Open(dir, head, someKey{get: newKey}, Options{}) // a restart
	must(t, err)
	fill(t, l, 1)
	wantReport(t, l, 8, 4)
	if read, err := l.Read(Query{}); len(read) != 8 || err != nil {
		t.Errorf("%d entries can be read (%v), want all 8", len(read), err)
	}
	must(t, l.Close())

	third := func() ([]byte, error) { return []byte("00000000000000000000000000000000"), nil }
	l = takeOver(t, dir, head, third)
	fill(t, l, 1)
	wantReport(t, l, 9, 8)
}

func TestFirstKeyOfALogHasNothingBefore(t *testing.T) {
	dir := t.TempDir()
	l := takeOver(t, dir, &memoryHead{}, newKey)
	if e := fill(t, l, 2); e[0].Prior != nil || e[1].Prior != nil {
		t.Error("the first entries of all speak of entries before")
	}
	wantReport(t, l, 2, 0)
}

func TestVerifyFindsWhatWasDoneAroundANewKey(t *testing.T) {
	replace := func(old, now string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(now), 1) }
	}
	cases := map[string]struct {
		file   int
		change func([]byte) []byte
		at     uint64
		how    string
	}{
		"an edit under the lost key": {0, replace(`"write_file"`, `"read_files"`), 5, breakPrior},
		"a gap under the lost key": {0, func(b []byte) []byte {
			lines := bytes.SplitAfter(b, []byte("\n"))
			return bytes.Join(without(lines, 1), nil)
		}, 2, breakMissing},
		"a cut end under the lost key": {0, func(b []byte) []byte {
			lines := bytes.SplitAfter(b, []byte("\n"))
			return bytes.Join(lines[:3], nil)
		}, 4, breakMissing},
		"an edit under the new key": {1, replace(`"write_file"`, `"read_files"`), 5, breakEdited},
		"another count":             {1, replace(`"prior":{"entries":4`, `"prior":{"entries":3`), 5, breakEdited},
		"no word of a new key":      {1, replace(`"prior":`, `"other":`), 1, breakEdited},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir, head := renewed(t)
			files, err := listFiles(dir)
			must(t, err)
			if len(files) != 2 {
				t.Fatalf("files are %v, want one per key", files)
			}
			path := filepath.Join(dir, files[c.file])
			content, err := os.ReadFile(path)
			must(t, err)
			changed := c.change(bytes.Clone(content))
			if bytes.Equal(changed, content) {
				t.Fatal("nothing was changed")
			}
			must(t, os.WriteFile(path, changed, 0o600))
			l, err := Open(dir, head, someKey{get: newKey}, Options{})
			must(t, err)
			defer func() { must(t, l.Close()) }()
			wantBreak(t, l, c.at, c.how)
		})
	}
}

func TestNewKeyAfterAFirstLineThatWasCutShort(t *testing.T) {
	dir, head := t.TempDir(), &memoryHead{}
	l := open(t, dir, head, Options{})
	entries := fill(t, l, 2)
	must(t, l.Close())
	half := filepath.Join(dir, nameFor(3, entries[1].At.Format("2006-01-02")))
	must(t, os.WriteFile(half, []byte(`{"seq":3,"prior"`), 0o600))
	l = takeOver(t, dir, head, newKey)
	fill(t, l, 2)
	report, err := l.Verify()
	must(t, err)
	if !report.OK || report.Entries != 4 || report.Unchecked != 2 || report.Torn != 1 {
		t.Errorf("report is %+v (%v), want an intact log with one line cut short", report, report.Error)
	}
}

func TestKeyThatCannotBeHadIsSaidByVerify(t *testing.T) {
	locked := func() ([]byte, error) { return nil, &domain.Error{Code: domain.CodeKeyringDown} }
	l, err := Open(t.TempDir(), &memoryHead{}, someKey{get: locked}, Options{})
	must(t, err)
	defer func() { must(t, l.Close()) }()
	_, err = l.Verify()
	wantCode(t, err, domain.CodeKeyringDown)
}
