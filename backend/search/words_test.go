package search

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string]string{
		"post_message":                     "post message",
		"API-retrieve-a-page":              "api retrieve a page",
		"getHTTPStatus2":                   "get http status 2",
		"createIssue":                      "create issue",
		"Été à l'œuvre":                    "ete a l oeuvre",
		"e\u0301te\u0301":                  "ete",
		"mcp_slack.post":                   "mcp slack post",
		"日本語 tool":                         "日本語 tool",
		strings.Repeat("a", 41) + " short": "short",
		"":                                 "",
	} {
		if got := strings.Join(split(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	for text, want := range map[string]string{
		"Post a message. Needs a channel.": "Post a message",
		"Use v1.2 of the API, always":      "Use v1.2 of the API, always",
		"One line here\nand another":       "One line here",
		"e.g. this":                        "e.g. this",
		strings.Repeat("x", 500):           strings.Repeat("x", 300),
		"":                                 "",
	} {
		if got, _ := firstSentence(text); got != want {
			t.Errorf("%.40q: %q", text, got)
		}
	}
}

func TestPhrasesAreOneWord(t *testing.T) {
	v, err := newVocabulary()
	if err != nil {
		t.Fatal(err)
	}
	want := []spelt{{"get_rid_of", "Get rid of"}, {"get", "Get"}, {"rid", "rid"}, {"pull_request", "pull requests"}, {"pull", "pull"}, {"request", "requests"}}
	if diff := cmp.Diff(want, termsOf(v, piecesOf("Get rid of the pull requests"), false), cmp.AllowUnexported(spelt{})); diff != "" {
		t.Error(diff)
	}
}

func TestActions(t *testing.T) {
	v, err := newVocabulary()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]action{
		"delete the issue": removes, "supprime ce ticket": removes, "create an issue": creates, "which files changed": reads,
		"quels fichiers ont changé": reads, "renommer un fichier": changes, "my tasks": unsaid, "": unsaid,
	} {
		if got := v.actions.asked(v.stems.all(split(text))); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Whatever the text, words are short, lower case and without accents of the West, and nothing breaks.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"getHTTPStatus2", "Été à l'œuvre", "\xff\x00", "a\u0301", strings.Repeat("é", 3000)} {
		f.Add(seed)
	}
	stems := newStemmer()
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range split(text) {
			if word == "" || len(word) > maxWord || strings.ContainsFunc(word, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("éèàçÉ", r) }) {
				t.Fatalf("%q in %q", word, text)
			}
			if s := stems.of(word); s.en == "" && word != "" {
				t.Fatalf("nothing is left of %q", word)
			}
		}
	})
}
