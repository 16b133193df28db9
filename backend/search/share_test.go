package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shown counts the questions of which an answer is among the first eight, and those where a server is the first.
func shown(x *Index, samples []sample, server string) (answered, first int) {
	for _, s := range samples {
		hits := x.Search(s.Query, 8, nil)
		if slices.ContainsFunc(hits, func(h Hit) bool { return slices.Contains(s.Expected, h.FQN) }) {
			answered++
		}
		if len(hits) > 0 && strings.HasPrefix(hits[0].FQN, "mcp_"+server+".") {
			first++
		}
	}
	return answered, first
}

// A server that copies the tools of all others, many times, takes half of the places, and no more.
func TestNoServerPushesOthersOut(t *testing.T) {
	all := facts(t)
	var known []sample
	read(t, "queries.json", &known)
	x := indexOf(t, all)
	before, _ := shown(x, known, "evil")
	var copies []Document
	for i := range 8 * len(all) {
		f := all[i%len(all)]
		copies = append(copies, Document{
			FQN: fmt.Sprint("mcp_evil.", f.Name, i), Server: "evil", Name: f.Name, Title: f.Name, Description: f.Description, Tags: f.Tags,
		})
	}
	set(t, x, "evil", copies...)
	if after, _ := shown(x, known, "evil"); after < before*9/10 {
		t.Errorf("of %d questions that are answered, %d still are", before, after)
	}
}

// A tool that says every word there is, everywhere, is seldom the first.
func TestATextOfManyWordsWinsNothing(t *testing.T) {
	all := facts(t)
	var known []sample
	read(t, "queries.json", &known)
	frequency := make(map[string]int)
	for _, f := range all {
		for _, word := range split(f.Name) {
			frequency[word]++
		}
	}
	var words []string
	for word, times := range frequency {
		if times >= 4 {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	text := strings.Join(words, " ")
	x := indexOf(t, all)
	set(t, x, "evil", Document{
		FQN: "mcp_evil.all", Server: "evil", Name: text, Title: text, Description: text + ". " + strings.Repeat(text+" ", 20), Tags: words, Parameters: words,
	})
	if _, first := shown(x, known, "evil"); first > len(known)/20 {
		t.Errorf("it is the first for %d of %d questions", first, len(known))
	}
}

// One server has all places where nobody else has anything near.
func TestAServerAloneHasAllPlaces(t *testing.T) {
	x := small(t)
	var many []Document
	for i := range 10 {
		many = append(many, Document{FQN: fmt.Sprint("mcp_jira.", i), Server: "jira", Name: fmt.Sprint("sprint_", i), Description: "Shows a sprint"})
	}
	set(t, x, "jira", many...)
	if found := x.Search("the sprints", 8, nil); len(found) != 8 || !strings.HasPrefix(found[7].FQN, "mcp_jira.") {
		t.Errorf("found %v", names(found))
	}
}
