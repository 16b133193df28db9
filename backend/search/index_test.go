package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func set(tb testing.TB, x *Index, server string, documents ...Document) {
	tb.Helper()
	if err := x.Set(server, documents); err != nil {
		tb.Fatal(err)
	}
}

func names(hits []Hit) []string {
	all := []string{}
	for _, h := range hits {
		all = append(all, h.FQN)
	}
	return all
}

var (
	post   = Document{FQN: "mcp_slack.post_message", Server: "slack", Name: "post_message", Description: "Post a message to Slack", Tags: []string{"mcp", "slack"}}
	issue  = Document{FQN: "mcp_github.create_issue", Server: "github", Name: "create_issue", Description: "Create a new issue", Tags: []string{"mcp", "github"}}
	ticket = Document{FQN: "mcp_github.delete_issue", Server: "github", Name: "delete_issue", Description: "Delete an issue", Tags: []string{"mcp", "github"}}
	lire   = Document{FQN: "mcp_mairie.consulterDossier", Server: "mairie", Name: "consulterDossier", Description: "Consulte les pièces d'un dossier de la mairie et les affiche."}
)

func small(tb testing.TB) *Index {
	tb.Helper()
	x := New()
	set(tb, x, "slack", post)
	set(tb, x, "github", issue, ticket)
	set(tb, x, "mairie", lire)
	return x
}

func TestTheSpecificationsExample(t *testing.T) {
	if found := names(small(t).Search("post message", 5, nil)); len(found) == 0 || found[0] != "mcp_slack.post_message" {
		t.Errorf("found %v", found)
	}
}

func TestWhatIsFoundFirst(t *testing.T) {
	x := small(t)
	for question, want := range map[string]string{
		"mcp_github.delete_issue":        ticket.FQN, // by its name
		"mcp_github__delete_issue":       ticket.FQN, // by its wire name
		"mcp_mairie.consulterDossier":    lire.FQN,
		"delete the issue":               ticket.FQN,
		"supprimer un ticket":            ticket.FQN,
		"open a ticket":                  issue.FQN,
		"ENVOYER UN MESSAGE":             post.FQN,
		"envoie un message à l'équipe":   post.FQN,
		"slack":                          post.FQN, // a tag and the server
		"afficher les dossiers":          lire.FQN, // French of a French tool
		"consulter dossier":              lire.FQN,
		"delete issue mcp_slack":         ticket.FQN,
		"de\u0301truire le ticket\x00\n": ticket.FQN,
	} {
		found := x.Search(question, 3, nil)
		if len(found) == 0 || found[0].FQN != want || found[0].Score <= 0 || found[0].Score > 1 {
			t.Errorf("%q: %+v", question, found)
		}
	}
}

func TestReasonsSayHowWordsMet(t *testing.T) {
	hits := small(t).Search("Supprimer ticket issues", 1, nil)
	want := []Reason{
		{Asked: "Supprimer", Met: "delete", Field: "name", Way: ByLexicon},
		{Asked: "ticket", Met: "issue", Field: "name", Way: ByConcept},
		{Asked: "issues", Met: "issue", Field: "name", Way: ByStem},
	}
	if diff := cmp.Diff(want, hits[0].Reasons); diff != "" {
		t.Error(diff)
	}
}

func TestReasonsAreShort(t *testing.T) {
	if hits := small(t).Search("issue, the issue: issue", 1, nil); len(hits) == 0 || len(hits[0].Reasons) != 1 {
		t.Errorf("a word that is asked three times: %+v", hits)
	}
	x := New()
	set(t, x, "zalgo", Document{FQN: "z", Name: "issue" + strings.Repeat("\u0301", 1500)})
	if hits := x.Search("issue", 1, nil); len(hits) == 0 || len(hits[0].Reasons) != 1 || len(hits[0].Reasons[0].Met) > 100 {
		t.Errorf("a heap of accents: %d hits", len(hits))
	}
}

func TestNothingIsFoundForNothing(t *testing.T) {
	x := small(t)
	for _, question := range []string{"", "   ", "the of and", "le la les", "!?…", "zzzzzz qqqq", strings.Repeat("x", 1<<20)} {
		if hits := x.Search(question, 5, nil); len(hits) != 0 {
			t.Errorf("%.20q: %v", question, names(hits))
		}
	}
	if hits := x.Search("issue", 0, nil); len(hits) != 0 {
		t.Errorf("none were asked for: %v", names(hits))
	}
}

func TestSetReplacesAndRemoveTakesAway(t *testing.T) {
	x := small(t)
	set(t, x, "github", issue)
	if found := names(x.Search("delete issue", 5, nil)); slices.Contains(found, ticket.FQN) || !slices.Contains(found, issue.FQN) {
		t.Errorf("after a new list: %v", found)
	}
	x.Remove("github")
	x.Remove("nobody")
	if found := names(x.Search("issue", 5, nil)); len(found) != 0 {
		t.Errorf("after its end: %v", found)
	}
	set(t, x, "slack")
	set(t, x, "mairie")
	if x.count != 0 || len(x.df) != 0 || len(x.order) != 0 {
		t.Errorf("an empty index keeps %d documents, %d terms, servers %v", x.count, len(x.df), x.order)
	}
}

func TestBadDocuments(t *testing.T) {
	x := New()
	set(t, x, "bad",
		Document{FQN: "a", Name: "a", Description: strings.Repeat("verylongtext and more ", 250_000)}, // 5 MB
		Document{FQN: "b"},
		Document{FQN: "b", Name: "repeated"},
		Document{FQN: "c", Name: "\xff\xfe\x00", Description: "\u202e\u200b"},
		Document{FQN: "d", Name: strings.Repeat("word", 1000), Description: strings.Repeat("é", 3999) + "x"},
		Document{FQN: "e", Name: "list_things", Description: "List."},
	)
	if found := names(x.Search("repeated", 5, nil)); len(found) != 0 {
		t.Errorf("the second of one name is found: %v", found)
	}
	if found := names(x.Search("more", 5, nil)); len(found) > 1 {
		t.Errorf("found %v", found)
	}
}

func anyDocuments(t *rapid.T, server string) []Document {
	word := rapid.SampledFrom([]string{"create", "delete", "issue", "message", "lister", "supprimer", "fichier", "x", "", "getHTTPStatus", "pull request"})
	documents := make([]Document, rapid.IntRange(0, 5).Draw(t, "tools"))
	for i := range documents {
		documents[i] = Document{
			FQN: fmt.Sprintf("mcp_%s.%d", server, i), Server: server,
			Name: word.Draw(t, "name") + "_" + word.Draw(t, "name"), Description: word.Draw(t, "description") + " " + word.Draw(t, "description"),
		}
	}
	return documents
}

// The same tools give the same ranking, in whatever order they came, and whatever was there in between.
func TestTheOrderOfServersDoesNotMatter(t *testing.T) {
	v := sync.OnceValues(newVocabulary)
	rapid.Check(t, func(t *rapid.T) {
		servers := []string{"a", "b", "c"}
		offers := make(map[string][]Document)
		one, other := newIndex(v), newIndex(v)
		for _, server := range servers {
			offers[server] = anyDocuments(t, server)
			if err := one.Set(server, offers[server]); err != nil {
				t.Fatal(err)
			}
		}
		for _, server := range rapid.Permutation(servers).Draw(t, "order") {
			for _, documents := range [][]Document{anyDocuments(t, server), offers[server]} {
				if err := other.Set(server, documents); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := other.Set("passing", anyDocuments(t, "passing")); err != nil {
			t.Fatal(err)
		}
		other.Remove("passing")
		question := rapid.SampledFrom([]string{"create issue", "supprimer un fichier", "message", "http status", "pr"}).Draw(t, "question")
		if diff := cmp.Diff(one.Search(question, 20, nil), other.Search(question, 20, nil)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestOnlyWhatMayBeFoundIsFound(t *testing.T) {
	v := sync.OnceValues(newVocabulary)
	rapid.Check(t, func(t *rapid.T) {
		x := newIndex(v)
		if err := x.Set("a", anyDocuments(t, "a")); err != nil {
			t.Fatal(err)
		}
		banned := rapid.SampledFrom([]string{"mcp_a.0", "mcp_a.1", "mcp_a.2"}).Draw(t, "banned")
		limit := rapid.IntRange(0, 3).Draw(t, "limit")
		for _, question := range []string{banned, "create delete issue message fichier"} {
			hits := x.Search(question, limit, func(fqn string) bool { return fqn != banned })
			if len(hits) > limit || slices.Contains(names(hits), banned) {
				t.Fatalf("%q: %v", question, names(hits))
			}
		}
	})
}

// Nobody learns from scores what they may not see: the answer is the same as if it were not there.
func TestWhatMayNotBeFoundLeavesNoTrace(t *testing.T) {
	v := sync.OnceValues(newVocabulary)
	rapid.Check(t, func(t *rapid.T) {
		all, without := newIndex(v), newIndex(v)
		hidden := make(map[string]bool)
		for _, server := range []string{"a", "b"} {
			documents := anyDocuments(t, server)
			var rest []Document
			for _, d := range documents {
				if hidden[d.FQN] = rapid.Bool().Draw(t, "hidden"); !hidden[d.FQN] {
					rest = append(rest, d)
				}
			}
			if err := errors.Join(all.Set(server, documents), without.Set(server, rest)); err != nil {
				t.Fatal(err)
			}
		}
		question := rapid.SampledFrom([]string{"create issue", "supprimer un fichier", "http message", "getHTTPStatus pr", "mcp_a.0"}).Draw(t, "question")
		hits := all.Search(question, 20, func(fqn string) bool { return !hidden[fqn] })
		if diff := cmp.Diff(without.Search(question, 20, nil), hits); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestItIsSafeForManyAtOnce(t *testing.T) {
	x := small(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 50 {
			x.Remove("github")
			_ = x.Set("github", []Document{issue, ticket})
		}
	}()
	for {
		x.Search("supprimer un ticket", 3, nil)
		select {
		case <-done:
			return
		default:
		}
	}
}

// What is embedded stays small: it is in both programs.
func TestTheVocabularyIsSmall(t *testing.T) {
	if size := len(conceptText) + len(lexiconTable) + len(pivotTable) + len(actionText); size > 1<<20 {
		t.Errorf("%d bytes", size)
	}
	v, err := newVocabulary()
	if err != nil || len(v.lexicon) < 1000 || len(v.pivot) < 1000 || len(v.groups) < 100 || len(v.actions) < 100 {
		t.Errorf("%d lexicon, %d pivot, %d groups, %d verbs, %v", len(v.lexicon), len(v.pivot), len(v.groups), len(v.actions), err)
	}
}
