package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
)

// Bounds of what is remembered of searches.
const (
	maxQuestion  = 300 // bytes
	maxQuestions = 50  // of one tool with the same other arguments
	maxSearches  = 500 // tools with different other arguments
	maxAlike     = 200 // answers of one server
)

// Searches remember which questions were asked, by where the answers to them may be given again.
type Searches struct {
	// alike holds for two questions that mean the same.
	alike func(a, b string) bool

	mu    sync.Mutex
	asked map[cacheKey][]asked // the latest at the end
}

// asked is a question with the key of its answer.
type asked struct {
	question string
	key      cacheKey
}

// NewSearches remembers nothing yet.
func NewSearches(alike func(a, b string) bool) *Searches {
	return &Searches{alike: alike, asked: make(map[cacheKey][]asked)}
}

// SemanticCache answers a search with what another one came to before that means the same: of the same tool, within the same
// app, user and definition of the server, and with the same other arguments. A search is a call of a tool that only reads,
// with one argument that is a question in words. Only a success is kept. It belongs after Cache, whose memory it shares;
// cached says whether the app of a call wants anything kept.
func SemanticCache(searches *Searches, kept *Kept, cached func(domain.Call) domain.Cache, wanted Middleware) Stage {
	return func(next domain.CallFunc) domain.CallFunc {
		return func(ctx context.Context, call domain.Call) (domain.Result, error) {
			want := wanted(call).SemanticCache
			if want == nil || !cached(call).Enabled || call.Continuation != nil {
				return next(ctx, call)
			}
			question, where, ok := searchOf(call)
			if !ok {
				return next(ctx, call)
			}
			server, key := call.Target.Server.ID, sha256.Sum256([]byte(string(where[:])+question))
			known := searches.like(where, question)
			result, mark, at := kept.findAny(server, known)
			if at >= 0 {
				result.Meta = domain.ResultMeta{CacheHit: true, AnsweredFor: known[at].question}
				return result, nil
			}
			result, err := next(ctx, call)
			if err == nil && result.Kind == domain.ResultComplete && !result.IsError() {
				kept.keep(server, key, result, shortened(want.TTL, result.Raw), maxAlike, mark)
				searches.note(where, asked{question, key})
			}
			return result, err
		}
	}
}

// like are the questions that mean the same, the latest first.
func (s *Searches) like(where cacheKey, question string) []asked {
	s.mu.Lock()
	before := slices.Clone(s.asked[where])
	s.mu.Unlock()
	before = slices.DeleteFunc(before, func(a asked) bool { return a.question != question && !s.alike(a.question, question) })
	slices.Reverse(before)
	return before
}

func (s *Searches) note(where cacheKey, a asked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.asked[where]; !known && len(s.asked) >= maxSearches {
		clear(s.asked) // the answers are over soon anyway
	}
	list := slices.DeleteFunc(s.asked[where], func(one asked) bool { return one.key == a.key })
	list = append(list, a)
	s.asked[where] = list[max(0, len(list)-maxQuestions):]
}

// searchOf gives the question of a search, and the key of all that else tells it apart.
func searchOf(call domain.Call) (question string, where cacheKey, ok bool) {
	if call.Kind != domain.ToolCall || call.Target.Effect != domain.Reads {
		return "", where, false
	}
	var arguments map[string]json.RawMessage
	if json.Unmarshal(call.Arguments(), &arguments) != nil {
		return "", where, false
	}
	name := ""
	for one := range arguments {
		if !isQuestion(one) {
			continue
		}
		if name != "" {
			return "", where, false // nobody knows which of them is the question
		}
		name = one
	}
	if name == "" || json.Unmarshal(arguments[name], &question) != nil || len(question) > maxQuestion {
		return "", where, false
	}
	delete(arguments, name)
	rest, err := json.Marshal(arguments) // with the names in order
	if err != nil {
		return "", where, false
	}
	fqn := naming.FQN(call.Target.Server.ID, call.Name)
	where = sha256.Sum256([]byte(strings.Join([]string{share(call), fqn, name, string(rest)}, "\x00")))
	return strings.TrimSpace(question), where, strings.TrimSpace(question) != ""
}

// isQuestion holds for the names that tools give to what is searched for.
func isQuestion(name string) bool {
	return slices.Contains([]string{
		"query", "q", "question", "search", "searchquery", "searchterm", "searchtext", "searchterms", "term", "terms", "keyword", "keywords",
	}, strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name)))
}
