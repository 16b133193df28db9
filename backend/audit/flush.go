package audit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func (l *Log) wake() {
	select {
	case l.nudge <- struct{}{}:
	default:
	}
}

// flushLoop makes entries safe in batches until ctx ends: when enough wait, or when the first has waited long enough.
func (l *Log) flushLoop(ctx context.Context) {
	for {
		select {
		case <-l.nudge:
		case <-ctx.Done():
			return
		}
		if !l.enough() {
			timer := time.NewTimer(l.options.FlushAfter)
			select {
			case <-timer.C:
			case <-l.nudge:
			case <-ctx.Done():
				timer.Stop()
				return
			}
			timer.Stop()
		}
		if err := l.flush(); err != nil {
			l.options.Logger.Error("flush audit log", "error", err)
			continue
		}
		if err := l.tidy(); err != nil {
			l.options.Logger.Error("remove old files of the audit log", "error", err)
		}
	}
}

func (l *Log) enough() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.unsafe >= l.options.FlushLines
}

// flush syncs the file, then moves the head: a head must never name a line that a power failure can take back. Nobody
// waits for it while it works, so entries go on being written.
func (l *Log) flush() error {
	l.mu.Lock()
	file, last, n := l.file, l.last, l.unsafe
	l.mu.Unlock()
	if n == 0 {
		return nil
	}
	// A file that was closed in the meantime was synced before, and so is one that has only its first line.
	if file != nil {
		if err := file.Sync(); err != nil && !errors.Is(err, os.ErrClosed) {
			return domain.StorageError(l.dir, fmt.Errorf("sync audit log: %w", err))
		}
	}
	if err := l.head.SetAuditHead(last.seq, last.hash); err != nil {
		return fmt.Errorf("remember head of audit log: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unsafe -= n
	if l.unsafe > 0 {
		l.wake()
	}
	return nil
}
