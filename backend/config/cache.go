package config

import (
	"fmt"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// Bounds of what can be said of the cache.
const (
	maxTTL       = 24 * 3600 // seconds
	maxCacheSize = 10_000    // answers of one server
)

// cache reads ttl, max_size and enabled (specification, "Smart Cache").
func (t *table) cache() domain.Cache {
	c := domain.DefaultCache()
	if ttl := t.seconds("ttl"); ttl > 0 {
		c.TTL = time.Duration(ttl) * time.Second
	}
	if size := t.whole("max_size", "answers", 1, maxCacheSize); size > 0 {
		c.MaxSize = size
	}
	c.Enabled = t.flag("enabled", true)
	t.done()
	return c
}

// seconds reads for how many whole seconds something is kept; 0 when the key is absent or wrong.
func (t *table) seconds(key string) int64 { return int64(t.whole(key, "seconds", 1, maxTTL)) }

// whole reads a whole number between two bounds; 0 when the key is absent or wrong.
func (t *table) whole(key, unit string, low, high int) int {
	n := t.number(key, unit, float64(low), float64(high))
	if n != float64(int(n)) {
		t.bad(key, fmt.Sprintf("%s must be a whole number of %s", key, unit), "Leave it out for the default.")
		return 0
	}
	return int(n)
}

// tools reads a list of names of tools. A name is not a pattern, so that nothing is kept that nobody named.
func (t *table) tools(key string) []string {
	names := t.texts(key)
	if slices.Contains(names, "") {
		t.bad(key, key+" holds an empty name", "Remove it.")
	}
	return names
}

// AppCache is what an app's YAML says of the answers that are kept (specification, "Smart Cache"): the cache block of
// modules.mcp.config, and cacheable_tools and cache_ttl of its servers, by the names they have there.
type AppCache struct {
	Cache   domain.Cache
	Servers map[string]ServerCache
}

// ServerCache is what an app says of the answers of one server.
type ServerCache struct {
	Tools []string
	// Seconds is for how long they are kept; 0 for as long as the app says.
	Seconds int64
}

// ReadAppCache reads it; the defaults for a file that says nothing. path is what messages call the file. When anything is
// wrong, the error is the first problem, a *domain.Error with CodeConfigInvalid and the line and column.
func ReadAppCache(path string, text []byte) (AppCache, []*domain.Error, error) {
	r := &reader{path: path, language: inYAML()}
	app := AppCache{Cache: domain.DefaultCache(), Servers: map[string]ServerCache{}}
	root, err := syntax.ParseYAML(text)
	if err != nil {
		r.broken(err)
	}
	config := root.Get("modules").Get("mcp").Get("config")
	if config.Is(syntax.Object) {
		app.Cache = r.section(&table{reader: r, node: config}, "cache").cache()
		r.serverCaches(config.Get("servers"), app.Servers)
	}
	problems, err := r.result()
	return app, problems, err
}

// serverCaches reads what concerns the cache only: everything else about a server is read elsewhere.
func (r *reader) serverCaches(servers *syntax.Node, into map[string]ServerCache) {
	if !servers.Is(syntax.Object) {
		return // a list of names says nothing about them
	}
	for _, m := range servers.Members {
		if !m.Value.Is(syntax.Object) {
			continue
		}
		t := &table{reader: r, name: m.Key, node: m.Value}
		if c := (ServerCache{t.tools("cacheable_tools"), t.seconds("cache_ttl")}); c.Tools != nil || c.Seconds > 0 {
			into[m.Key] = c
		}
	}
}
