package pipeline

import (
	"context"
	"errors"

	"apollia.fr/connexions/backend/domain"
)

// enter lets one of several identical calls go at a time: the others wait for its end, and look again whether there is a result.
// Whoever was let in must call leave. What ends while it waits was not sent.
func (k *Kept) enter(ctx context.Context, key cacheKey) (leave func(), err error) {
	for {
		k.mu.Lock()
		going, busy := k.going[key]
		if !busy {
			going = make(chan struct{})
			k.going[key] = going
		}
		k.mu.Unlock()
		if !busy {
			return func() { k.left(key, going) }, nil
		}
		select {
		case <-going:
		case <-ctx.Done():
			return nil, &domain.Error{
				Code: domain.CodeCanceled, Message: "the call was canceled while it waited for the result of the same call",
				Hint: "It was not sent.", Cause: errors.Join(domain.ErrUnsent, context.Cause(ctx)),
			}
		}
	}
}

func (k *Kept) left(key cacheKey, going chan struct{}) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.going, key)
	close(going)
}
