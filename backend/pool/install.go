package pool

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/transport"
)

// installs reports whether the first start of d may have to download it.
func installs(d domain.Definition) bool {
	if d.Transport != domain.Stdio {
		return false
	}
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(d.Command, `\`, "/")))
	for _, extension := range []string{".cmd", ".exe", ".bat"} {
		name = strings.TrimSuffix(name, extension)
	}
	return isRunner(name)
}

// isRunner holds for programs whose first start downloads what they run.
func isRunner(name string) bool {
	switch name {
	case "npx", "bunx", "pnpx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "uv", "deno", "docker", "podman", "dnx":
		return true
	}
	return false
}

// startContext bounds a start until initialized. While installing, it ends only after a time without a word on
// stderr, and after the whole budget.
func startContext(ctx context.Context, d domain.Definition, installing bool, log *transport.Log, p Patience) (context.Context, context.CancelFunc) {
	if !installing {
		return context.WithTimeout(ctx, d.Timeout())
	}
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		watchInstall(ctx, max(p.Quiet, d.Timeout()), p.Install, log)
		cancel(context.DeadlineExceeded)
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-watched
	}
}

// watchInstall returns when the process was quiet for too long or the budget is used up, or ctx has ended.
func watchInstall(ctx context.Context, quiet, budget time.Duration, log *transport.Log) {
	deadline := time.NewTimer(budget)
	defer deadline.Stop()
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	last := log.Last()
	for {
		select {
		case <-tick.C:
			now := log.Last()
			if now == last {
				return
			}
			last = now
		case <-deadline.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// allowed is how long a start had until its time was over: without what it then took to end what was started.
func allowed(ctx context.Context, d domain.Definition, installing bool, began time.Time) time.Duration {
	if !installing && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return d.Timeout()
	}
	return time.Since(began).Round(time.Second)
}

// timedOut adds the time that was allowed to a start that ran out of it.
func timedOut(err *domain.Error, allowed time.Duration) *domain.Error {
	if err.Code != domain.CodeNoAnswer && err.Code != domain.CodeConnTimeout {
		return err
	}
	timed := err.With("timeout_ms", strconv.FormatInt(allowed.Milliseconds(), 10))
	if err.Code == domain.CodeNoAnswer {
		timed.Message = "The server did not answer within " + allowed.String() + "."
	}
	return timed
}
