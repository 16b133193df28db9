package pipeline

import (
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Bounds of what is kept, in bytes: of one answer, and of all together. The answers used least recently give way.
const (
	maxKeptAnswer  = 1 << 20
	maxKeptAnswers = 32 << 20
)

// sweepEvery is how often what is over is looked for.
const sweepEvery = time.Minute

// Kept are the answers that may be given again. It is safe for concurrent use.
type Kept struct {
	now func() time.Time

	mu      sync.Mutex
	servers map[string]*shelf
	bytes   int
	uses    uint64 // counts keeping and giving, to tell which answer was used least recently
	emptied int    // how often everything was thrown away
	swept   time.Time
	going   map[cacheKey]chan struct{} // calls on their way, closed at their end; see enter
}

// shelf is what is kept of one server.
type shelf struct {
	domain.CacheUse
	byKey   map[cacheKey]*answer
	emptied int // how often it was thrown away
}

type cacheKey [sha256.Size]byte

type answer struct {
	result domain.Result
	until  time.Time
	used   uint64
}

func (a *answer) size() int { return len(a.result.Raw) }

// NewKept keeps nothing yet.
func NewKept(now func() time.Time) *Kept {
	return &Kept{now: now, servers: make(map[string]*shelf), going: make(map[cacheKey]chan struct{})}
}

// Empty throws away what is kept of a server, or of all for "", and says how many answers that were. What is on its way is
// not kept when it comes.
func (k *Kept) Empty(server string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if server != "" {
		s := k.shelf(server)
		s.emptied++
		return k.clear(s)
	}
	k.emptied++
	gone := 0
	for _, s := range k.servers {
		gone += k.clear(s)
	}
	return gone
}

// clear is for a caller that holds the lock.
func (k *Kept) clear(s *shelf) int {
	gone := s.Entries
	for key := range s.byKey {
		k.drop(s, key)
	}
	return gone
}

// Uses say what is kept, by server, of those with a call to a cacheable tool.
func (k *Kept) Uses() []domain.CacheUse {
	k.mu.Lock()
	defer k.mu.Unlock()
	uses := make([]domain.CacheUse, 0, len(k.servers))
	for _, s := range k.servers {
		if s.Hits+s.Misses > 0 {
			uses = append(uses, s.CacheUse)
		}
	}
	slices.SortFunc(uses, func(a, b domain.CacheUse) int { return strings.Compare(a.Server, b.Server) })
	return uses
}

// find gives what is kept under a key, and the mark of this moment for keep.
func (k *Kept) find(server string, key cacheKey) (result domain.Result, mark int, ok bool) {
	result, mark, at := k.findAny(server, []asked{{key: key}})
	return result, mark, at == 0
}

// findAny gives what is kept under the first of some keys that has something, and which one that is; -1 if none has.
func (k *Kept) findAny(server string, of []asked) (result domain.Result, mark, at int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweep()
	s := k.shelf(server)
	for i, one := range of {
		a := s.byKey[one.key]
		if a == nil || !k.now().Before(a.until) {
			continue
		}
		s.Hits++
		k.uses++
		a.used = k.uses
		return a.result, 0, i
	}
	s.Misses++
	return domain.Result{}, k.mark(s), -1
}

// mark counts how often a server's answers were thrown away. The caller holds the lock.
func (k *Kept) mark(s *shelf) int { return s.emptied + k.emptied }

// keep remembers an answer for a while, unless the server's were thrown away since the mark. At most so many stay.
func (k *Kept) keep(server string, key cacheKey, result domain.Result, ttl time.Duration, most, mark int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.shelf(server)
	if len(result.Raw) > maxKeptAnswer || ttl <= 0 || mark != k.mark(s) {
		return
	}
	k.drop(s, key) // one that is over, or of the same call made twice at once
	for s.Entries >= most {
		k.drop(s, s.oldest())
	}
	for k.bytes+len(result.Raw) > maxKeptAnswers {
		k.dropOldest()
	}
	k.uses++
	s.byKey[key] = &answer{result: result, until: k.now().Add(ttl), used: k.uses}
	s.Entries, s.Bytes, k.bytes = s.Entries+1, s.Bytes+len(result.Raw), k.bytes+len(result.Raw)
}

// shelf is that of a server. The caller holds the lock.
func (k *Kept) shelf(server string) *shelf {
	s := k.servers[server]
	if s == nil {
		s = &shelf{CacheUse: domain.CacheUse{Server: server}, byKey: make(map[cacheKey]*answer)}
		k.servers[server] = s
	}
	return s
}

// oldest is the key of the answer used least recently; the shelf has one.
func (s *shelf) oldest() (oldest cacheKey) {
	least := ^uint64(0)
	for key, a := range s.byKey {
		if a.used < least {
			oldest, least = key, a.used
		}
	}
	return oldest
}

// dropOldest makes the answer of any server that was used least recently give way. The caller holds the lock.
func (k *Kept) dropOldest() {
	var of *shelf
	least := ^uint64(0)
	for _, s := range k.servers {
		if s.Entries == 0 {
			continue
		}
		if used := s.byKey[s.oldest()].used; used < least {
			of, least = s, used
		}
	}
	k.drop(of, of.oldest())
}

// sweep forgets what is over, now and then. The caller holds the lock.
func (k *Kept) sweep() {
	now := k.now()
	if now.Sub(k.swept) < sweepEvery {
		return
	}
	k.swept = now
	for _, s := range k.servers {
		for key, a := range s.byKey {
			if !now.Before(a.until) {
				k.drop(s, key)
			}
		}
	}
}

// drop forgets one answer, if it is there. The caller holds the lock.
func (k *Kept) drop(s *shelf, key cacheKey) {
	a := s.byKey[key]
	if a == nil {
		return
	}
	delete(s.byKey, key)
	s.Entries, s.Bytes, k.bytes = s.Entries-1, s.Bytes-a.size(), k.bytes-a.size()
}
