package core

import (
	"sync"
	"time"

	"apollia.fr/connexions/backend/audit"
)

// lastCallsSeed is how many entries of the journal are looked through for calls of earlier runs.
const lastCallsSeed = 1000

// lastCalls remembers when a call to each server last ended. The journal is read once, when it is first asked.
type lastCalls struct {
	log *audit.Log

	seed sync.Once
	mu   sync.Mutex
	at   map[string]time.Time
}

func newLastCalls(log *audit.Log) *lastCalls {
	return &lastCalls{log: log, at: make(map[string]time.Time)}
}

// of says when a call to the server last ended.
func (l *lastCalls) of(server string) (time.Time, bool) {
	l.seed.Do(func() {
		// A journal that cannot be read is told elsewhere; here it only means that nothing is known.
		entries, _ := l.log.Read(audit.Query{Limit: lastCallsSeed})
		for _, entry := range entries {
			l.note(entry)
		}
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	at, ok := l.at[server]
	return at, ok
}

func (l *lastCalls) note(entry audit.Entry) {
	if entry.Kind != audit.KindOutcome {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at[entry.Server].Before(entry.At) {
		l.at[entry.Server] = entry.At
	}
}
