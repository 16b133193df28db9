package domain

import (
	"encoding/json"
	"time"
)

// Bounds of what is kept of answers when nothing else is said.
const (
	DefaultCacheTTL  = 300 * time.Second
	DefaultCacheSize = 200 // answers of one server
)

// Cache says how an app wants answers kept. Only the tools that a server's definition lists are kept at all.
type Cache struct {
	// TTL is how long an answer is kept, where the server's definition says nothing else.
	TTL time.Duration
	// MaxSize is how many answers are kept for one server; the one not used for longest gives way.
	MaxSize int
	Enabled bool
}

// DefaultCache is what holds for an app that says nothing.
func DefaultCache() Cache {
	return Cache{TTL: DefaultCacheTTL, MaxSize: DefaultCacheSize, Enabled: true}
}

// CacheUse is what is kept of the answers of one server.
type CacheUse struct {
	Server  string `json:"server"`
	Entries int    `json:"entries"`
	Bytes   int    `json:"bytes"`
	// Hits and Misses count the calls to cacheable tools since the program started.
	Hits   int `json:"hits"`
	Misses int `json:"misses"`
}

// CacheTTL is how long an answer of the server is kept where the app says otherwise.
func (d Definition) CacheTTL(otherwise time.Duration) time.Duration {
	if d.CacheSeconds <= 0 {
		return otherwise
	}
	return time.Duration(d.CacheSeconds) * time.Second
}

// Digest identifies the definition, values and all, without what says how its answers are kept.
func (d Definition) Digest() string {
	d.CacheableTools, d.CacheSeconds = nil, 0
	encoded, err := json.Marshal(d)
	if err != nil {
		panic(err) // a definition is made of strings and numbers
	}
	return digest(string(encoded))
}
