package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// counter is an end of the road that counts what reaches it.
type counter struct {
	calls  int
	result string
	err    error
}

func (c *counter) call(context.Context, domain.Call) (domain.Result, error) {
	c.calls++
	if c.err != nil {
		return domain.Result{}, c.err
	}
	text := c.result
	if text == "" {
		text = fmt.Sprintf(`{"content":[],"n":%d}`, c.calls)
	}
	return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(text), Meta: domain.ResultMeta{Attempts: 1}}, nil
}

// cacheBench is a cache with a clock of its own, before an end that counts.
type cacheBench struct {
	counter
	now   time.Time
	kept  *Kept
	cache domain.Cache
	road  domain.CallFunc
}

func newCacheBench() *cacheBench {
	b := &cacheBench{now: time.Unix(1_000_000, 0), cache: domain.DefaultCache()}
	b.kept = NewKept(func() time.Time { return b.now })
	b.road = Build(b.call, Cache(b.kept, func(domain.Call) domain.Cache { return b.cache }))
	return b
}

// cacheable is a resolved call to a tool that its server's definition lists.
func cacheable() domain.Call {
	call := echo()
	w := newWorld()
	w.target.Server.CacheableTools = []string{"echo"}
	call.Target = &w.target
	return call
}

func (b *cacheBench) wants(t *testing.T, call domain.Call, hit bool) {
	t.Helper()
	result, err := b.road(t.Context(), call)
	if err != nil {
		t.Fatal(err)
	}
	if result.Meta.CacheHit != hit {
		t.Fatalf("cache_hit is %v, want %v", result.Meta.CacheHit, hit)
	}
}

func TestASecondCallToACacheableToolIsAnsweredFromTheFirst(t *testing.T) {
	b := newCacheBench()
	b.wants(t, cacheable(), false)
	again := cacheable()
	again.Params = json.RawMessage(`{ "arguments": {"message": "bonjour"}, "_meta": {"progressToken": 7}, "name": "echo"}`)
	b.wants(t, again, true)
	b.now = b.now.Add(299 * time.Second)
	b.wants(t, cacheable(), true)
	b.now = b.now.Add(time.Second)
	b.wants(t, cacheable(), false) // 300 s are over
	if uses := b.kept.Uses(); b.calls != 2 || len(uses) != 1 || uses[0].Hits != 2 || uses[0].Misses != 2 || uses[0].Entries != 1 {
		t.Errorf("%d calls, %+v", b.calls, b.kept.Uses())
	}
}

// Each of the five parts of the key tells calls apart: the definition of the server, the FQN, the parameters, the app and
// the credential's subject.
func TestWhatDiffersIsNotAnsweredFromTheCache(t *testing.T) {
	for name, change := range map[string]func(*domain.Call){
		"server id":         func(c *domain.Call) { c.Target.Server.ID = "other" },
		"server definition": func(c *domain.Call) { c.Target.Server.Args = []string{"--all"} },
		"value of the server": func(c *domain.Call) {
			c.Target.Server.Env = []domain.Variable{{Name: "TOKEN", Value: "another"}}
		},
		"tool":       func(c *domain.Call) { c.Name = "echo2"; c.Target.Server.CacheableTools = []string{"echo2"} },
		"parameters": func(c *domain.Call) { c.Params = json.RawMessage(`{"name":"echo","arguments":{"message":"salut"}}`) },
		"app":        func(c *domain.Call) { c.Caller.Kind, c.Caller.Name = domain.CallerApp, "demo" },
		"user":       func(c *domain.Call) { c.Caller.User = "zoe" },
	} {
		t.Run(name, func(t *testing.T) {
			b := newCacheBench()
			b.wants(t, cacheable(), false)
			other := cacheable()
			change(&other)
			b.wants(t, other, false)
			b.wants(t, other, true)
			b.wants(t, cacheable(), true)
		})
	}
}

// What only says how answers are kept, and who of the same app asks, changes nothing.
func TestWhatIsTheSameIsAnsweredFromTheCache(t *testing.T) {
	b := newCacheBench()
	b.wants(t, cacheable(), false)
	other := cacheable()
	other.Caller.Kind, other.Caller.Name, other.Target.Server.CacheSeconds = domain.CallerWindow, "window", 60
	b.wants(t, other, true)
}

func TestOnlyListedToolsAreKept(t *testing.T) {
	for name, change := range map[string]func(*cacheBench, *domain.Call){
		"not listed":       func(_ *cacheBench, c *domain.Call) { c.Target.Server.CacheableTools = []string{"ech*", "Echo"} },
		"a resource":       func(_ *cacheBench, c *domain.Call) { c.Kind = domain.ResourceRead },
		"a later round":    func(_ *cacheBench, c *domain.Call) { c.Continuation = json.RawMessage(`"x"`) },
		"switched off":     func(b *cacheBench, _ *domain.Call) { b.cache.Enabled = false },
		"a failure":        func(b *cacheBench, _ *domain.Call) { b.result = `{"content":[],"isError":true}` },
		"stale at once":    func(b *cacheBench, _ *domain.Call) { b.result = `{"content":[],"ttlMs":0}` },
		"an odd hint":      func(b *cacheBench, _ *domain.Call) { b.result = `{"content":[],"ttlMs":"never"}` },
		"an unknown scope": func(b *cacheBench, _ *domain.Call) { b.result = `{"content":[],"cacheScope":"session"}` },
		"too long":         func(b *cacheBench, _ *domain.Call) { b.result = `"` + strings.Repeat("a", maxKeptAnswer) + `"` },
	} {
		t.Run(name, func(t *testing.T) {
			b, call := newCacheBench(), cacheable()
			change(b, &call)
			b.wants(t, call, false)
			b.wants(t, call, false)
			if b.calls != 2 {
				t.Errorf("%d calls reached the server", b.calls)
			}
		})
	}
}

func TestARefusalIsNotKept(t *testing.T) {
	b := newCacheBench()
	b.err = &domain.Error{Code: domain.CodeDenied}
	if _, err := b.road(t.Context(), cacheable()); domain.CodeOf(err) != domain.CodeDenied {
		t.Fatal(err)
	}
	b.err = nil
	b.wants(t, cacheable(), false)
}

func TestForHowLongAnAnswerIsKept(t *testing.T) {
	for _, test := range []struct {
		ofServer int64
		result   string
		want     time.Duration
	}{
		{0, `{}`, 300 * time.Second},
		{60, `{}`, 60 * time.Second},
		{600, `{}`, 600 * time.Second},
		{60, `{"ttlMs":1500,"cacheScope":"private"}`, 1500 * time.Millisecond},
		{60, `{"ttlMs":3600000,"cacheScope":"public"}`, 60 * time.Second}, // a server makes it no longer
		{60, `{"content":[{"text":"ttlMs"}]}`, 60 * time.Second},
		{60, `{"ttlMs":1e300}`, 60 * time.Second},
	} {
		b, call := newCacheBench(), cacheable()
		call.Target.Server.CacheSeconds, b.result = test.ofServer, test.result
		b.wants(t, call, false)
		b.now = b.now.Add(test.want - 1)
		b.wants(t, call, true)
		b.now = b.now.Add(1)
		b.wants(t, call, false)
	}
}

func TestTheAnswerUsedLeastRecentlyGivesWay(t *testing.T) {
	b := newCacheBench()
	b.cache.MaxSize = 2
	call := func(text string) domain.Call {
		c := cacheable()
		c.Params = json.RawMessage(`{"name":"echo","arguments":{"message":"` + text + `"}}`)
		return c
	}
	b.wants(t, call("a"), false)
	b.wants(t, call("b"), false)
	b.wants(t, call("a"), true)
	b.wants(t, call("c"), false)
	b.wants(t, call("a"), true)
	b.wants(t, call("b"), false)
	other := call("a")
	other.Target.Server.ID = "other" // has room of its own
	b.wants(t, other, false)
	if uses := b.kept.Uses(); len(uses) != 2 || uses[0].Entries != 2 || uses[1].Entries != 1 {
		t.Errorf("%+v", uses)
	}
}

func TestAllAnswersTogetherAreBounded(t *testing.T) {
	b := newCacheBench()
	b.result = `"` + strings.Repeat("a", maxKeptAnswer-2) + `"`
	for i := range 40 {
		call := cacheable()
		call.Target.Server.ID = fmt.Sprint("s", i)
		b.wants(t, call, false)
	}
	kept := 0
	for _, use := range b.kept.Uses() {
		kept += use.Bytes
	}
	if kept != maxKeptAnswers || b.kept.bytes != kept {
		t.Errorf("%d bytes are kept, counted as %d", kept, b.kept.bytes)
	}
	if gone := b.kept.Empty(""); gone != maxKeptAnswers/maxKeptAnswer || b.kept.bytes != 0 {
		t.Errorf("%d thrown away, %d bytes left", gone, b.kept.bytes)
	}
}

func TestEmptyingAServerKeepsTheOthersAndWhatIsOnItsWay(t *testing.T) {
	b, other := newCacheBench(), cacheable()
	other.Target.Server.ID = "other"
	b.wants(t, cacheable(), false)
	b.wants(t, other, false)
	if gone := b.kept.Empty("demo"); gone != 1 {
		t.Fatalf("%d thrown away", gone)
	}
	b.wants(t, other, true)

	late := Build(func(context.Context, domain.Call) (domain.Result, error) {
		b.kept.Empty("demo") // while the answer is on its way
		return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(`{}`)}, nil
	}, Cache(b.kept, func(domain.Call) domain.Cache { return b.cache }))
	if _, err := late(t.Context(), cacheable()); err != nil {
		t.Fatal(err)
	}
	b.wants(t, cacheable(), false)
}

// What is over takes no memory for long, whoever is called next.
func TestWhatIsOverIsForgotten(t *testing.T) {
	b := newCacheBench()
	b.wants(t, cacheable(), false)
	b.now = b.now.Add(300*time.Second + sweepEvery)
	other := cacheable()
	other.Target.Server.ID = "other"
	b.wants(t, other, false)
	uses := b.kept.Uses()
	if len(uses) != 2 || uses[0].Entries != 0 || uses[0].Bytes != 0 || uses[1].Entries != 1 || b.kept.bytes != uses[1].Bytes {
		t.Errorf("%+v, counted as %d bytes", uses, b.kept.bytes)
	}
	b.wants(t, other, true)
}
