package store

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a store that is closed at the end of the test.
func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, o)
	if err != nil {
		t.Fatalf("open store: %v", err)
	}
	t.Cleanup(func() { closeStore(t, s) })
	return s
}

func closeStore(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close store: %v", err)
	}
}

// must fails the test on an error of a step that is not under test.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want domain.Code) {
	t.Helper()
	if got := domain.CodeOf(err); got != want {
		t.Errorf("code is %q (%v), want %q", got, err, want)
	}
}

func TestOpenCreatesPrivateFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "home")
	s := open(t, dir, Options{})
	for name, want := range map[string]fs.FileMode{".": 0o700, ServersFile: 0o600, GovernanceFile: 0o600} {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if got := info.Mode().Perm(); got != want {
			t.Errorf("mode of %s is %o, want %o", name, got, want)
		}
	}
	if len(s.Damage()) != 0 {
		t.Errorf("a fresh store reports damage: %v", s.Damage())
	}
}

func TestRecordsSurviveReopening(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir, Options{})
	must(t, err)
	must(t, s.SetSetting("language", "fr"))
	rule, err := s.SaveRule(domain.Rule{Verdict: domain.Deny, Server: "files"}, nil)
	must(t, err)
	must(t, s.Close())

	s = open(t, dir, Options{})
	settings, err := s.Settings()
	must(t, err)
	if settings["language"] != "fr" {
		t.Errorf("settings are %v, want language fr", settings)
	}
	rules, err := s.Rules()
	must(t, err)
	if len(rules) != 1 || rules[0].ID != rule.ID || rules[0].Verdict != domain.Deny {
		t.Errorf("rules are %+v, want the one that was saved", rules)
	}
}

func TestSecondOwnerIsRefused(t *testing.T) {
	dir := t.TempDir()
	open(t, dir, Options{})
	_, err := Open(dir, Options{LockWait: time.Millisecond})
	wantCode(t, err, domain.CodeFolderBusy)
}

func TestNewerDatabaseIsLeftUntouched(t *testing.T) {
	for _, name := range []string{ServersFile, GovernanceFile} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, open(t, dir, Options{}).Close())
			path := filepath.Join(dir, name)
			setVersion(t, path, "99")
			before, err := os.ReadFile(path)
			must(t, err)

			_, err = Open(dir, Options{})
			wantCode(t, err, domain.CodeDBNewer)
			if args := domain.AsError(err).Args; args["found"] != "99" || args["path"] != path {
				t.Errorf("arguments are %v, want version 99 of %s", args, path)
			}
			after, err := os.ReadFile(path)
			must(t, err)
			if !bytes.Equal(before, after) {
				t.Error("the newer database was changed")
			}
			// Nothing was left locked: setting the version back makes it usable.
			setVersion(t, path, "1")
			open(t, dir, Options{})
		})
	}
}

func setVersion(t *testing.T, path, version string) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Minute})
	must(t, err)
	must(t, db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte(metaBucket)).Put([]byte(schemaKey), []byte(version))
	}))
	must(t, db.Close())
}

func TestMigrationTakesOnlyTheMissingSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	var taken []int
	step := func(n int) func(*bbolt.Tx) error {
		return func(*bbolt.Tx) error { taken = append(taken, n); return nil }
	}
	s := &Store{options: Options{LockWait: time.Minute, Now: time.Now}}
	for _, sch := range []schema{
		{steps: []func(*bbolt.Tx) error{step(1)}},
		{steps: []func(*bbolt.Tx) error{step(1), step(2), step(3)}},
		{steps: []func(*bbolt.Tx) error{step(1), step(2), step(3)}},
	} {
		d, err := s.open(path, sch, false)
		must(t, err)
		must(t, d.close())
	}
	if len(taken) != 3 || taken[0] != 1 || taken[1] != 2 || taken[2] != 3 {
		t.Errorf("steps taken are %v, want 1, 2, 3 once each", taken)
	}
}

func TestFailedMigrationChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s := &Store{options: Options{LockWait: time.Minute, Now: time.Now}}
	bad := schema{steps: []func(*bbolt.Tx) error{create("a"), func(*bbolt.Tx) error { return os.ErrInvalid }}}
	if _, err := s.open(path, bad, false); err == nil {
		t.Fatal("a failing migration was reported as done")
	}
	d, err := s.open(path, schema{steps: []func(*bbolt.Tx) error{create("a")}}, false)
	must(t, err)
	must(t, d.close())
}
