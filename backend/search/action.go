package search

import (
	"bufio"
	_ "embed"
	"slices"
	"strings"
)

//go:embed data/actions.txt
var actionText string

// action is what a tool or a question does to the world. It keeps apart what shares all other words: creating an issue and
// deleting one.
type action int

const (
	unsaid action = iota
	reads
	creates
	changes
	removes
)

// longestVerb is how many words a verb has at most, as in get rid of.
const longestVerb = 3

// actions tells verbs apart, by their stems.
type actions map[string]action

func readActions(stems *stemmer) actions {
	kinds := map[string]action{"reads": reads, "creates": creates, "changes": changes, "removes": removes}
	verbs := make(actions)
	lines := bufio.NewScanner(strings.NewReader(actionText))
	for lines.Scan() {
		name, list, _ := strings.Cut(lines.Text(), ":")
		kind, known := kinds[name]
		if !known {
			continue
		}
		english, french, _ := strings.Cut(list, ";")
		for _, verb := range phrasesIn(english) {
			verbs[termOf(stems.all(strings.Split(verb, "_")))] = kind
		}
		for _, verb := range phrasesIn(french) {
			verbs[stems.of(verb).fr] = kind
		}
	}
	return verbs
}

// of is the action of the first verb among words, or of the first phrase that is one.
func (a actions) of(words []stemmed) action {
	for i, word := range words {
		for length := min(len(words)-i, longestVerb); length > 1; length-- {
			if kind := a[termOf(words[i:i+length])]; kind != unsaid {
				return kind
			}
		}
		for _, key := range []string{word.en, word.fr} {
			if kind := a[key]; kind != unsaid {
				return kind
			}
		}
	}
	return unsaid
}

// asked is the action of a question. One that begins with what, who or which asks to be told, whatever verb comes.
func (a actions) asked(words []stemmed) action {
	if len(words) > 0 && slices.Contains(strings.Fields(
		"what which who whom whose when where why whats quel quelle quels quelles qui ou combien pourquoi que"), words[0].word) {
		return reads
	}
	return a.of(words)
}

// offered is the action of a tool: by its name, else by how its description begins.
func (a actions) offered(d Document, stems *stemmer) action {
	if kind := a.of(stems.all(split(d.Name))); kind != unsaid {
		return kind
	}
	first := split(d.Description[:min(len(d.Description), 200)])
	return a.of(stems.all(first[:min(len(first), 3)]))
}

// fit is by how much a tool's action makes it a better or a worse answer to a question.
func (a action) fit(offered action) float64 {
	return [...][5]float64{
		//         unsaid reads creates changes removes
		unsaid:  {1, 1, 1, 1, 0.85},
		reads:   {1, 1.1, 0.8, 0.8, 0.65},
		creates: {1, 0.8, 1.1, 0.95, 0.6},
		changes: {1, 0.8, 0.9, 1.1, 0.7},
		removes: {1, 0.75, 0.7, 0.85, 1.15},
	}[a][offered]
}
