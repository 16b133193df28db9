package toolbox

import (
	"encoding/json"
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

const (
	// spelling is how much longer content blocks may be than the output that they spell out, as JSON.
	spelling = 4
	// perEntry is what an entry of a list takes in itself, in bytes.
	perEntry = 40
)

// leaveOut keeps a part of a result that is too long, and says so in the output: nothing is lost in silence.
func (s *Shelf) leaveOut(owner domain.Caller, d *Data, what, whole string) *Cut {
	cut := &Cut{Truncated: true, JSON: json.Valid([]byte(whole)), Handle: s.put(owner, whole), Total: len(whole)}
	d.Output += fmt.Sprintf("\n[%s, %d bytes, left out here: read_more(handle=%q, offset=0)]", what, len(whole), cut.Handle)
	return cut
}

// shortenBinaries gives handles to pictures, sounds and files from where they are too long together, and tells how much is
// left and whether any went.
func (s *Shelf) shortenBinaries(owner domain.Caller, d *Data) (left int, removed bool) {
	fits := func(data, handle *string) {
		if left+len(*data) <= longestBinary {
			left += len(*data)
			return
		}
		*data, *handle, removed = "", s.put(owner, *data), true
	}
	for i := range d.Images {
		fits(&d.Images[i].Data, &d.Images[i].Handle)
	}
	for i := range d.Resources {
		fits(&d.Resources[i].Blob, &d.Resources[i].Handle)
	}
	return left, removed
}

// shortenLists drops the ends of lists that are too long, and tells whether it did.
func (d *Data) shortenLists(longest int) (removed bool) {
	size := 0
	for i, m := range d.Images {
		if size += perEntry + len(m.MIMEType); size > longest {
			d.Images, removed = d.Images[:i], true
			break
		}
	}
	for i, r := range d.Resources {
		if size += perEntry + len(r.URI) + len(r.Name) + len(r.Description) + len(r.MIMEType); size > longest {
			d.Resources, removed = d.Resources[:i], true
			break
		}
	}
	return removed
}

// repeats holds for structured content that the output says anyway.
func (d *Data) repeats() bool {
	said := compact(d.Structured)
	return saysNothing(said) || said == d.Output || said == compact(json.RawMessage(d.Text))
}

// hasUnread holds for content with a block of a kind that nothing but the content itself shows.
func hasUnread(content json.RawMessage) bool {
	var blocks []json.RawMessage
	_ = json.Unmarshal(content, &blocks) // what is no list was made a text
	return slices.ContainsFunc(blocks, func(one json.RawMessage) bool {
		var b struct{ Type string }
		return json.Unmarshal(one, &b) != nil || !slices.Contains([]string{"text", "image", "audio", "resource", "resource_link"}, b.Type)
	})
}
