package cli

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"
)

// spinAfter keeps quick work from flashing a line that nobody can read.
const spinAfter = 300 * time.Millisecond

// progress shows on a terminal that something long is going on. Elsewhere it shows nothing.
type progress struct {
	stop context.CancelFunc
	done sync.WaitGroup
}

// working shows text until end is called.
func (p *printer) working(text string) *progress {
	ctx, stop := context.WithCancel(context.Background())
	shown := &progress{stop: stop}
	if p.errTerminal {
		shown.done.Go(func() { p.spin(ctx, printable(text)) })
	}
	return shown
}

// end clears the line.
func (s *progress) end() {
	s.stop()
	s.done.Wait()
}

func (p *printer) spin(ctx context.Context, text string) {
	room := cmp.Or(p.width, 80) - 4
	if room > 0 && utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:room]) // a wrapped line could not be cleared
	}
	frames := []string{"|", "/", "-", `\`}
	ticker := time.NewTicker(spinAfter)
	defer ticker.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			if i > 0 {
				_, _ = fmt.Fprint(p.err, "\r\x1b[K")
			}
			return
		case <-ticker.C:
			ticker.Reset(spinAfter / 3)
			_, _ = fmt.Fprintf(p.err, "\r\x1b[K%s %s", frames[i%len(frames)], text)
		}
	}
}
