package pipeline

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Bounds of what is remembered of turns.
const (
	turnLife = 10 * time.Minute
	maxTurns = 1000 // results of one server
)

// Dedup answers a call that was made before in the same turn of the same conversation with what it came to then, marked: an
// agent that goes round in circles does nothing twice. One that is on its way is waited for. What failed before it had a
// result is made again.
func Dedup(turns *Kept, wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			if wanted(call).Dedup == nil || call.Turn == "" || call.Continuation != nil {
				return next(ctx, call)
			}
			server, key := call.Target.Server.ID, turnKey(call)
			leave, err := turns.enter(ctx, key)
			if err != nil {
				return refused(err)
			}
			defer leave()
			result, mark, ok := turns.find(server, key)
			if ok {
				result.Meta = domain.ResultMeta{Duplicate: true}
				return result, nil
			}
			result, err = next(ctx, call)
			if err == nil && result.Kind == domain.ResultComplete {
				turns.keep(server, key, result, turnLife, maxTurns, mark)
			}
			return result, err
		}
	}
}

// turnKey tells apart what keyOf does, and callers, conversations, turns and kinds of calls too.
func turnKey(call domain.Call) cacheKey {
	key, c := keyOf(call), call.Caller
	return sha256.Sum256([]byte(strings.Join([]string{string(key[:]), string(c.Kind), c.Name, c.Session, call.Turn, string(call.Kind)}, "\x00")))
}
