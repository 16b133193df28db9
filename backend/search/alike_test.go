package search

import (
	"slices"
	"testing"
)

func TestAlikeQuestionsAreToldApart(t *testing.T) {
	x := New()
	for _, same := range [][2]string{
		{"list repos", "show repositories"}, // the specification's own example
		{"list repos", "Please list the repos"},
		{"list the files", "lister les fichiers"},
		{"open issues of anna", "anna open issue"},
		{"prs 42", "pull requests 42"},
		{"  Weather  Paris ", "paris weather"},
	} {
		if !x.Alike(same[0], same[1]) || !x.Alike(same[1], same[0]) {
			t.Errorf("%q and %q are not the same", same[0], same[1])
		}
	}
	for _, other := range [][2]string{
		{"list repos", "delete repos"},
		{"list repos", "create a repo"},
		{"list repos", "list my repos"},
		{"list repos", "list issues"},
		{"open issues", "open issues not mine"},
		{"mails from anna to bob", "mails from bob to anna"},
		{"issue 42", "issue 43"},
		{"before 2024", "after 2024"},
		{"mails with attachment", "mails without attachment"},
		{"", ""},
		{"the", "a"},
		{"version 1.2", "version 2.1"},
		{"café noir", "cafe blanc"},
		{"send a message", "send a mail"}, // neighbours in one concept
	} {
		if x.Alike(other[0], other[1]) || x.Alike(other[1], other[0]) {
			t.Errorf("%q and %q are taken for the same", other[0], other[1])
		}
	}
}

// Of all questions that were written down, none is taken for one that wants another tool.
func TestQuestionsForDifferentToolsAreNotAlike(t *testing.T) {
	x := New()
	var all []sample
	read(t, "queries.json", &all)
	for _, name := range []string{"heldout.tsv", "unseen.tsv", "second.tsv", "fresh.tsv"} {
		all = append(all, written(t, name)...)
	}
	v, err := x.vocabulary()
	if err != nil {
		t.Fatal(err)
	}
	meanings := make([]meaning, len(all))
	for i, s := range all {
		meanings[i] = v.meant(s.Query)
	}
	alike := 0
	for i, a := range all {
		for j := i + 1; j < len(all); j++ {
			b := all[j]
			if !v.same(meanings[i], meanings[j]) {
				continue
			}
			alike++
			if !slices.ContainsFunc(a.Expected, func(tool string) bool { return slices.Contains(b.Expected, tool) }) {
				t.Errorf("%q and %q are taken for the same", a.Query, b.Query)
			}
		}
	}
	t.Logf("%d pairs of %d questions are alike", alike, len(all))
}
