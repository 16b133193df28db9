package api

import (
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	linkLife = 10 * time.Minute
	// maxSessions bounds how many browsers may be signed in; the oldest gives way.
	maxSessions = 64
)

// links are the one-time sign-in links and the browser sessions they were turned into. They live as long as the owner.
type links struct {
	now func() time.Time

	mu       sync.Mutex
	codes    map[string]time.Time
	sessions []string
}

func newLinks(now func() time.Time) *links {
	return &links{now: now, codes: make(map[string]time.Time)}
}

func (l *links) create() string {
	code := rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	maps.DeleteFunc(l.codes, func(_ string, end time.Time) bool { return now.After(end) })
	l.codes[code] = now.Add(linkLife)
	return code
}

// redeem turns a code into a session, once.
func (l *links) redeem(code string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end, ok := l.codes[code]
	delete(l.codes, code)
	if !ok || l.now().After(end) {
		return "", false
	}
	session := rand.Text() + rand.Text()
	l.sessions = append(l.sessions, session)
	if len(l.sessions) > maxSessions {
		l.sessions = l.sessions[1:]
	}
	return session, true
}

func (l *links) known(session string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Contains(l.sessions, session)
}
