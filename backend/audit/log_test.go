package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memoryHead is a head in memory.
type memoryHead struct {
	mu    sync.Mutex
	link  link
	saves int
	fail  error
}

func (h *memoryHead) AuditHead() (uint64, []byte, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.link.seq, h.link.hash, h.fail
}

func (h *memoryHead) SetAuditHead(seq uint64, hash []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.link, h.saves = link{seq, hash}, h.saves+1
	return h.fail
}

func (h *memoryHead) saved() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.saves
}

func testKey() ([]byte, error) { return []byte("0123456789abcdef0123456789abcdef"), nil }

// someKey is a key that may be new, until an entry says so.
type someKey struct {
	get   func() ([]byte, error)
	fresh *bool
}

func (k someKey) Key() ([]byte, error)      { return k.get() }
func (k someKey) Unrecorded() (bool, error) { return k.fresh != nil && *k.fresh, nil }

func (k someKey) Recorded() error {
	*k.fresh = false
	return nil
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, want domain.Code) {
	t.Helper()
	if got := domain.CodeOf(err); got != want {
		t.Errorf("code is %q (%v), want %q", got, err, want)
	}
}

func open(tb testing.TB, dir string, head Head, o Options) *Log {
	tb.Helper()
	l, err := Open(dir, head, someKey{get: testKey}, o)
	must(tb, err)
	tb.Cleanup(func() { must(tb, l.Close()) })
	return l
}

func anEntry(n int) Entry {
	return Entry{
		Kind: KindOutcome, CallID: fmt.Sprint("call", n), Server: "files", CallKind: domain.ToolCall, Name: "write_file",
		Caller:          domain.Caller{Kind: domain.CallerClient, Name: "claude", User: domain.LocalUser},
		ArgumentsDigest: strings.Repeat("ab", 32), Verdict: "allow", Because: "rule", Outcome: OutcomeOK, DurationMS: 12,
	}
}

// fill appends n entries.
func fill(tb testing.TB, l *Log, n int) []Entry {
	tb.Helper()
	var entries []Entry
	for i := range n {
		e, err := l.Append(anEntry(i))
		must(tb, err)
		entries = append(entries, e)
	}
	return entries
}

func wantIntact(t *testing.T, l *Log, entries int) {
	t.Helper()
	got, err := l.Verify()
	must(t, err)
	if !got.OK || got.Entries != entries || got.Error != nil {
		t.Errorf("report is %+v, want %d intact entries", got, entries)
	}
}

func TestAppendedEntriesAreReadBack(t *testing.T) {
	dir, head := filepath.Join(t.TempDir(), "audit"), &memoryHead{}
	at := time.Date(2026, 7, 28, 12, 0, 0, 5, time.FixedZone("CEST", 7200))
	l := open(t, dir, head, Options{Now: func() time.Time { return at }})
	written := fill(t, l, 3)
	for i, e := range written {
		if e.Seq != uint64(i+1) || !e.At.Equal(at) || len(e.Hash) != 64 {
			t.Errorf("entry %d is number %d at %v with hash %q", i, e.Seq, e.At, e.Hash)
		}
	}
	wantIntact(t, l, 3)
	got, err := l.Read(Query{})
	must(t, err)
	if diff := cmp.Diff([]Entry{written[2], written[1], written[0]}, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	path := filepath.Join(dir, "audit-0000000000000001-2026-07-28.jsonl")
	info, err := os.Stat(path)
	must(t, err)
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("mode of %s is %o, want 600", path, mode)
	}

	must(t, l.Close())
	if _, err := l.Append(anEntry(4)); err == nil {
		t.Error("a closed log took an entry")
	}
	if head.link.seq != 3 || fmt.Sprintf("%x", head.link.hash) != written[2].Hash {
		t.Errorf("head is %d %x after closing, want 3 %s", head.link.seq, head.link.hash, written[2].Hash)
	}
	again := open(t, dir, head, Options{Now: func() time.Time { return at }})
	if more := fill(t, again, 1); more[0].Seq != 4 {
		t.Errorf("the next entry is number %d, want 4", more[0].Seq)
	}
	wantIntact(t, again, 4)
	files, err := listFiles(dir)
	must(t, err)
	if len(files) != 1 {
		t.Errorf("files are %v, want one a day", files)
	}
}

func TestKeyIsFetchedAtTheFirstEntry(t *testing.T) {
	asked := 0
	locked := &domain.Error{Code: domain.CodeKeyringDown}
	l, err := Open(t.TempDir(), &memoryHead{}, someKey{get: func() ([]byte, error) {
		asked++
		if asked == 1 {
			return nil, locked
		}
		return testKey()
	}}, Options{})
	must(t, err)
	defer func() { must(t, l.Close()) }()
	if asked != 0 {
		t.Error("opening asked for the key")
	}
	_, err = l.Append(anEntry(0))
	wantCode(t, err, domain.CodeKeyringDown)
	if e := fill(t, l, 2)[0]; e.Seq != 1 || asked != 2 {
		t.Errorf("the first entry is number %d after asking %d times, want 1 and 2", e.Seq, asked)
	}
	if text := fmt.Sprintf("%v %+v %#v", l, l, l); strings.Contains(text, "0123456789abcdef") {
		t.Errorf("the log prints its key: %s", text)
	}
}

func TestFilters(t *testing.T) {
	start := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	now := start
	l := open(t, t.TempDir(), &memoryHead{}, Options{Now: func() time.Time { return now }})
	for i, e := range []Entry{
		{Kind: KindIntent, Server: "a", Caller: domain.Caller{Kind: domain.CallerCLI, Name: "cli"}, CallID: "x"},
		{Kind: KindOutcome, Server: "a", Caller: domain.Caller{Kind: domain.CallerCLI, Name: "cli"}, CallID: "x", Verdict: "deny", Outcome: OutcomeRefused},
		{Kind: KindOutcome, Server: "b", Caller: domain.Caller{Kind: domain.CallerClient, Name: "claude"}, Verdict: "allow", Outcome: OutcomeOK},
		{Kind: KindOutcome, Server: "a", Caller: domain.Caller{Kind: domain.CallerClient, Name: "cursor"}, Verdict: "allow", Outcome: OutcomeError},
	} {
		now = start.Add(time.Duration(i) * time.Hour)
		_, err := l.Append(e)
		must(t, err)
	}
	cases := map[string]struct {
		query Query
		want  []uint64
	}{
		"all":            {Query{}, []uint64{4, 3, 2, 1}},
		"limit":          {Query{Limit: 2}, []uint64{4, 3}},
		"before":         {Query{Before: 3}, []uint64{2, 1}},
		"page":           {Query{Before: 4, Limit: 2}, []uint64{3, 2}},
		"kind":           {Query{Kind: KindOutcome, Limit: 1}, []uint64{4}},
		"server":         {Query{Server: "a", Limit: 2}, []uint64{4, 2}},
		"caller":         {Query{Caller: "claude"}, []uint64{3}},
		"kind of caller": {Query{Caller: "client"}, []uint64{4, 3}},
		"verdict":        {Query{Verdict: "allow"}, []uint64{4, 3}},
		"outcome":        {Query{Outcome: OutcomeRefused}, []uint64{2}},
		"call":           {Query{CallID: "x"}, []uint64{2, 1}},
		"since":          {Query{Since: start.Add(2 * time.Hour)}, []uint64{4, 3}},
		"until":          {Query{Until: start.Add(time.Hour)}, []uint64{1}},
		"nothing":        {Query{Server: "c"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			entries, err := l.Read(c.query)
			must(t, err)
			var got []uint64
			for _, e := range entries {
				got = append(got, e.Seq)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTotals(t *testing.T) {
	midnight := time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC)
	now := midnight.Add(-time.Minute)
	l := open(t, t.TempDir(), &memoryHead{}, Options{Now: func() time.Time { return now }})
	add := func(kind Kind, outcome string) {
		_, err := l.Append(Entry{Kind: kind, Outcome: outcome})
		must(t, err)
	}
	want := func(since time.Time, want Totals) {
		t.Helper()
		if got, err := l.Totals(since); got != want || err != nil {
			t.Errorf("totals are %+v (%v), want %+v", got, err, want)
		}
	}
	add(KindOutcome, OutcomeOK) // yesterday's
	now = midnight
	want(midnight, Totals{})
	for _, outcome := range []string{OutcomeOK, OutcomeToolError, OutcomeError, OutcomeUnknown, OutcomeRefused, OutcomeCanceled} {
		add(KindIntent, "")
		add(KindOutcome, outcome)
	}
	want(midnight, Totals{Calls: 6, Refused: 1, Failed: 3})
	add(KindOutcome, OutcomeRefused)
	want(midnight, Totals{Calls: 7, Refused: 2, Failed: 3})
	want(midnight, Totals{Calls: 7, Refused: 2, Failed: 3})
	want(midnight.Add(-time.Hour), Totals{Calls: 8, Refused: 2, Failed: 3})
}

func TestFilesEndWithTheDayAndWhenFull(t *testing.T) {
	dir, head := t.TempDir(), &memoryHead{}
	now := time.Date(2026, 7, 28, 23, 0, 0, 0, time.UTC)
	options := Options{Now: func() time.Time { return now }, MaxBytes: 1000}
	l := open(t, dir, head, options)
	fill(t, l, 5) // about 400 bytes each: three fit
	now = now.Add(time.Hour)
	fill(t, l, 1)
	must(t, l.Close())
	l = open(t, dir, head, options)
	fill(t, l, 1)
	files, err := listFiles(dir)
	must(t, err)
	want := []string{
		"audit-0000000000000001-2026-07-28.jsonl", "audit-0000000000000004-2026-07-28.jsonl",
		"audit-0000000000000006-2026-07-29.jsonl",
	}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	wantIntact(t, l, 7)
	entries, err := l.Read(Query{})
	must(t, err)
	if len(entries) != 7 || entries[6].Seq != 1 {
		t.Errorf("%d entries were read, want 7 down to number 1", len(entries))
	}
}

func TestEntriesHaveBounds(t *testing.T) {
	l := open(t, t.TempDir(), &memoryHead{}, Options{})
	long := Entry{Name: strings.Repeat("é", maxText), Arguments: []byte(`"` + strings.Repeat("x", maxArguments) + `"`)}
	for _, e := range []Entry{long, {Arguments: []byte(`{"half`)}, {Arguments: []byte("{\n \"a\": 1 }"), Name: "a\nb"}} {
		_, err := l.Append(e)
		must(t, err)
	}
	got, err := l.Read(Query{})
	must(t, err)
	if len(got) != 3 {
		t.Fatalf("%d entries were read, want 3", len(got))
	}
	if len(got[2].Name) > maxText+len("…") || !strings.HasSuffix(got[2].Name, "é…") || got[2].Arguments != nil {
		t.Errorf("the long entry has a name of %d bytes and arguments of %d", len(got[2].Name), len(got[2].Arguments))
	}
	if got[1].Arguments != nil || string(got[0].Arguments) != `{"a":1}` || got[0].Name != "a\nb" {
		t.Errorf("entries are %+v and %+v", got[1], got[0])
	}
	wantIntact(t, l, 3)
}

func TestManyWritersMakeOneChain(t *testing.T) {
	l := open(t, t.TempDir(), &memoryHead{}, Options{MaxBytes: 20_000, FlushLines: 10, FlushAfter: time.Millisecond})
	var writers sync.WaitGroup
	for w := range 8 {
		writers.Go(func() {
			for i := range 50 {
				e := anEntry(i)
				if i == 25 {
					e.Kind = KindAnswer
				}
				if _, err := l.Append(e); err != nil {
					t.Errorf("writer %d: %v", w, err)
				}
				if i%10 == 0 {
					if _, err := l.Read(Query{Limit: 5}); err != nil {
						t.Errorf("reader %d: %v", w, err)
					}
				}
			}
		})
	}
	for range 5 {
		if r, err := l.Verify(); !r.OK || err != nil {
			t.Errorf("while it is written, the log is %+v, %v", r, err)
		}
	}
	writers.Wait()
	wantIntact(t, l, 400)
}

func TestHeadIsRememberedInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		head := &memoryHead{}
		l := open(t, t.TempDir(), head, Options{})
		fill(t, l, 100)
		synctest.Wait()
		if n := head.saved(); n != 0 {
			t.Errorf("the head was saved %d times for 100 entries at once", n)
		}
		<-time.After(time.Second)
		synctest.Wait()
		if n := head.saved(); n != 1 || head.link.seq != 100 {
			t.Errorf("after a second the head was saved %d times, up to %d; want once, up to 100", n, head.link.seq)
		}
		fill(t, l, 256)
		synctest.Wait()
		if n := head.saved(); n != 2 || head.link.seq != 356 {
			t.Errorf("after 256 entries the head was saved %d times, up to %d; want twice, up to 356", n, head.link.seq)
		}
		head.fail = errors.New("disk full")
		fill(t, l, 1)
		<-time.After(time.Second)
		synctest.Wait()
		head.fail = nil
	})
}

func BenchmarkAppend(b *testing.B) {
	l := open(b, b.TempDir(), &memoryHead{}, Options{})
	e := anEntry(1)
	for b.Loop() {
		if _, err := l.Append(e); err != nil {
			b.Fatal(err)
		}
	}
}
