package transport

import (
	"context"
	"io"
	"strings"
	"sync"
)

// lineFrames carries frames as lines of two streams, one JSON object each.
//
// The frames are our own and not mcp-go's: its reader has no limit, drops unseen what is not JSON, decodes
// notifications into maps, and a server that does not read blocks its writers whatever their context says.
type lineFrames struct {
	*peer
	log    *Log
	outbox chan []byte
	writer sync.WaitGroup
}

func newLineFrames(l *Link, log *Log, limit int64) *lineFrames {
	f := &lineFrames{log: log, outbox: make(chan []byte)}
	f.peer = newPeer(l, limit, f.enqueue)
	return f
}

func (f *lineFrames) enqueue(ctx context.Context, frame []byte) error {
	select {
	case f.outbox <- frame:
		return nil
	case <-ctx.Done():
		return unsent(ctx.Err())
	case <-f.link.done:
		return unsent(f.link.Err())
	}
}

// writeFrames writes what is enqueued until the link ends, or a write fails and it returns why.
func (f *lineFrames) writeFrames(w io.Writer) error {
	for {
		select {
		case frame := <-f.outbox:
			if _, err := w.Write(append(frame, '\n')); err != nil {
				return err
			}
		case <-f.link.done:
			return nil
		}
	}
}

// readFrames reads until the stream ends and returns why it did.
func (f *lineFrames) readFrames(r io.Reader) error {
	lines := newLineReader(r, f.limit, outputChunk)
	for {
		line, over, err := lines.next()
		if err != nil {
			return err
		}
		if over != nil {
			f.tooLarge(over)
			continue
		}
		if text := strings.TrimSpace(string(line)); text != "" && !f.deliver(line) {
			f.babbled(text)
		}
	}
}

func (f *lineFrames) tooLarge(over *skimmed) {
	f.log.Add(StreamStdout, tooLarge(f.limit).Message)
	f.oversize(over, nil)
}

func (f *lineFrames) babbled(text string) {
	text = f.link.mask.Hide(strings.ToValidUTF8(text, "\uFFFD"))
	f.log.Add(StreamStdout, text)
	f.link.silence.heardBabble(text)
}

func (f *lineFrames) setProtocolVersion(string) {}
