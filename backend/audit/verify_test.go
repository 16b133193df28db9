package audit

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// lines reads the only file of a log, line by line, with their ends.
func lines(t *testing.T, dir string) [][]byte {
	t.Helper()
	content, err := os.ReadFile(onlyFile(t, dir))
	must(t, err)
	return bytes.SplitAfter(bytes.TrimSuffix(content, []byte("\n")), []byte("\n"))
}

func onlyFile(t *testing.T, dir string) string {
	t.Helper()
	files, err := listFiles(dir)
	must(t, err)
	if len(files) != 1 {
		t.Fatalf("files are %v, want one", files)
	}
	return filepath.Join(dir, files[0])
}

// forge seals entries as a chain of their own.
func forge(t *testing.T, key []byte, entries []Entry) [][]byte {
	t.Helper()
	var made [][]byte
	at := link{}
	for _, e := range entries {
		line, next, err := at.write(hmac.New(sha256.New, key), new(bytes.Buffer), &e)
		must(t, err)
		made, at = append(made, line), next
	}
	return made
}

func without(lines [][]byte, n int) [][]byte {
	return append(append([][]byte{}, lines[:n]...), lines[n+1:]...)
}

func TestVerifyFindsWhatWasDone(t *testing.T) {
	right, _ := testKey()
	cases := map[string]struct {
		change func(t *testing.T, lines [][]byte, entries []Entry) [][]byte
		at     uint64
		how    string
	}{
		"an edit": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte {
			l[4] = bytes.Replace(l[4], []byte(`"write_file"`), []byte(`"read_files"`), 1)
			return l
		}, 5, breakEdited},
		"an edited hash": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte {
			at := len(l[4]) - len("\"}\n") - 1
			if l[4][at] == '0' { // it stays a hash
				l[4][at] = '1'
			} else {
				l[4][at] = '0'
			}
			return l
		}, 5, breakEdited},
		"an edited first entry": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte {
			l[0] = bytes.Replace(l[0], []byte(`"allow"`), []byte(`"deny"`), 1)
			return l
		}, 1, breakEdited},
		"a gap":           {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte { return without(l, 4) }, 5, breakMissing},
		"a lost start":    {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte { return l[3:] }, 1, breakMissing},
		"a cut tail":      {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte { return l[:7] }, 8, breakCut},
		"a blank file":    {func(*testing.T, [][]byte, []Entry) [][]byte { return nil }, 1, breakCut},
		"a mangled entry": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte { l[4] = []byte("oops\n"); return l }, 5, breakMissing},
		"a mangled end":   {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte { l[9] = l[9][:20]; return l }, 10, breakCut},
		"two swapped": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte {
			l[4], l[5] = l[5], l[4]
			return l
		}, 5, breakMissing},
		"one twice": {func(_ *testing.T, l [][]byte, _ []Entry) [][]byte {
			return append(l[:5:5], l[4:]...)
		}, 5, breakEdited},
		"a chain rebuilt with another key": {func(t *testing.T, _ [][]byte, e []Entry) [][]byte {
			return forge(t, []byte("another key"), e)
		}, 1, breakEdited},
		"a chain rebuilt with the right key": {func(t *testing.T, _ [][]byte, e []Entry) [][]byte {
			e[4].Name = "read_file"
			return forge(t, right, e)
		}, 10, breakRebuilt},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir, head := t.TempDir(), &memoryHead{}
			l := open(t, dir, head, Options{})
			entries := fill(t, l, 10)
			must(t, l.Close())
			changed := bytes.Join(c.change(t, lines(t, dir), entries), nil)
			must(t, os.WriteFile(onlyFile(t, dir), changed, 0o600))

			l = open(t, dir, head, Options{})
			wantBreak(t, l, c.at, c.how)
			// It stays found when the log goes on and is closed.
			fill(t, l, 3)
			must(t, l.Close())
			l = open(t, dir, head, Options{})
			report, err := l.Verify()
			must(t, err)
			if report.OK {
				t.Errorf("after three more entries the log counts as intact: %+v", report)
			}
		})
	}
}

func wantBreak(t *testing.T, l *Log, at uint64, how string) {
	t.Helper()
	got, err := l.Verify()
	must(t, err)
	if got.OK || got.BrokenAt != at || got.Error == nil || got.Error.Args["break"] != how {
		t.Errorf("report is %+v (%v), want %s at %d", got, got.Error, how, at)
		return
	}
	wantCode(t, got.Error, domain.CodeAuditBroken)
}

func TestVerifyFindsALostFile(t *testing.T) {
	for _, lost := range []int{0, 1, 2} {
		dir, head := t.TempDir(), &memoryHead{}
		options := Options{MaxBytes: 1000}
		l := open(t, dir, head, options)
		fill(t, l, 9) // three files of three
		files, err := listFiles(dir)
		must(t, err)
		must(t, os.Remove(filepath.Join(dir, files[lost])))
		wantBreak(t, l, uint64(3*lost+1), breakMissing) // while the log is open
		must(t, l.Close())
		l = open(t, dir, head, options)
		how := breakMissing
		if lost == 2 {
			how = breakCut
		}
		wantBreak(t, l, uint64(3*lost+1), how)
		if _, err := l.Read(Query{}); err != nil {
			t.Errorf("the files that are left cannot be read: %v", err)
		}
	}
}

func TestLogWithoutAHeadIsTakenAsItIs(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, &memoryHead{}, Options{})
	fill(t, l, 3)
	must(t, l.Close())
	l = open(t, dir, &memoryHead{}, Options{}) // governance.db was lost
	wantIntact(t, l, 3)
	if e := fill(t, l, 1)[0]; e.Seq != 4 {
		t.Errorf("the next entry is number %d, want 4", e.Seq)
	}
	wantIntact(t, l, 4)
}

func FuzzReadLink(f *testing.F) {
	first := anEntry(1)
	line, _, err := link{}.write(hmac.New(sha256.New, nil), new(bytes.Buffer), &first)
	must(f, err)
	f.Add(bytes.TrimSpace(line))
	f.Add([]byte(`{"seq":1}`))
	f.Add([]byte(`{"seq":99999999999999999999,"hash":"00"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		at, open, ok := readLink(line)
		if !ok {
			return
		}
		seq, counted := sequenceOf(line)
		if !counted || seq != at.seq || len(at.hash) != hashSize || !bytes.HasPrefix(line, open) {
			t.Errorf("link %d of %q, but the line has number %d", at.seq, line, seq)
		}
	})
}
