package audit

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// keptLog is a log of seven days with an entry or two each, of which the last three are kept; it must run in a bubble.
func keptLog(t *testing.T, key someKey) (l *Log, dir string, head *memoryHead, options Options) {
	t.Helper()
	dir, head = t.TempDir(), &memoryHead{}
	var days atomic.Int64
	options = Options{KeepDays: func() int { return int(days.Load()) }}
	l = openWith(t, dir, head, key, options)
	for range 7 {
		fill(t, l, 2)
		<-time.After(24 * time.Hour)
	}
	synctest.Wait()
	wantIntact(t, l, 14)
	days.Store(3)
	fill(t, l, 1)
	<-time.After(2 * time.Second)
	synctest.Wait()
	return l, dir, head, options
}

func openWith(t *testing.T, dir string, head Head, key someKey, o Options) *Log {
	t.Helper()
	l, err := Open(dir, head, key, o)
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	return l
}

func wantRemoved(t *testing.T, l *Log, removed uint64, entries int) {
	t.Helper()
	report, err := l.Verify()
	must(t, err)
	if !report.OK || report.Removed != removed || report.Entries != entries {
		t.Errorf("report is %+v (%v), want %d entries after %d that were removed", report, report.Error, entries, removed)
	}
}

func TestOldFilesAreRemovedAndTheRestIsVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, dir, head, options := keptLog(t, someKey{get: testKey})
		// 8 days were written on; today and the three days before are kept, with a line for each of the four files.
		wantRemoved(t, l, 8, 7+4)
		entries, err := l.Read(Query{})
		must(t, err)
		oldest := entries[len(entries)-1]
		if oldest.Seq != 9 {
			t.Errorf("the oldest entry is number %d, want 9", oldest.Seq)
		}
		if last := entries[0]; last.Kind != KindJournal || last.Outcome != DidRemove || last.Removed == nil || last.Removed.Entries != 8 {
			t.Errorf("the last line is %+v, want one that tells what was removed", last)
		}
		must(t, l.Close())
		l = openWith(t, dir, head, someKey{get: testKey}, options)
		wantRemoved(t, l, 8, 11)
		for range 2 {
			<-time.After(24 * time.Hour)
			fill(t, l, 1)
			<-time.After(2 * time.Second)
			synctest.Wait()
		}
		wantRemoved(t, l, 12, 11)
	})
}

func TestACutIsNoRemoval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, dir, head, options := keptLog(t, someKey{get: testKey})
		files, err := listFiles(dir)
		must(t, err)
		// One file more than the journal says.
		must(t, os.Remove(filepath.Join(dir, files[0])))
		wantBreak(t, l, 1, breakMissing)
		must(t, l.Close())
		l = openWith(t, dir, head, someKey{get: testKey}, options)
		wantBreak(t, l, 1, breakMissing)
	})
}

func TestARemovalThatWasCutOffGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, head := t.TempDir(), &memoryHead{}
		var days atomic.Int64
		l := openWith(t, dir, head, someKey{get: testKey}, Options{KeepDays: func() int { return int(days.Load()) }})
		fill(t, l, 1)
		<-time.After(24 * time.Hour)
		fill(t, l, 1)
		first := filepath.Join(dir, l.now().files[0])
		content, err := os.ReadFile(first)
		must(t, err)
		<-time.After(24 * time.Hour)
		days.Store(1)
		fill(t, l, 1)
		<-time.After(2 * time.Second)
		synctest.Wait()
		wantRemoved(t, l, 1, 3)
		must(t, l.Close())
		// The kill came after the line, before the file went.
		must(t, os.WriteFile(first, content, 0o600))
		l = openWith(t, dir, head, someKey{get: testKey}, Options{KeepDays: func() int { return int(days.Load()) }})
		wantIntact(t, l, 4)
		fill(t, l, 1)
		<-time.After(2 * time.Second)
		synctest.Wait()
		wantRemoved(t, l, 1, 5)
	})
}

func TestEntriesUnderALostKeyAreRemovedTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir, head := t.TempDir(), &memoryHead{}
		var days atomic.Int64
		options := Options{KeepDays: func() int { return int(days.Load()) }}
		l := openWith(t, dir, head, someKey{get: testKey}, options)
		fill(t, l, 1)
		<-time.After(24 * time.Hour)
		fill(t, l, 1)
		must(t, l.Close())
		fresh := true
		key := someKey{get: func() ([]byte, error) { return []byte("another key, which is as long as that"), nil }, fresh: &fresh}
		l = openWith(t, dir, head, key, options)
		fill(t, l, 1)
		<-time.After(24 * time.Hour)
		days.Store(1)
		fill(t, l, 1)
		<-time.After(2 * time.Second)
		synctest.Wait()
		// Yesterday's file is sealed with the lost key too, so neither goes yet.
		report, err := l.Verify()
		must(t, err)
		if !report.OK || report.Unchecked != 2 || report.Removed != 0 {
			t.Errorf("report is %+v (%v), want two entries under the lost key", report, report.Error)
		}
		<-time.After(24 * time.Hour)
		fill(t, l, 1)
		<-time.After(2 * time.Second)
		synctest.Wait()
		wantRemoved(t, l, 3, 4) // and the first file under the new key with them
	})
}
