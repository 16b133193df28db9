package toolbox

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

const (
	// DefaultLongest is the longest output that an agent gets at once, in bytes: about 6,000 tokens.
	DefaultLongest = 24_000
	// maxShelf is how much the shelf keeps of all callers together, in bytes.
	maxShelf = 64 << 20
	// longestBinary is how long pictures, sounds and files that are given along may be together, in bytes of base64.
	longestBinary = 1 << 20
	// maxKept is how long something is kept after it was last read.
	maxKept = time.Hour
	// nearby is how far from its place a cut is moved to the end of a line, in bytes.
	nearby = 400
)

// Cut says that an output was too long and how to have the rest.
type Cut struct {
	Truncated bool `json:"truncated"`
	// JSON says that the whole is a JSON document, of which head and tail are none.
	JSON bool `json:"json,omitempty"`
	// Handle is what read_more takes.
	Handle string `json:"handle"`
	// Total is the length of the whole, in bytes; Next is where the head ended, the offset to read on from.
	Total int `json:"total_bytes"`
	Next  int `json:"next_offset"`
}

// Page is a stretch of a long output.
type Page struct {
	Text string `json:"text"`
	// Offset and Next are bytes; Next is 0 at the end.
	Offset int `json:"offset"`
	Next   int `json:"next_offset,omitempty"`
	Total  int `json:"total_bytes"`
}

// Shelf keeps outputs that were too long to be given at once, the latest of all callers up to a bound, for as long as they
// are read. Each is for the caller that got it alone.
type Shelf struct {
	mu    sync.Mutex
	books []*book // the latest used at the end
	size  int
	most  int
}

type book struct {
	handle string
	owner  domain.Caller
	text   string
	// end takes it away when nobody has read it for long.
	end *time.Timer
}

// NewShelf makes an empty shelf.
func NewShelf() *Shelf { return &Shelf{most: maxShelf} }

// shorten cuts an output that is longer than longest bytes to its head and its tail, and keeps the whole. What stands beside
// the output and is too long is left out of it, each part with a handle.
func (s *Shelf) shorten(owner domain.Caller, d *Data, longest int) *Cut {
	whole, repeats := d.Content, d.repeats()
	binaries, removed := s.shortenBinaries(owner, d)
	var cut *Cut
	if len(d.Output) > longest {
		cut = s.cut(owner, d, longest)
		d.Text, removed = d.Output, true
		for i := range d.Resources {
			d.Resources[i].Text = ""
		}
		if repeats {
			d.Structured = nil
		}
	}
	if len(d.Structured) > longest {
		cut = cmp.Or(cut, s.leaveOut(owner, d, "structured content", string(d.Structured)))
		d.Structured, removed = nil, true
	}
	lost := d.shortenLists(longest) || !removed && len(d.Content) > spelling*longest+binaries
	if lost || removed { // the content blocks say again what was left out
		if lost || hasUnread(whole) {
			cut = cmp.Or(cut, s.leaveOut(owner, d, "content blocks", string(whole)))
		}
		d.Content = textBlock(d.Output)
	}
	return cut
}

// cut leaves the head and the tail of an output.
func (s *Shelf) cut(owner domain.Caller, d *Data, longest int) *Cut {
	head := lineBefore(d.Output, longest*2/3)
	tail := lineAfter(d.Output, len(d.Output)-longest/3)
	cut := &Cut{Truncated: true, JSON: json.Valid([]byte(d.Output)), Handle: s.put(owner, d.Output), Total: len(d.Output), Next: head}
	what := ""
	if cut.JSON {
		what = "of one JSON document "
	}
	d.Output = fmt.Sprintf("%s\n[… %d bytes %sleft out here: read_more(handle=%q, offset=%d)]\n%s",
		d.Output[:head], tail-head, what, cut.Handle, head, d.Output[tail:])
	return cut
}

func (s *Shelf) put(owner domain.Caller, text string) string {
	b := &book{handle: rand.Text()[:12], owner: owner, text: text}
	s.mu.Lock()
	defer s.mu.Unlock()
	b.end = time.AfterFunc(maxKept, func() { s.takeAway(b) })
	s.books = append(s.books, b)
	s.size += len(text)
	for s.size > s.most && len(s.books) > 1 {
		s.remove(0)
	}
	return b.handle
}

func (s *Shelf) takeAway(b *book) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := slices.Index(s.books, b); at >= 0 {
		s.remove(at)
	}
}

// remove takes away what stands at a place. The caller holds mu.
func (s *Shelf) remove(at int) {
	s.books[at].end.Stop()
	s.size -= len(s.books[at].text)
	s.books = slices.Delete(s.books, at, at+1)
}

// Read gives the stretch of a kept output that begins at an offset. Errors: CodeUnknownItem for a handle that is not
// kept, or not for this caller; CodeInvalidArguments for an offset that is none of it.
func (s *Shelf) Read(owner domain.Caller, handle string, offset, longest int) (Page, error) {
	b := s.find(owner, handle)
	if b == nil {
		return Page{}, &domain.Error{
			Code: domain.CodeUnknownItem, Message: fmt.Sprintf("nothing is kept under the handle %q", short(handle)),
			Hint: "Long results are kept for a while only: make the call again.", Args: map[string]string{"reason": "handle_gone"},
		}
	}
	text := b.text
	if offset < 0 || offset > len(text) {
		return Page{}, &domain.Error{
			Code: domain.CodeInvalidArguments, Message: fmt.Sprintf("the offset is not between 0 and %d", len(text)),
			Hint: "Use next_offset of the page before.", Args: map[string]string{"path": "/offset"},
		}
	}
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	page := Page{Offset: offset, Total: len(text)}
	end := len(text)
	if end-offset > longest {
		end = offset + lineBefore(text[offset:], longest)
		page.Next = end
	}
	page.Text = text[offset:end]
	return page, nil
}

// find is what is kept under a handle for somebody, nil if nothing is. It is kept longer for it.
func (s *Shelf) find(owner domain.Caller, handle string) *book {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.books, func(b *book) bool { return b.handle == handle && b.owner == owner })
	if at < 0 {
		return nil
	}
	b := s.books[at]
	b.end.Reset(maxKept)
	s.books = append(slices.Delete(s.books, at, at+1), b)
	return b
}

// lineBefore is the end of the last line that ends shortly before a place, or the place itself, moved to a character's
// beginning. It is never 0.
func lineBefore(text string, at int) int {
	if end := strings.LastIndexByte(text[max(0, at-nearby):at], '\n'); end >= 0 {
		if end += max(0, at-nearby) + 1; end > 0 {
			return end
		}
	}
	for at > 1 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}

// lineAfter is the beginning of the first line that begins shortly after a place, or the place itself, moved to a
// character's beginning.
func lineAfter(text string, at int) int {
	if end := strings.IndexByte(text[at:min(len(text), at+nearby)], '\n'); end >= 0 {
		return at + end + 1
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return at
}
