package session

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// heard gathers what a session is told.
type heard struct {
	mu  sync.Mutex
	all []string
}

func (h *heard) add(uri string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, uri)
}

func (h *heard) has(uri string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.all, uri)
}

func (h *heard) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = nil
}

// followed begins a session that follows what changes at the server.
func followed(t *testing.T, d domain.Definition, h *heard) *Session {
	t.Helper()
	s := open(t, d, Options{
		ServerID: "one", Updated: h.add, Handshake: d.Transport == domain.SSE,
		After: func(d time.Duration) <-chan time.Time {
			if d < maxProbe {
				d = 0 // nothing is waited for between two streams
			}
			return time.After(d)
		},
	})
	var following sync.WaitGroup
	following.Go(func() { s.Follow(t.Context()) })
	t.Cleanup(following.Wait)
	return s
}

func tell(t *testing.T, s *Session, tool, message string) {
	t.Helper()
	params := json.RawMessage(`{"name":"` + tool + `","arguments":{"message":"` + message + `"}}`)
	if _, err := s.Call(mcptest.Within(t), domain.Call{Kind: domain.ToolCall, Name: tool, Params: params}); err != nil {
		t.Fatal(err)
	}
}

func awaitChange(t *testing.T, s *Session, list string) {
	t.Helper()
	for {
		select {
		case <-s.Changed():
			if s.Changes()[list] {
				return
			}
		case <-mcptest.Within(t).Done():
			t.Fatalf("never heard that the %s changed", list)
		}
	}
}

// A session hears of changes in both eras, over every transport: of lists by itself, of resources that it follows.
func TestChangesAreHeard(t *testing.T) {
	for _, revision := range Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return
			}
			h := &heard{}
			s := followed(t, d, h)
			list(t, s, "tools") // or what it misses between two streams is nothing to it
			if revision == Stateless {
				mcptest.Eventually(t, "the stream of changes", func() bool { return s.acknowledged.Load() > 0 })
			}
			tell(t, s, "grow", "")
			awaitChange(t, s, "tools")

			const uri = "test://text"
			if err := s.Subscribe(mcptest.Within(t), uri); err != nil {
				t.Fatal(err)
			}
			if revision == Stateless {
				mcptest.Eventually(t, "a stream with the resource", func() bool { return s.acknowledged.Load() > 1 })
			}
			h.forget()
			tell(t, s, "change", "test://binary") // nobody follows it
			tell(t, s, "change", uri)
			mcptest.Eventually(t, "that the resource changed", func() bool { return h.has(uri) })
			if h.has("test://binary") {
				t.Errorf("%s over %s: heard of a resource that nobody follows", revision, d.Transport)
			}
			if err := s.Unsubscribe(mcptest.Within(t), uri); err != nil {
				t.Fatal(err)
			}
			h.forget()
			tell(t, s, "change", uri)
			tell(t, s, "grow", "")
			awaitChange(t, s, "tools")
			if h.has(uri) {
				t.Errorf("%s over %s: still heard of the resource", revision, d.Transport)
			}
		})
	}
}

// When the stream of changes was away, what may have changed meanwhile counts as changed.
func TestAStreamOfChangesIsOpenedAgain(t *testing.T) {
	h := &heard{}
	s := followed(t, mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{Revision: Stateless})), h)
	list(t, s, "tools")
	if err := s.Subscribe(mcptest.Within(t), "test://text"); err != nil {
		t.Fatal(err)
	}
	mcptest.Eventually(t, "the stream", func() bool { return s.acknowledged.Load() > 0 })
	before := s.acknowledged.Load()
	s.Changes()
	h.forget()
	tell(t, s, "drop", "")
	mcptest.Eventually(t, "another stream", func() bool { return s.acknowledged.Load() > before })
	awaitChange(t, s, "tools")
	mcptest.Eventually(t, "that the resource may have changed", func() bool { return h.has("test://text") })
}

// A server may name a part of what is followed.
func TestAPartOfWhatIsFollowedChanges(t *testing.T) {
	for _, revision := range Revisions() {
		h := &heard{}
		s := followed(t, mcptest.Command(mcptest.Options{Revision: revision}), h)
		if err := s.Subscribe(mcptest.Within(t), "test://folder/"); err != nil {
			t.Fatal(err)
		}
		if revision == Stateless {
			mcptest.Eventually(t, "a stream with the resource", func() bool { return h.has("test://folder/") })
		}
		h.forget()
		tell(t, s, "change", "test://folder/a.txt")
		mcptest.Eventually(t, "that the folder changed", func() bool { return h.has("test://folder/") })
	}
	for _, test := range []struct {
		followed, changed string
		hears             bool
	}{
		{"file:///project", "file:///project", true},
		{"file:///project", "file:///project/a.txt", true},
		{"file:///project/", "file:///project/a/b.txt", true},
		{"file:///project", "file:///project.txt", false},
		{"file:///project/", "file:///project", false},
		{"file:///project/a", "file:///project", false},
		{"file:///project", "", false},
	} {
		h := &heard{}
		s := &Session{subscribed: map[string]bool{test.followed: true, "other://": true}, options: Options{Updated: h.add}}
		s.updated(encoded(map[string]string{"uri": test.changed}))
		if h.has(test.followed) != test.hears || h.has("other://") || h.has(test.changed) && test.changed != test.followed {
			t.Errorf("following %s, %s changed: heard %v", test.followed, test.changed, h.all)
		}
	}
}

// What a secret is in the definition may be a part of an address.
func TestAResourceWithASecretInItsAddressIsFollowed(t *testing.T) {
	for _, revision := range Revisions() {
		h := &heard{}
		d := mcptest.Command(mcptest.Options{Revision: revision})
		d.Env = append(d.Env, domain.Variable{Name: "TEAM", Value: "prod-team", Secret: true})
		s := followed(t, d, h)
		const uri = "db://prod-team/x"
		if err := s.Subscribe(mcptest.Within(t), uri); err != nil {
			t.Fatal(err)
		}
		tell(t, s, "change", uri)
		mcptest.Eventually(t, "that the resource changed", func() bool { return h.has(uri) })
	}
}

// What a server tells of before its answer is read is not lost, and a resource that it does not let be followed is not.
func TestAResourceIsFollowedFromTheMomentItIsAskedFor(t *testing.T) {
	for _, revision := range handshaken() {
		h := &heard{}
		s := followed(t, mcptest.Command(mcptest.Options{Revision: revision, Behave: []mcptest.Behaviour{mcptest.EagerUpdates}}), h)
		if err := s.Subscribe(mcptest.Within(t), "test://text"); err != nil || !h.has("test://text") {
			t.Errorf("%s: heard of the change %v, %v", revision, h.has("test://text"), err)
		}
		if err := s.Subscribe(mcptest.Within(t), "test://none"); domain.CodeOf(err) != domain.CodeUnknownItem {
			t.Errorf("%s: got %v", revision, err)
		}
		h.forget()
		tell(t, s, "change", "test://none")
		tell(t, s, "change", "test://text")
		mcptest.Eventually(t, "the change of the other one", func() bool { return h.has("test://text") })
		if h.has("test://none") || len(s.awaited) != 0 {
			t.Errorf("%s: it is followed: heard %v, asked for %v", revision, h.has("test://none"), s.awaited)
		}
	}
}

func TestOnlyServersThatTellCanBeFollowed(t *testing.T) {
	s := New(open(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.NoTools}}), Options{}).link, Options{})
	err := s.Subscribe(t.Context(), "test://text")
	if e := domain.AsError(err); e == nil || e.Code != domain.CodeNotAnnounced || !strings.Contains(e.Hint, "again") {
		t.Errorf("got %v", err)
	}
}
