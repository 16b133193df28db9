package transport

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRingKeepsTheNewestWithinItsBounds(t *testing.T) {
	r := newRing[int](4, 100)
	for i := 1; i <= 10; i++ {
		r.add(i, 10)
	}
	if got := r.after(0, 0); !slices.Equal(got, []int{7, 8, 9, 10}) {
		t.Errorf("after 0: %v", got)
	}
	r.add(11, 95) // alone over the rest of the room
	if got := r.after(0, 0); !slices.Equal(got, []int{11}) {
		t.Errorf("after a large entry: %v", got)
	}
}

func TestRingAfter(t *testing.T) {
	r := newRing[int](3, 1000)
	for i := 1; i <= 5; i++ {
		r.add(i, 1) // keeps 3, 4, 5
	}
	tests := []struct {
		seq   uint64
		limit int
		want  []int
	}{
		{0, 0, []int{3, 4, 5}},
		{0, 2, []int{3, 4}},
		{2, 0, []int{3, 4, 5}},
		{3, 0, []int{4, 5}},
		{4, 1, []int{5}},
		{5, 0, nil},
		{99, 0, nil},
	}
	for _, test := range tests {
		if got := r.after(test.seq, test.limit); !slices.Equal(got, test.want) {
			t.Errorf("after(%d, %d) = %v, want %v", test.seq, test.limit, got, test.want)
		}
	}
}

func TestPagesGoOnFromWhereTheyEnd(t *testing.T) {
	empty, r := newRing[int](3, 1000), newRing[int](3, 1000)
	for i := 1; i <= 5; i++ {
		r.add(i, 1) // keeps 3, 4, 5
	}
	tests := []struct {
		name  string
		ring  ring[int]
		seq   uint64
		limit int
		want  []int
		next  uint64
	}{
		{"the first", r, 0, 2, []int{3, 4}, 4},
		{"the second", r, 4, 2, []int{5}, 5},
		{"all was read", r, 5, 2, nil, 5},
		{"of a ring before this one", r, 6, 2, []int{3, 4}, 4},
		{"far beyond", r, 99, 0, []int{3, 4, 5}, 5},
		{"nothing yet", empty, 0, 0, nil, 0},
		{"nothing any more", empty, 7, 0, nil, 0},
	}
	for _, test := range tests {
		if got, next := test.ring.page(test.seq, test.limit); !slices.Equal(got, test.want) || next != test.next {
			t.Errorf("%s: %v, %d; want %v, %d", test.name, got, next, test.want, test.next)
		}
	}
}

func TestLogCutsLongLinesAndCountsOn(t *testing.T) {
	heard := 0
	l := NewLog(nil, func() { heard++ })
	l.Add(StreamStderr, strings.Repeat("x", maxLogLine+1))
	l.Add(StreamStdout, "second")
	l.Add(StreamStderr, "third")
	lines := l.After(0, 0)
	if len(lines) != 3 || heard != 3 || l.Last() != 3 {
		t.Fatalf("%d lines, heard %d, last %d", len(lines), heard, l.Last())
	}
	if got := lines[0].Text; len(got) != maxLogLine+len(cutMark) || !strings.HasSuffix(got, cutMark) {
		t.Errorf("a long line has %d bytes", len(got))
	}
	if got := l.Tail(StreamStderr, 1); !slices.Equal(got, []string{"third"}) {
		t.Errorf("tail %q", got)
	}
}

func TestRotatingFileMakesRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "one.log")
	r := NewRotating(path, 10)
	for _, line := range []string{"aaaa\n", "bbbb\n", "cccc\n", "dddddddddddddd\n"} {
		if _, err := r.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Write([]byte("late")); err == nil {
		t.Error("a closed file takes a line")
	}
	for name, want := range map[string]string{path: "dddddddddddddd\n", path + ".1": "cccc\n"} {
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", filepath.Base(name), got, err, want)
		}
	}
	again := NewRotating(path, 100)
	defer func() { _ = again.Close() }()
	if _, err := again.Write([]byte("e\n")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "dddddddddddddd\ne\n" {
		t.Errorf("opened again it holds %q", got)
	}
}

func TestRotatingFileGoesOnWhereItCannotMakeRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.log")
	if err := os.MkdirAll(filepath.Join(path+".1", "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := NewRotating(path, 10)
	defer func() { _ = r.Close() }()
	for _, line := range []string{"aaaa\n", "bbbb\n", "cccc\n", "dddd\n"} {
		if _, err := r.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "aaaa\nbbbb\ncccc\ndddd\n" {
		t.Errorf("it holds %q (%v)", got, err)
	}
}

func TestALogIsRecalledFromItsFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.log")
	file := NewRotating(path, 200)
	l := NewLog(file, nil)
	for _, text := range []string{"first", "second\nwith another line", "third", strings.Repeat("x", 100)} {
		l.Add(StreamStderr, text)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	heard := 0
	recalled := NewLog(nil, func() { heard++ })
	if err := recalled.Recall(NewRotating(path, 200)); err != nil {
		t.Fatal(err)
	}
	if got, want := recalled.Tail(StreamStderr, 9), l.Tail(StreamStderr, 9); !slices.Equal(got, want) || heard != 1 || recalled.Last() != 4 {
		t.Errorf("recalled %q, want %q; heard %d, last %d", got, want, heard, recalled.Last())
	}
	if err := NewLog(nil, nil).Recall(NewRotating(path+".none", 200)); err != nil {
		t.Error(err)
	}
	if lines := parseLog("the rest of a line\n2026-11-30T10:00:00.000Z stderr whole\n"); len(lines) != 1 || lines[0].Text != "whole" {
		t.Errorf("lines %+v", lines)
	}
}
