package native

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

const secret = "what nobody may read"

func TestNoPathLeadsOut(t *testing.T) {
	s := newSpace(t)
	outside := filepath.Join(s.other, "secret")
	must(t, os.WriteFile(outside, []byte(secret), 0o600))
	s.write(t, "in/here", "fine")
	below, err := filepath.Rel(s.allowed, outside)
	must(t, err)
	for link, to := range map[string]string{
		"absolute": outside, "folder": s.other, "relative": below, "in/up": filepath.Join("..", below), "twice": "folder/secret", "data": s.data,
		"circle": "circle", "within": "in/here", "named": filepath.Join(s.allowed, "in", "here"),
	} {
		must(t, os.Symlink(to, filepath.Join(s.allowed, link)))
	}
	f := s.files(t)
	for _, path := range []string{
		outside, s.other, below, "../" + filepath.Base(s.allowed) + "/../../secret", "in/../../" + below, "absolute", "folder/secret", "folder", "relative", "in/up",
		"twice", "data", "circle", "/etc/passwd", "in/here/../../..", "nul\x00", "in\x00/../../secret", strings.Repeat("a/", 4096),
		"file://" + outside, "file://elsewhere" + s.allowed + "/in/here", "file:" + s.allowed + "/in/here?mode=ro", "file:%00", "file:///%2e%2e/etc/passwd",
		s.allowed + "x/secret", "nowhere", "in/here/below", "named",
	} {
		for _, tool := range []string{"read", "ls", "grep", "find"} {
			got := call(t, f, tool, args{"path": path, "pattern": "*"})
			if tool == "grep" {
				got = call(t, f, tool, args{"path": path, "pattern": "."})
			}
			if !got.IsError || strings.Contains(got.text(), secret) || got.text() == "" {
				t.Errorf("%s of %q gave %s", tool, path, got.text())
			}
		}
	}
	if got := call(t, f, "read", args{"path": "within"}); got.text() != "fine" {
		t.Errorf("a link that stays inside gave %s", got.text())
	}
	if got := call(t, f, "read", args{"path": "file://" + s.allowed + "/in/here"}); got.text() != "fine" {
		t.Errorf("an address gave %s", got.text())
	}
	fails(t, f, "read", args{"path": "absolute"}, "leads out of the allowed folders")
	fails(t, f, "read", args{"path": outside}, "in none of the allowed folders: "+s.allowed)
	if got := call(t, f, "grep", args{"pattern": "nobody"}); strings.Contains(got.text(), secret) {
		t.Errorf("a walk followed a link: %s", got.text())
	}
}

func TestSeveralFolders(t *testing.T) {
	s := newSpace(t)
	deep := filepath.Join(s.allowed, "deep")
	s.write(t, "deep/file", "deep")
	must(t, os.WriteFile(filepath.Join(s.other, "file"), []byte("other"), 0o600))
	f, err := NewFilesystem([]string{s.allowed, s.other, deep}, s.check)
	must(t, err)
	for path, want := range map[string]string{filepath.Join(deep, "file"): "deep", filepath.Join(s.other, "file"): "other"} {
		if got := call(t, f, "read", args{"path": path}); got.text() != want {
			t.Errorf("%s gave %s", path, got.text())
		}
	}
	fails(t, f, "read", args{"path": "file"}, "must be a full one")
	none, err := NewFilesystem(nil, s.check)
	must(t, err)
	fails(t, none, "ls", args{}, "No folder is allowed")
}

// A folder that was good when it was allowed can be a link that leads into the data folder later.
func TestALinkThatIsMovedIsRefused(t *testing.T) {
	s := newSpace(t)
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.WriteFile(filepath.Join(s.data, "server.key"), []byte(secret), 0o600))
	must(t, os.WriteFile(filepath.Join(s.allowed, "server.key"), []byte("fine"), 0o600))
	must(t, os.Symlink(s.allowed, link))
	f, err := NewFilesystem([]string{link}, s.check)
	must(t, err)
	if got := call(t, f, "read", args{"path": "server.key"}); got.text() != "fine" {
		t.Fatal(got.text())
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(s.data, link))
	fails(t, f, "read", args{"path": "server.key"}, "data folder of Apollia")
	fails(t, f, "grep", args{"pattern": "nobody"}, "data folder of Apollia")
	must(t, os.Remove(link))
	fails(t, f, "ls", args{}, "There is nothing at "+link)
}

// While a name is swapped between a file and a link that leads out, a read gives the file or fails.
func TestSwappedNamesDoNotLeadOut(t *testing.T) {
	s := newSpace(t)
	must(t, os.WriteFile(filepath.Join(s.other, "file"), []byte(secret), 0o600))
	s.write(t, "real/file", "fine")
	must(t, os.Symlink(s.other, filepath.Join(s.allowed, "bad")))
	f := s.files(t)
	ctx, cancel := context.WithCancel(t.Context())
	var swapping sync.WaitGroup
	swapping.Go(func() {
		at := func(name string) string { return filepath.Join(s.allowed, name) }
		for ctx.Err() == nil {
			_ = os.Rename(at("real"), at("now"))
			_ = os.Rename(at("now"), at("real"))
			_ = os.Rename(at("bad"), at("now"))
			_ = os.Rename(at("now"), at("bad"))
		}
	})
	for range 500 {
		for _, tool := range []string{"read", "grep"} {
			if got := call(t, f, tool, args{"path": "now/file", "pattern": "."}); strings.Contains(got.text(), secret) {
				t.Errorf("%s gave %s", tool, got.text())
			}
		}
	}
	cancel()
	swapping.Wait()
}

func TestNamesAndContentOfAnyBytes(t *testing.T) {
	s := newSpace(t)
	if err := os.WriteFile(filepath.Join(s.allowed, "caf\xe9.txt"), []byte("au lait"), 0o600); err != nil {
		t.Skip("this file system takes only UTF-8:", err)
	}
	f := s.files(t)
	_, facts := works[listFacts](t, f, "ls", args{})
	if e := facts.Entries[0]; e.Name != "caf\uFFFD.txt" || !strings.HasSuffix(e.URI, "/caf%E9.txt") {
		t.Fatalf("%+v", e)
	}
	_, found := works[findFacts](t, f, "find", args{"pattern": "*.txt"})
	_, lines := works[grepFacts](t, f, "grep", args{"pattern": "lait"})
	for _, path := range []string{facts.Entries[0].URI, found.Paths[0], lines.Matches[0].Path} {
		if got := call(t, f, "read", args{"path": path}); got.text() != "au lait" {
			t.Errorf("%s gave %s", path, got.text())
		}
	}
}

func TestAHugeFolderIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 100,000 files")
	}
	s := newSpace(t)
	const number = 100_000
	first := s.write(t, "000000", "x")
	for i := 1; i < number; i++ {
		// Links to one file are made faster than files.
		if err := os.Link(first, filepath.Join(s.allowed, fmt.Sprintf("%06d", i))); err != nil {
			must(t, os.WriteFile(filepath.Join(s.allowed, fmt.Sprintf("%06d", i)), nil, 0o600))
		}
	}
	f := s.files(t)
	got, facts := works[listFacts](t, f, "ls", args{"offset": 99_999})
	if facts.Total != number || len(facts.Entries) != 2 || facts.Entries[1].Name != "099999" {
		t.Errorf("%d entries, %s", facts.Total, got.text())
	}
	got, facts = works[listFacts](t, f, "ls", args{})
	if len(facts.Entries) != usualEntries || !strings.Contains(got.text(), "entries 1 to 1000 of 100000") {
		t.Errorf("%d entries", len(facts.Entries))
	}
	_, found := works[findFacts](t, f, "find", args{"pattern": "*9"})
	if len(found.Paths) != usualFound || !found.More {
		t.Errorf("%d paths", len(found.Paths))
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	s := newSpace(t)
	// A file of a terabyte that takes no room: nobody reads to its end.
	for name, first := range map[string]string{"sparse": "text\n", "other": "a\n"} {
		path := s.write(t, name, first+strings.Repeat("x", sniffed))
		if err := os.Truncate(path, 1<<40); err != nil {
			t.Skip("no file with holes here:", err)
		}
	}
	f := s.files(t)
	for tool, arguments := range map[string]string{
		"read": `{"path":"sparse","offset":9}`, "grep": `{"pattern":"y{9}"}`,
	} {
		endsEarly(t, f, tool, json.RawMessage(arguments))
	}
}

// A file that grows while it is searched is read to a bound.
func TestAFileThatGrowsIsBounded(t *testing.T) {
	s := newSpace(t)
	path := s.write(t, "grows", strings.Repeat("a line\n", 10_000))
	f := s.files(t)
	ctx, cancel := context.WithCancel(t.Context())
	var growing sync.WaitGroup
	growing.Go(func() {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer file.Close()
		for written := 0; ctx.Err() == nil && written < 64<<20; {
			n, _ := file.WriteString(strings.Repeat("more of it\n", 100))
			written += n
		}
	})
	for range 20 {
		if _, facts := works[readFacts](t, f, "read", args{"path": "grows"}); facts.Lines != usualLines {
			t.Errorf("%+v", facts)
		}
	}
	works[grepFacts](t, f, "grep", args{"pattern": "nothing like it"})
	cancel()
	growing.Wait()
}

func TestUnreadableIsSaid(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	s := newSpace(t)
	s.write(t, "closed/file", "x")
	must(t, os.Chmod(filepath.Join(s.allowed, "closed"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(s.allowed, "closed"), 0o700) })
	got, facts := works[findFacts](t, s.files(t), "find", args{"pattern": "*"})
	if facts.Complete || !strings.Contains(got.text(), "1 folders could not be looked at") {
		t.Errorf("%+v %s", facts, got.text())
	}
	fails(t, s.files(t), "ls", args{"path": "closed"}, "does not let Apollia look at")
}

// Whatever the path, nothing outside is read, and the answer is a result.
func TestPathsOfAnyKind(t *testing.T) {
	s := newSpace(t)
	must(t, os.WriteFile(filepath.Join(s.other, "secret"), []byte(secret), 0o600))
	must(t, os.Symlink(s.other, filepath.Join(s.allowed, "out")))
	s.write(t, "a/b", "fine")
	f := s.files(t)
	piece := rapid.OneOf(rapid.SampledFrom([]string{"..", ".", "a", "b", "out", "secret", "", s.allowed, s.other, "file:", "//", "~", "%2e%2e", "\x00"}), rapid.String())
	rapid.Check(t, func(r *rapid.T) {
		path := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(r, "path"), "/")
		tool := rapid.SampledFrom([]string{"read", "ls", "grep", "find"}).Draw(r, "tool")
		if got := call(t, f, tool, args{"path": path, "pattern": "nobody"}); strings.Contains(got.text(), secret) {
			r.Fatalf("%s of %q gave %s", tool, path, got.text())
		}
	})
}
