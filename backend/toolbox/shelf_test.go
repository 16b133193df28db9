package toolbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

var agent = domain.Caller{Kind: domain.CallerApp, Name: "notes", User: domain.LocalUser, Session: "1"}

func TestALongResultKeepsHeadAndTailAndTheWhole(t *testing.T) {
	var whole strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&whole, "line %d: été\n", i)
	}
	s := NewShelf()
	d := Data{Output: whole.String(), Text: whole.String(), Structured: json.RawMessage(`{}`), Resources: []Resource{{Text: "long"}}}
	cut := s.shorten(agent, &d, 3000)
	if cut == nil || cut.JSON || cut.Total != whole.Len() || !cut.Truncated {
		t.Fatalf("got %+v", cut)
	}
	if !strings.HasPrefix(d.Output, "line 0: été\n") || !strings.HasSuffix(d.Output, "line 4999: été\n") || len(d.Output) > 3200 ||
		!strings.Contains(d.Output, "read_more(handle=\""+cut.Handle+"\", offset=") {
		t.Errorf("got %s", d.Output)
	}
	if d.Text != d.Output || d.Structured != nil || d.Resources[0].Text != "" || strings.Contains(string(d.Content), "line 2500") {
		t.Errorf("something still says all of it: %+v", d)
	}
	if rest := d.Output[:cut.Next] + readOn(t, s, cut); rest != whole.String() {
		t.Error("head and pages are not the whole")
	}
}

func readOn(t *testing.T, s *Shelf, cut *Cut) string {
	t.Helper()
	var rest strings.Builder
	for next := cut.Next; next != 0; {
		page, err := s.Read(agent, cut.Handle, next, 3000)
		if err != nil {
			t.Fatal(err)
		}
		rest.WriteString(page.Text)
		next = page.Next
	}
	return rest.String()
}

func TestJSONIsNeverCutInSilence(t *testing.T) {
	d := Data{Output: `["` + strings.Repeat("x", 5000) + `"]`}
	cut := NewShelf().shorten(agent, &d, 3000)
	if cut == nil || !cut.JSON || !strings.Contains(d.Output, "bytes of one JSON document left out here") {
		t.Errorf("got %+v %s", cut, d.Output)
	}
}

func TestAShortResultStaysAsItIs(t *testing.T) {
	d := Data{Output: "shorter", Content: json.RawMessage(`[]`), Structured: json.RawMessage(`{"a":1}`)}
	if cut := NewShelf().shorten(agent, &d, 7); cut != nil || d.Output != "shorter" || d.Structured == nil {
		t.Errorf("got %+v %+v", cut, d)
	}
}

func TestLongPicturesHaveAHandle(t *testing.T) {
	picture := strings.Repeat("a", longestBinary+1)
	s := NewShelf()
	d := Data{Images: []Media{{Data: picture}, {Data: "short"}}, Resources: []Resource{{Blob: picture}}, Content: json.RawMessage(`["` + picture + `"]`)}
	s.shorten(agent, &d, 3000)
	if d.Images[0].Data != "" || d.Images[1].Data != "short" || d.Resources[0].Blob != "" || len(d.Content) > 1000 {
		t.Errorf("got %+v", d)
	}
	for _, handle := range []string{d.Images[0].Handle, d.Resources[0].Handle} {
		if page, err := s.Read(agent, handle, 0, longestBinary); err != nil || page.Total != len(picture) {
			t.Errorf("got %d bytes, %v", page.Total, err)
		}
	}
}

func TestNobodyReadsWhatAnotherGot(t *testing.T) {
	s := NewShelf()
	handle := s.put(agent, "mine")
	for name, change := range map[string]func(*domain.Caller){
		"app": func(c *domain.Caller) { c.Name = "mail" }, "user": func(c *domain.Caller) { c.User = "lea" },
		"conversation": func(c *domain.Caller) { c.Session = "2" }, "door": func(c *domain.Caller) { c.Kind = domain.CallerClient },
	} {
		other := agent
		change(&other)
		if _, err := s.Read(other, handle, 0, 10); domain.CodeOf(err) != domain.CodeUnknownItem {
			t.Errorf("another %s: %v", name, err)
		}
	}
	for _, offset := range []int{-1, 5} {
		if _, err := s.Read(agent, handle, offset, 10); domain.CodeOf(err) != domain.CodeInvalidArguments {
			t.Errorf("offset %d: %v", offset, err)
		}
	}
}

func TestTheShelfIsBounded(t *testing.T) {
	s := NewShelf()
	s.most = 100
	first := s.put(agent, strings.Repeat("a", 40))
	second := s.put(agent, strings.Repeat("b", 40))
	if _, err := s.Read(agent, first, 0, 10); err != nil { // used last, so it stays
		t.Fatal(err)
	}
	s.put(agent, strings.Repeat("c", 40))
	if _, err := s.Read(agent, second, 0, 10); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("the second: %v", err)
	}
	if _, err := s.Read(agent, first, 0, 10); err != nil || s.size != 80 {
		t.Errorf("the first: %v, %d bytes kept", err, s.size)
	}
}

// What nobody reads any more takes no memory.
func TestWhatNobodyReadsIsTakenAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewShelf()
		read, left := s.put(agent, "read"), s.put(agent, "left")
		for range 3 {
			<-time.After(maxKept * 2 / 3)
			synctest.Wait()
			if _, err := s.Read(agent, read, 0, 10); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Read(agent, left, 0, 10); domain.CodeOf(err) != domain.CodeUnknownItem || held(s) != len("read") {
			t.Errorf("%v, %d bytes are kept", err, held(s))
		}
		<-time.After(maxKept)
		synctest.Wait()
		if held(s) != 0 {
			t.Errorf("%d bytes are kept", held(s))
		}
	})
}

func held(s *Shelf) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.size
}

func TestPagesAreTheWholeWhateverItIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.StringN(0, 300, -1).Draw(t, "whole")
		longest := rapid.IntRange(12, 60).Draw(t, "longest")
		s, d := NewShelf(), Data{Output: whole}
		cut := s.shorten(agent, &d, longest)
		if cut == nil {
			return
		}
		got, pages := whole[:cut.Next], 0
		for next := cut.Next; next != 0; pages++ {
			page, err := s.Read(agent, cut.Handle, next, longest)
			if err != nil || len(page.Text) > longest || pages > len(whole) {
				t.Fatalf("%+v %v", page, err)
			}
			if utf8.ValidString(whole) && !utf8.ValidString(page.Text) {
				t.Fatalf("a character is cut: %q", page.Text)
			}
			got, next = got+page.Text, page.Next
		}
		if got != whole {
			t.Fatalf("got %q", got)
		}
	})
}
