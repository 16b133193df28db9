package search

import (
	"bufio"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The vocabulary. data/NOTICE names what the two tables were learned from.
var (
	//go:embed data/concepts.txt
	conceptText string
	//go:embed data/lexicon.fr-en.tsv.gz
	lexiconTable string
	//go:embed data/pivot.tsv.gz
	pivotTable string
)

// translation is another word with how likely it is meant.
type translation struct {
	word  string
	share float64
}

// readTable reads lines of a word, another word and a probability.
func readTable(packed string) (map[string][]translation, error) {
	unpacked, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack table: %w", err)
	}
	table := make(map[string][]translation)
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), "\t")
		other, share, _ := strings.Cut(rest, "\t")
		value, err := strconv.ParseFloat(share, 64)
		if err != nil {
			return nil, fmt.Errorf("read table: %w", err)
		}
		word = strings.Join(split(word), "_")
		table[word] = append(table[word], translation{other, value})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read table: %w", err)
	}
	return table, nil
}

// group is a set of words and phrases, words joined by "_", that mean the same to who uses tools.
type group struct {
	english, french []string
}

// readConcepts reads lines of "english words : french words"; # begins a comment.
func readConcepts(text io.Reader) []group {
	var groups []group
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), "#")
		left, right, _ := strings.Cut(line, ":")
		g := group{english: phrasesIn(left), french: phrasesIn(right)}
		if len(g.english)+len(g.french) > 1 {
			groups = append(groups, g)
		}
	}
	return groups
}

func phrasesIn(list string) []string {
	var phrases []string
	for member := range strings.FieldsSeq(list) {
		if words := split(member); len(words) > 0 {
			phrases = append(phrases, strings.Join(words, "_"))
		}
	}
	return phrases
}
