package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"apollia.fr/connexions/backend/domain"
)

// filled makes a data folder with many records and returns it.
func filled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.main.update(func(tx *bbolt.Tx) error {
		for i := range 40 {
			v := aServer(fmt.Sprintf("server_%02d", i))
			must(t, save(tx, serversBucket, []byte(v.ID), v))
			must(t, save(tx, offersBucket, []byte(v.ID), strings.Repeat("x", 5000)))
		}
		return nil
	}))
	must(t, s.SetSetting("language", "fr"))
	for range 30 {
		_, err := s.CreateRequest(waiting("server_01"))
		must(t, err)
	}
	must(t, s.Close())
	must(t, os.Mkdir(filepath.Join(dir, "audit"), 0o700)) // as every folder in use has
	return dir
}

func TestFirstStartThatWasKilledIsNoDamage(t *testing.T) {
	for _, files := range [][]string{{ServersFile}, {ServersFile, GovernanceFile}} {
		dir := t.TempDir()
		for i, file := range files {
			if i < len(files)-1 {
				s, err := Open(dir, Options{})
				must(t, err)
				must(t, s.Close())
				continue
			}
			must(t, os.WriteFile(filepath.Join(dir, file), nil, 0o600))
		}
		if s := open(t, dir, Options{}); len(s.Damage()) != 0 {
			t.Errorf("empty %v: damage %+v", files, s.Damage())
		}
	}
}

func TestDamagedDatabaseIsKeptAsideAndReplaced(t *testing.T) {
	damages := map[string]func(whole []byte) []byte{
		"garbage":       func(b []byte) []byte { return bytes.Repeat([]byte("garbage "), len(b)/8) },
		"zeroes":        func(b []byte) []byte { return make([]byte, len(b)) },
		"nothing":       func([]byte) []byte { return nil },
		"one byte":      func([]byte) []byte { return []byte{7} },
		"cut in meta":   func(b []byte) []byte { return b[:5000] },
		"cut in half":   func(b []byte) []byte { return b[:len(b)/2/4096*4096] },
		"no meta pages": func(b []byte) []byte { return append(make([]byte, 2*os.Getpagesize()), b[2*os.Getpagesize():]...) },
	}
	for name, damage := range damages {
		for _, file := range []string{ServersFile, GovernanceFile} {
			t.Run(name+" "+file, func(t *testing.T) {
				dir := filled(t)
				path := filepath.Join(dir, file)
				whole, err := os.ReadFile(path)
				must(t, err)
				damaged := damage(usedPart(t, path, whole))
				must(t, os.WriteFile(path, damaged, 0o600))

				s := open(t, dir, Options{})
				if len(s.Damage()) != 1 || s.Damage()[0].File != file || s.Damage()[0].Cause == "" {
					t.Fatalf("damage is %+v, want that of %s with its cause", s.Damage(), file)
				}
				kept, err := os.ReadFile(s.Damage()[0].KeptAs)
				must(t, err)
				if !bytes.Equal(kept, damaged) {
					t.Error("the damaged file was changed")
				}
				must(t, s.SetSetting("theme", "dark"))
				_, err = s.CreateRequest(waiting("a"))
				must(t, err)
			})
		}
	}
}

// usedPart leaves out the tail of a database that no page uses yet.
func usedPart(t *testing.T, path string, whole []byte) []byte {
	t.Helper()
	d, err := openReadOnly(path, time.Minute)
	must(t, err)
	var size int64
	must(t, d.view(func(tx *bbolt.Tx) error { size = tx.Size(); return nil }))
	must(t, d.close())
	return whole[:size]
}

// TestAnyDamagedPageIsSurvived overwrites one page after the other. Whatever is hit, the store opens, tells or works,
// and never loses the bytes.
func TestAnyDamagedPageIsSurvived(t *testing.T) {
	dir := filled(t)
	path := filepath.Join(dir, ServersFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	pageSize := os.Getpagesize()
	moved := 0
	for at := 0; at < len(usedPart(t, path, whole)); at += pageSize {
		damaged := bytes.Clone(whole)
		for i := range pageSize / sha256.Size {
			sum := sha256.Sum256(fmt.Append(nil, at, i))
			copy(damaged[at+i*sha256.Size:], sum[:])
		}
		must(t, os.WriteFile(path, damaged, 0o600))
		s, err := Open(dir, Options{})
		must(t, err)
		for _, d := range s.Damage() {
			moved++
			kept, err := os.ReadFile(d.KeptAs)
			must(t, err)
			if !bytes.Equal(kept, damaged) {
				t.Errorf("page at %d: the damaged file was changed", at)
			}
		}
		if err := s.SetSetting("theme", "dark"); err != nil && domain.CodeOf(err) != domain.CodeDBDamaged {
			t.Errorf("page at %d: %v", at, err)
		}
		s.Inspect()
		must(t, s.Close())
	}
	if moved == 0 {
		t.Error("no page was found damaged")
	}
}

func TestReadableRecordsAreCarriedOver(t *testing.T) {
	dir := filled(t)
	path := filepath.Join(dir, ServersFile)
	d, err := openDatabase(path, time.Minute)
	must(t, err)
	must(t, d.put(serversBucket, "server_07", []byte(`{"id":"server_07","na`)))
	must(t, d.close())

	s := open(t, dir, Options{})
	if len(s.Damage()) != 1 || s.Damage()[0].Recovered != 39+40+1 {
		t.Fatalf("damage is %+v, want 39 servers, 40 offers and a setting recovered", s.Damage())
	}
	servers, err := s.Servers()
	must(t, err)
	settings, err := s.Settings()
	must(t, err)
	if len(servers) != 39 || settings["language"] != "fr" {
		t.Errorf("%d servers and settings %v came back, want 39 and the language", len(servers), settings)
	}
}

func TestNothingOfGovernanceIsCarriedOver(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	must(t, err)
	_, err = s.SaveRule(domain.Rule{Verdict: domain.Deny}, nil)
	must(t, err)
	_, err = s.SaveRule(domain.Rule{Verdict: domain.Allow}, nil)
	must(t, err)
	must(t, s.governance.put(rulesBucket, string(sequenceKey(1)), []byte(`{"verdict":"den`)))
	must(t, s.Close())

	s = open(t, dir, Options{})
	rules, err := s.Rules()
	must(t, err)
	if len(s.Damage()) != 1 || s.Damage()[0].Recovered != 0 || len(rules) != 0 {
		t.Errorf("damage is %+v and rules are %v, want none: the allow rule would outlive the deny rule", s.Damage(), rules)
	}
}

func TestLostRulesAreRememberedUntilAPersonAcceptsIt(t *testing.T) {
	losses := map[string]struct {
		lose func(path string) error
		kept bool
	}{
		"damaged": {func(path string) error { return os.WriteFile(path, []byte("no database"), 0o600) }, true},
		"emptied": {func(path string) error { return os.Truncate(path, 0) }, true},
		"deleted": {os.Remove, false},
	}
	for name, c := range losses {
		t.Run(name, func(t *testing.T) {
			dir := filled(t)
			must(t, c.lose(filepath.Join(dir, GovernanceFile)))
			for range 2 { // no start makes it forgotten
				s, err := Open(dir, Options{})
				must(t, err)
				loss, err := s.Loss()
				must(t, err)
				if loss == nil || loss.At.IsZero() || (loss.KeptAs != "") != c.kept {
					t.Fatalf("loss is %+v, want it remembered, with a copy: %v", loss, c.kept)
				}
				must(t, s.Close())
			}
			s, err := Open(dir, Options{})
			must(t, err)
			must(t, s.AcceptLoss())
			must(t, s.Close())
			if loss, err := open(t, dir, Options{}).Loss(); loss != nil || err != nil {
				t.Errorf("loss is %+v (%v) after it was accepted, want none", loss, err)
			}
		})
	}
}

func TestFolderThatLostNothingRemembersNoLoss(t *testing.T) {
	dir := filled(t)
	must(t, os.WriteFile(filepath.Join(dir, ServersFile), []byte("no database"), 0o600))
	for what, dir := range map[string]string{"new": t.TempDir(), "with damaged servers": dir} {
		if loss, err := open(t, dir, Options{}).Loss(); loss != nil || err != nil {
			t.Errorf("a folder %s has the loss %+v (%v), want none", what, loss, err)
		}
	}
}

func TestDamageIsKeptUnderAFreeName(t *testing.T) {
	dir := t.TempDir()
	now := func() time.Time { return time.Date(2026, 7, 28, 9, 30, 0, 0, time.UTC) }
	path := filepath.Join(dir, ServersFile)
	var kept []string
	for i := range 3 {
		must(t, os.WriteFile(path, fmt.Append(nil, "damage ", i), 0o600))
		s, err := Open(dir, Options{Now: now})
		must(t, err)
		kept = append(kept, s.Damage()[0].KeptAs)
		if i == 2 && len(s.Inspect()[0].Kept) != 3 {
			t.Errorf("inspection lists %v, want the three kept files", s.Inspect()[0].Kept)
		}
		must(t, s.Close())
	}
	for i, name := range kept {
		content, err := os.ReadFile(name)
		must(t, err)
		if want := fmt.Sprint("damage ", i); string(content) != want {
			t.Errorf("%s holds %q, want %q", name, content, want)
		}
	}
	if want := path + ".damaged-20260728T093000Z"; kept[0] != want {
		t.Errorf("first file is kept as %s, want %s", kept[0], want)
	}
}

func TestPanicOfBoltIsDamage(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	err := s.main.view(func(*bbolt.Tx) error { panic("page 7: invalid page type") })
	wantCode(t, err, domain.CodeDBDamaged)
	_, err = s.Servers()
	wantCode(t, err, domain.CodeDBDamaged) // and it does not wait for a lock
	if _, err := s.Rules(); err != nil {
		t.Errorf("the other database suffers: %v", err)
	}
}

func TestInspect(t *testing.T) {
	s := open(t, filled(t), Options{})
	got := s.Inspect()
	if len(got) != 2 || got[0].File != ServersFile || got[1].File != GovernanceFile {
		t.Fatalf("conditions are %+v, want one per database", got)
	}
	schemas := map[string]int{ServersFile: len(mainSchema().steps), GovernanceFile: len(governanceSchema().steps)}
	for _, c := range got {
		if c.Problem != nil || c.Schema != schemas[c.File] || c.Bytes == 0 {
			t.Errorf("condition of %s is %+v, want a sound one", c.File, c)
		}
	}
	if n := got[0].Records[serversBucket]; n != 40 {
		t.Errorf("%d servers counted, want 40", n)
	}

	must(t, s.main.put(offersBucket, "server_01", []byte(`{"half`)))
	wantCode(t, s.Inspect()[0].Problem, domain.CodeDBDamaged)
}
