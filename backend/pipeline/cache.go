package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Cache answers a call to a cacheable tool with what the identical call came to before, as long as that holds. Only the
// tools that the server's definition lists are cacheable, and only a success is kept. It belongs after Authorize, which
// decides about such a call as about any other. wanted says how the app of a call wants it.
func Cache(kept *Kept, wanted func(domain.Call) domain.Cache) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			cache := wanted(call)
			if !cache.Enabled || !isCacheable(call) {
				return next(ctx, call)
			}
			server, key := call.Target.Server, keyOf(call)
			result, mark, ok := kept.find(server.ID, key)
			if ok {
				result.Meta = domain.ResultMeta{CacheHit: true}
				return result, nil
			}
			result, err := next(ctx, call)
			if err == nil && result.Kind == domain.ResultComplete && !result.IsError() {
				ttl := shortened(server.CacheTTL(cache.TTL), result.Raw)
				kept.keep(server.ID, key, result, ttl, cache.MaxSize, mark)
			}
			return result, err
		}
	}
}

func isCacheable(call domain.Call) bool {
	return call.Kind == domain.ToolCall && call.Continuation == nil && slices.Contains(call.Target.Server.CacheableTools, call.Name)
}

// shortened is how long an answer may be kept when its server has a say too: ttlMs, in milliseconds, may make it less. What
// it means for others by cacheScope changes nothing, since no answer is shared between users; one that means something
// unknown is not kept. (MCP 2026-07-28, server/utilities/caching.)
func shortened(ttl time.Duration, raw json.RawMessage) time.Duration {
	if !bytes.Contains(raw, []byte("ttlMs")) && !bytes.Contains(raw, []byte("cacheScope")) && !bytes.Contains(raw, []byte(`\u`)) {
		return ttl // a long result is read for nothing
	}
	var said map[string]json.RawMessage
	if json.Unmarshal(raw, &said) != nil {
		return 0
	}
	if scope, ok := said["cacheScope"]; ok && string(scope) != `"private"` && string(scope) != `"public"` {
		return 0
	}
	hint, ok := said["ttlMs"]
	if !ok {
		return ttl
	}
	var ms float64
	if json.Unmarshal(hint, &ms) != nil || ms <= 0 {
		return 0
	}
	if ms >= float64(ttl.Milliseconds()) {
		return ttl
	}
	return time.Duration(ms * float64(time.Millisecond))
}
