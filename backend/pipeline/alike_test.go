package pipeline

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// searching is a semantic cache with a clock of its own before an end that counts. Questions are alike when they begin alike.
type searching struct {
	counter
	now      time.Time
	kept     *Kept
	cache    domain.Cache
	searches *Searches
	road     domain.CallFunc
}

func newSearching() *searching {
	s := &searching{now: time.Unix(1_000_000, 0), cache: domain.DefaultCache()}
	s.kept = NewKept(func() time.Time { return s.now })
	s.searches = NewSearches(func(a, b string) bool { return a[0] == b[0] })
	s.road = Build(s.call, SemanticCache(s.searches, s.kept, func(domain.Call) domain.Cache { return s.cache },
		wants(domain.Middleware{SemanticCache: &domain.SemanticCache{TTL: time.Minute}})))
	return s
}

func (s *searching) wants(t *testing.T, arguments, answeredFor string, change func(*domain.Call)) {
	t.Helper()
	call := resolved(domain.Reads)
	call.Params = json.RawMessage(`{"name":"echo","arguments":` + arguments + `}`)
	if change != nil {
		change(&call)
	}
	before := s.calls
	result, err := s.road(t.Context(), call)
	if err != nil || result.Meta.AnsweredFor != answeredFor || result.Meta.CacheHit != (answeredFor != "") || (s.calls == before) != (answeredFor != "") {
		t.Errorf("%s: %+v, %v", arguments, result.Meta, err)
	}
}

func TestASearchIsAnsweredByOneThatMeansTheSame(t *testing.T) {
	s := newSearching()
	s.wants(t, `{"query":"apples"}`, "", nil)
	s.wants(t, `{"query":"apples"}`, "apples", nil)
	s.wants(t, `{ "query" : "apricots" }`, "apples", nil)
	s.wants(t, `{"query":"bread"}`, "", nil)
	s.wants(t, `{"query":"apples","limit":3}`, "", nil) // other arguments, another search
	s.wants(t, `{"limit":3,"query":"ants"}`, "apples", nil)
	s.now = s.now.Add(time.Minute)
	s.wants(t, `{"query":"apples"}`, "", nil)
	s.kept.Empty("demo")
	s.wants(t, `{"query":"apples"}`, "", nil)
}

// No user, app or server gets what another one's search came to; a server that is defined otherwise is another one.
func TestASearchIsAnsweredWithinOneShareOnly(t *testing.T) {
	s := newSearching()
	s.wants(t, `{"query":"apples"}`, "", nil)
	for _, change := range []func(*domain.Call){
		func(c *domain.Call) { c.Caller.User = "zoe" },
		func(c *domain.Call) {
			c.Caller = domain.Caller{Kind: domain.CallerApp, Name: "demo", User: c.Caller.User}
		},
		func(c *domain.Call) { c.Target.Server.ID = "other" },
		func(c *domain.Call) { c.Target.Server.URL = "http://127.0.0.1:1/" },
		func(c *domain.Call) { c.Name = "other" },
	} {
		s.wants(t, `{"query":"apples"}`, "", change)
		s.wants(t, `{"query":"ants"}`, "apples", change)
	}
}

func TestWhatIsNoSearchIsMadeEachTime(t *testing.T) {
	s := newSearching()
	for range 2 {
		s.wants(t, `{"query":"apples"}`, "", func(c *domain.Call) { c.Target.Effect = domain.Writes })
		s.wants(t, `{"query":"apples"}`, "", func(c *domain.Call) { c.Kind = domain.PromptGet })
		s.wants(t, `{"query":"apples"}`, "", func(c *domain.Call) { c.Continuation = json.RawMessage(`"x"`) })
		s.wants(t, `{"query":"apples","q":"apples"}`, "", nil)
		s.wants(t, `{"query":7}`, "", nil)
		s.wants(t, `{"query":" "}`, "", nil)
		s.wants(t, `{"query":"a`+strings.Repeat("x", maxQuestion)+`"}`, "", nil)
		s.wants(t, `{"message":"apples"}`, "", nil)
		s.wants(t, `7`, "", nil)
	}
	s.cache.Enabled = false // nothing is kept for this app
	s.wants(t, `{"query":"bread"}`, "", nil)
	s.wants(t, `{"query":"bread"}`, "", nil)
}

func TestAFailedSearchIsNotKept(t *testing.T) {
	s := newSearching()
	s.result = `{"isError":true}`
	s.wants(t, `{"query":"apples"}`, "", nil)
	s.result = ""
	s.wants(t, `{"query":"apples"}`, "", nil)
}

func TestSearchesAreBounded(t *testing.T) {
	s := newSearching()
	for i := range 2 * maxQuestions {
		s.searches.note(cacheKey{1}, asked{fmt.Sprint(i), cacheKey{byte(i)}})
	}
	for i := range 2 * maxSearches {
		s.searches.note(cacheKey{2, byte(i), byte(i >> 8)}, asked{"a", cacheKey{}})
	}
	if n := len(s.searches.asked); n > maxSearches {
		t.Errorf("%d searches are remembered", n)
	}
	for i := range 2 * maxQuestions {
		s.searches.note(cacheKey{1}, asked{fmt.Sprint(i), cacheKey{byte(i)}})
	}
	if n := len(s.searches.asked[cacheKey{1}]); n != maxQuestions {
		t.Errorf("%d questions are remembered", n)
	}
}
