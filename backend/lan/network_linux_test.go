package lan

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/lantest"
)

const (
	patience  = 60 * time.Second // for what must come, however slow the machine
	usHere    = "10.99.7.1"
	themThere = "10.99.7.2"
)

func TestMain(m *testing.M) {
	lantest.ServeIfAsked()
	os.Exit(m.Run())
}

// eye is a browser that runs, and tells when what it sees changes.
type eye struct {
	*Browser
	t       testing.TB
	changes chan struct{}
	end     func()
}

// browse runs a browser that asks each second, until the test ends or end is called.
func browse(tb testing.TB) *eye {
	tb.Helper()
	e := &eye{t: tb, changes: make(chan struct{}, 1)}
	e.Browser = NewBrowser(slog.New(slog.DiscardHandler), time.Second, func() {
		select {
		case e.changes <- struct{}{}:
		default:
		}
	})
	e.end = running(tb, e.Run)
	return e
}

// running runs something until the returned function is called, which waits for its end, or the test ends.
func running(tb testing.TB, run func(context.Context)) (end func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx)
	}()
	end = func() {
		cancel()
		<-ended
	}
	tb.Cleanup(end)
	return end
}

// until waits for a sight that a test wants, and returns it.
func (e *eye) until(what string, wanted func(domain.NetworkSight) bool) domain.NetworkSight {
	e.t.Helper()
	late := time.After(patience)
	for {
		sight := e.Sight()
		if wanted(sight) {
			return sight
		}
		select {
		case <-e.changes:
		case <-late:
			seen, _ := json.MarshalIndent(sight, "", " ")
			e.t.Fatalf("%s: waited in vain, and saw %s", what, seen)
		}
	}
}

// sees waits for exactly so many servers.
func (e *eye) sees(count int) []domain.NetworkServer {
	e.t.Helper()
	return e.until(fmt.Sprint(count, " servers"), func(s domain.NetworkSight) bool {
		return !s.NoNetwork && !s.Looked.IsZero() && len(s.Servers) == count
	}).Servers
}

func addresses(text ...string) []netip.Addr {
	var all []netip.Addr
	for _, one := range text {
		all = append(all, netip.MustParseAddr(one))
	}
	return all
}

// await waits for something to happen.
func await(t *testing.T, happened <-chan struct{}) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(patience):
		t.Fatal("waited in vain")
	}
}
