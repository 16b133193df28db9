package cli

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// spinAfter keeps quick work from flashing a line that nobody can read.
const spinAfter = 300 * time.Millisecond

// progress shows on a terminal that something long is going on. Elsewhere it shows nothing.
type progress struct {
	text atomic.Pointer[string]
	stop context.CancelFunc
	done sync.WaitGroup
}

// working shows text until end is called.
func (p *printer) working(text string) *progress {
	ctx, stop := context.WithCancel(context.Background())
	shown := &progress{stop: stop}
	shown.say(text)
	if p.errTerminal {
		shown.done.Go(func() { p.spin(ctx, shown) })
	}
	return shown
}

// say changes the text.
func (s *progress) say(text string) { s.text.Store(&text) }

// end clears the line.
func (s *progress) end() {
	s.stop()
	s.done.Wait()
}

// line is the text as far as it fits: a wrapped line could not be cleared.
func (s *progress) line(room int) string {
	text := printable(*s.text.Load())
	if room > 0 && utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:room])
	}
	return text
}

func (p *printer) spin(ctx context.Context, shown *progress) {
	room := cmp.Or(p.width, 80) - 4
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
			_, _ = fmt.Fprintf(p.err, "\r\x1b[K%s %s", frames[i%len(frames)], shown.line(room))
		}
	}
}
