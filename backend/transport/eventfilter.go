package transport

import (
	"bytes"
	"io"
)

// eventFilter reads the event stream of a server, deals with what is in it, and leaves mcp-go what it needs: the id
// and retry of events, for resuming, and a stand-in for the answer.
type eventFilter struct {
	s      *streamable
	x      *exchange
	body   io.ReadCloser
	events *eventReader
	out    bytes.Buffer
	told   bool // mcp-go has got the answer
}

func (s *streamable) filter(body io.ReadCloser, x *exchange) io.ReadCloser {
	return &eventFilter{s: s, x: x, body: body, events: newEventReader(body, s.limit)}
}

// Read gives what is left of the stream.
func (f *eventFilter) Read(p []byte) (int, error) {
	for f.out.Len() == 0 {
		e, err := f.events.next()
		if err != nil {
			// mcp-go resumes only a stream that the server ended, and one that broke off is no other.
			f.s.link.log.Debug("stream ended", "err", f.s.link.mask.hideError(err))
			return 0, io.EOF
		}
		f.take(e)
	}
	return f.out.Read(p)
}

// Close closes the stream.
func (f *eventFilter) Close() error { return f.body.Close() }

func (f *eventFilter) take(e event) {
	f.s.event(e, f.x)
	f.s.reached(f.x, e)
	if e.hasID {
		f.out.WriteString("id: " + e.id + "\n")
	}
	if e.hasRetry {
		f.out.WriteString("retry: " + e.retry + "\n")
	}
	if f.answered() {
		f.out.WriteString("data: ")
		f.out.Write(f.x.stub())
		f.out.WriteByte('\n')
	}
	if f.out.Len() > 0 {
		f.out.WriteByte('\n')
	}
}

// answered reports once that the request of this stream has its answer.
func (f *eventFilter) answered() bool {
	if f.x == nil || f.told {
		return false
	}
	_, f.told, _ = f.x.outcome()
	return f.told
}
