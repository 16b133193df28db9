package transport

// ring keeps the newest entries within a count and a size. It is not safe for concurrent use.
type ring[T any] struct {
	maxCount int
	maxBytes int
	entries  []T
	sizes    []int
	bytes    int
	// first is the sequence number of entries[0]; numbers start at 1, so that 0 means "from the beginning".
	first uint64
}

func newRing[T any](maxCount, maxBytes int) ring[T] {
	return ring[T]{maxCount: maxCount, maxBytes: maxBytes, first: 1}
}

// next is the sequence number that the next entry gets.
func (r *ring[T]) next() uint64 { return r.first + uint64(len(r.entries)) }

func (r *ring[T]) add(entry T, size int) {
	r.entries = append(r.entries, entry)
	r.sizes = append(r.sizes, size)
	r.bytes += size
	for len(r.entries) > 1 && (len(r.entries) > r.maxCount || r.bytes > r.maxBytes) {
		r.bytes -= r.sizes[0]
		var zero T
		r.entries[0] = zero // lets go of what the entry holds before the slice is reallocated
		r.entries, r.sizes = r.entries[1:], r.sizes[1:]
		r.first++
	}
}

// after copies at most limit entries that follow the given sequence number, oldest first. A limit of 0 means all.
func (r *ring[T]) after(seq uint64, limit int) []T {
	start := 0
	if seq >= r.first {
		start = int(min(seq-r.first+1, uint64(len(r.entries))))
	}
	end := len(r.entries)
	if limit > 0 {
		end = min(end, start+limit)
	}
	return append(make([]T, 0, end-start), r.entries[start:end]...)
}

// page is after with the number to go on from. Numbers that are still to come are of a ring before this one, of which
// nothing is left: the page begins anew, and the lower number says so.
func (r *ring[T]) page(seq uint64, limit int) (entries []T, next uint64) {
	if seq >= r.next() {
		seq = 0
	}
	entries = r.after(seq, limit)
	return entries, max(seq, r.first-1) + uint64(len(entries))
}
