package native

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestReadGivesLines(t *testing.T) {
	s := newSpace(t)
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	path := s.write(t, "docs/long.txt", b.String())
	f := s.files(t)
	got, facts := works[readFacts](t, f, "read", args{"path": "docs/long.txt", "offset": 10.0, "limit": 3})
	if got.Content[0].Text != "line 10\nline 11\nline 12\n" || facts.NextOffset != 13 || facts.Path != path || !strings.Contains(got.text(), "offset 13") {
		t.Errorf("got %q, %+v", got.text(), facts)
	}
	_, facts = works[readFacts](t, f, "read", args{"path": path})
	if facts.Lines != 2000 || facts.NextOffset != 2001 {
		t.Errorf("%+v", facts)
	}
	got, facts = works[readFacts](t, f, "read", args{"path": path, "offset": 5000})
	if got.text() != "line 5000\n" || facts.NextOffset != 0 {
		t.Errorf("got %q, %+v", got.text(), facts)
	}
	fails(t, f, "read", args{"path": path, "offset": 5001}, "has only 5000 lines")
	s.write(t, "empty", "")
	if got, _ := works[readFacts](t, f, "read", args{"path": "empty"}); got.text() != "" {
		t.Errorf("an empty file reads %q", got.text())
	}
}

func TestReadSaysWhatItLeavesOut(t *testing.T) {
	s := newSpace(t)
	f := s.files(t)
	s.write(t, "line", strings.Repeat("é", 5<<19)+"\nnext\n") // one line of 5 MiB
	got, facts := works[readFacts](t, f, "read", args{"path": "line"})
	if !slices.Equal(facts.CutLines, []int{1}) || facts.Lines != 2 || !strings.Contains(got.text(), "only the first") || strings.Contains(got.text(), "\uFFFD") {
		t.Errorf("%+v, %d bytes", facts, len(got.text()))
	}
	s.write(t, "wide", strings.Repeat(strings.Repeat("x", 1000)+"\n", 1000))
	got, facts = works[readFacts](t, f, "read", args{"path": "wide"})
	if facts.NextOffset != maxAnswer/1001+1 || len(got.Content[0].Text) > maxAnswer {
		t.Errorf("%+v", facts)
	}
	s.write(t, "latin", "caf\xe9\n")
	got, facts = works[readFacts](t, f, "read", args{"path": "latin"})
	if !facts.Replaced || !strings.Contains(got.text(), "caf\uFFFD") || !strings.Contains(got.text(), "no UTF-8") {
		t.Errorf("%+v %q", facts, got.text())
	}
}

func TestReadGivesOtherFilesWhole(t *testing.T) {
	s := newSpace(t)
	f := s.files(t)
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	s.write(t, "picture", png)
	got := call(t, f, "read", args{"path": "picture"})
	if one := got.Content[0]; one.Type != "image" || one.MIMEType != "image/png" || unbase64(t, one.Data) != png {
		t.Errorf("%+v", got)
	}
	s.write(t, "some file.bin", "a\x00b")
	got = call(t, f, "read", args{"path": "some file.bin"})
	if one := got.Content[0].Resource; !strings.HasPrefix(one.URI, "file:///") || !strings.HasSuffix(one.URI, "some%20file.bin") ||
		one.MIMEType != "application/octet-stream" || unbase64(t, one.Blob) != "a\x00b" {
		t.Errorf("%+v", got)
	}
	s.write(t, "huge", strings.Repeat("\x00", maxWhole+1))
	fails(t, f, "read", args{"path": "huge"}, "more than the 3145728")
}

func TestLsGivesEntriesByName(t *testing.T) {
	s := newSpace(t)
	s.write(t, "b", "12345")
	s.write(t, "a/deep", "")
	s.write(t, "two\nlines", "")
	must(t, os.Symlink(s.other, filepath.Join(s.allowed, "link")))
	f := s.files(t)
	got, facts := works[listFacts](t, f, "ls", args{})
	var names, kinds []string
	for _, e := range facts.Entries {
		names, kinds = append(names, e.Name), append(kinds, e.Kind)
	}
	if !slices.Equal(names, []string{"a", "b", "link", "two\nlines"}) || !slices.Equal(kinds, []string{"folder", "file", "link", "file"}) ||
		*facts.Entries[1].Size != 5 || facts.Entries[0].Size != nil || strings.Count(got.text(), "\n") != 4 {
		t.Errorf("%+v\n%s", facts, got.text())
	}
	_, facts = works[listFacts](t, f, "ls", args{"path": s.allowed, "limit": 2})
	if len(facts.Entries) != 2 || facts.NextOffset != 3 || facts.Total != 4 {
		t.Errorf("%+v", facts)
	}
	_, facts = works[listFacts](t, f, "ls", args{"offset": 3})
	if len(facts.Entries) != 2 || facts.NextOffset != 0 {
		t.Errorf("%+v", facts)
	}
	fails(t, f, "ls", args{"offset": 9}, "has 4 entries")
	fails(t, f, "ls", args{"path": "b"}, "no folder")
	fails(t, f, "ls", args{"path": "nowhere"}, "There is nothing at "+filepath.Join(s.allowed, "nowhere"))
	if got, _ := works[listFacts](t, f, "ls", args{"path": "a"}); !strings.Contains(got.text(), "deep") {
		t.Error(got.text())
	}
}

func TestFindGivesPathsThatCanBeRead(t *testing.T) {
	s := newSpace(t)
	for _, name := range []string{"main.go", "a/b/deep.go", "a/b/deep.md", "a/x.go", "z/q.txt"} {
		s.write(t, name, "")
	}
	f := s.files(t)
	for pattern, want := range map[string]string{
		"*.go":       "a/b/deep.go a/x.go main.go",
		"a/**/*.go":  "a/b/deep.go a/x.go",
		"a/*.go":     "a/x.go",
		"**/b/**":    "a/b a/b/deep.go a/b/deep.md",
		"[mz]*":      "main.go z",
		"./z/?.txt":  "z/q.txt",
		"*.rs":       "",
		"a/**/**/**": "a a/b a/b/deep.go a/b/deep.md a/x.go",
	} {
		got, facts := works[findFacts](t, f, "find", args{"pattern": pattern})
		var below []string
		for _, path := range facts.Paths {
			name, err := filepath.Rel(s.allowed, path)
			must(t, err)
			below = append(below, filepath.ToSlash(name))
		}
		if strings.Join(below, " ") != want || !facts.Complete {
			t.Errorf("%s found %v, want %s (%s)", pattern, below, want, got.text())
		}
	}
	got, facts := works[findFacts](t, f, "find", args{"pattern": "**", "limit": 2})
	if len(facts.Paths) != 2 || !facts.More || facts.Complete || !strings.Contains(got.text(), "There is more") {
		t.Errorf("%+v", facts)
	}
	fails(t, f, "find", args{"pattern": "[a"}, "not complete")
	fails(t, f, "find", args{"pattern": "/etc/*"}, "no path below")
	fails(t, f, "find", args{"pattern": strings.Repeat("a/", 100) + "b"}, "more than 64")
}

func TestGrepGivesLines(t *testing.T) {
	s := newSpace(t)
	s.write(t, "a.txt", "one\ntwo\nthree\nfour\nfive\n")
	s.write(t, "b/c.md", "Two and two\r\nlast")
	s.write(t, "binary", "two\x00")
	f := s.files(t)
	got, facts := works[grepFacts](t, f, "grep", args{"pattern": "(?i)^two"})
	if len(facts.Matches) != 2 || facts.Matches[1].Text != "Two and two" || facts.Binary != 1 || facts.Files != 2 || !facts.Complete {
		t.Errorf("%+v", facts)
	}
	if !strings.Contains(got.text(), filepath.Join(s.allowed, "a.txt")+":2:two\n") || !strings.Contains(got.text(), "1 binary files were left out") {
		t.Error(got.text())
	}
	_, facts = works[grepFacts](t, f, "grep", args{"pattern": "t", "glob": "*.txt", "context": 1})
	want := []match{
		{Line: 2, Text: "two", Before: []string{"one"}, After: []string{"three"}},
		{Line: 3, Text: "three", Before: []string{"two"}, After: []string{"four"}},
	}
	for i, m := range facts.Matches {
		if m.Line != want[i].Line || m.Text != want[i].Text || !slices.Equal(m.Before, want[i].Before) || !slices.Equal(m.After, want[i].After) {
			t.Errorf("%+v, want %+v", m, want[i])
		}
	}
	_, facts = works[grepFacts](t, f, "grep", args{"pattern": "O", "path": "a.txt", "ignore_case": true, "limit": 2})
	if len(facts.Matches) != 2 || !facts.More || facts.Complete {
		t.Errorf("%+v", facts)
	}
	fails(t, f, "grep", args{"pattern": "("}, "no regular expression")
	s.write(t, "long", strings.Repeat("x", maxMatched+10)+"needle\n"+strings.Repeat("y", 5000)+"needle"+strings.Repeat("z", 5000))
	got, facts = works[grepFacts](t, f, "grep", args{"pattern": "needle", "path": "long"})
	if len(facts.Matches) != 1 || facts.LongLines != 1 || facts.Complete || len(facts.Matches[0].Text) > maxShown+10 || !strings.Contains(facts.Matches[0].Text, "needle") {
		t.Errorf("%+v %s", facts, got.text())
	}
}

func TestAFolderThatHoldsTheDataIsRefused(t *testing.T) {
	s := newSpace(t)
	inside := filepath.Join(s.data, "audit")
	must(t, os.Mkdir(inside, 0o700))
	for _, folder := range []string{s.data, inside, filepath.Dir(s.data), "relative", filepath.Join(s.allowed, "nowhere")} {
		if _, err := NewFilesystem([]string{s.allowed, folder}, s.check); domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
