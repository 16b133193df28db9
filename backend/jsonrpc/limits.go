package jsonrpc

import "apollia.fr/connexions/backend/domain"

// Limits bound what a frame may cost. A field that is zero or less takes its default.
type Limits struct {
	Size  int64 // bytes of a whole frame; default domain.DefaultBufferSize
	Depth int   // objects and arrays inside each other, the frame's own counted; default DefaultDepth
	Batch int   // messages in a batch; default DefaultBatch
}

// Defaults of Limits.
const (
	DefaultDepth = 128
	DefaultBatch = 100
)

func (l Limits) withDefaults() Limits {
	if l.Size <= 0 {
		l.Size = domain.DefaultBufferSize
	}
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	if l.Batch <= 0 {
		l.Batch = DefaultBatch
	}
	return l
}
