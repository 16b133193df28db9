package transport

import (
	"sync"
	"time"
)

// Direction says which way a frame went, seen from us.
type Direction string

// Sent frames go to the server, received ones come from it.
const (
	Sent     Direction = "sent"
	Received Direction = "received"
)

const (
	trafficFrames = 500
	trafficBytes  = 1 << 20
	maxFrameText  = 64 << 10 // bytes kept of one frame
)

// Frame is one JSON-RPC message as it went over the wire, secrets masked.
type Frame struct {
	Seq       uint64    `json:"seq"`
	At        time.Time `json:"at"`
	Direction Direction `json:"direction"`
	// Size is the whole frame's in bytes; Text may hold only its beginning.
	Size      int    `json:"size"`
	Truncated bool   `json:"truncated,omitempty"`
	Text      string `json:"text"`
}

// Traffic keeps the last frames exchanged with a server. It is safe for concurrent use and outlives the sessions of
// its server. A nil Traffic keeps nothing.
type Traffic struct {
	now     func() time.Time
	changed func()

	mu     sync.Mutex
	frames ring[Frame]
}

// NewTraffic makes an empty traffic log; changed, unless nil, is called after each frame, on the goroutine that moves it.
func NewTraffic(changed func()) *Traffic {
	return &Traffic{now: time.Now, changed: changed, frames: newRing[Frame](trafficFrames, trafficBytes)}
}

// After returns at most limit frames that follow the sequence number seq, oldest first; a limit of 0 means all.
func (t *Traffic) After(seq uint64, limit int) []Frame {
	frames, _ := t.Page(seq, limit)
	return frames
}

// Page is After with the number to go on from. Where seq is of a traffic log before this one, it gives the first frames.
func (t *Traffic) Page(seq uint64, limit int) (frames []Frame, next uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.frames.page(seq, limit)
}

// record keeps one frame. What a person filled in for a server is left out, as it is kept nowhere.
func (t *Traffic) record(direction Direction, raw []byte, mask Mask) {
	if t == nil {
		return
	}
	shown := raw
	if direction == Sent {
		shown = withoutContent(raw)
	}
	text, truncated := mask.beginning(shown, maxFrameText)
	t.mu.Lock()
	t.frames.add(Frame{
		Seq: t.frames.next(), At: t.now(), Direction: direction, Size: len(raw), Truncated: truncated, Text: text,
	}, len(text)+64)
	t.mu.Unlock()
	if t.changed != nil {
		t.changed()
	}
}
