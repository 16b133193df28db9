package search

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

type sample struct {
	ID, Lang, Query string
	Expected        []string
}

type fact struct {
	ID, Server, Name, Description string
	Tags                          []string
	Params                        map[string]string
}

func facts(t testing.TB) []fact {
	t.Helper()
	var all []fact
	read(t, "tools.json", &all)
	return all
}

func read(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func heldOut(t testing.TB) []sample {
	t.Helper()
	text, err := os.ReadFile("testdata/heldout.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		parts := strings.Split(line, "\t")
		all = append(all, sample{fmt.Sprint("h", i), parts[0], parts[1], strings.Split(parts[2], ",")})
	}
	return all
}

func indexOf(t testing.TB, all []fact) *Index {
	t.Helper()
	x := New()
	by := make(map[string][]Document)
	for _, f := range all {
		d := Document{FQN: f.ID, Server: f.Server, Name: f.Name, Description: f.Description, Tags: f.Tags}
		for name, text := range f.Params {
			d.Parameters = append(d.Parameters, name+" "+text)
		}
		slices.Sort(d.Parameters)
		by[f.Server] = append(by[f.Server], d)
	}
	for server, documents := range by {
		if err := x.Set(server, documents); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

type quality struct{ hit, mrr float64 }

func measure(t testing.TB, x *Index, samples []sample, show bool) quality {
	t.Helper()
	var q quality
	for _, s := range samples {
		hits := x.Search(s.Query, 50, nil)
		at := slices.IndexFunc(hits, func(h Hit) bool { return slices.Contains(s.Expected, h.FQN) })
		if at >= 0 {
			q.mrr += 1 / float64(at+1)
		}
		if at >= 0 && at < 5 {
			q.hit++
		}
		if show && (at < 0 || at > 0) {
			var first []string
			for _, h := range hits[:min(4, len(hits))] {
				first = append(first, h.FQN)
			}
			t.Logf("%3d %s %q wants %v, has %v", at+1, s.Lang, s.Query, s.Expected, first)
		}
	}
	q.hit /= float64(len(samples))
	q.mrr /= float64(len(samples))
	return q
}

func only(samples []sample, keep func(int, sample) bool) []sample {
	var kept []sample
	for i, s := range samples {
		if keep(i, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

func TestQuality(t *testing.T) {
	x := indexOf(t, facts(t))
	var known []sample
	read(t, "queries.json", &known)
	held := heldOut(t)
	for _, set := range []struct {
		name    string
		samples []sample
		show    bool
	}{
		{"known", known, os.Getenv("SHOW") == "known"},
		{"known en", only(known, func(_ int, s sample) bool { return s.Lang == "en" }), false},
		{"known fr", only(known, func(_ int, s sample) bool { return s.Lang == "fr" }), false},
		{"tuned half", only(held, func(i int, _ sample) bool { return i%2 == 0 }), os.Getenv("SHOW") == "tuned"},
		{"checked half", only(held, func(i int, _ sample) bool { return i%2 == 1 }), os.Getenv("SHOW") == "checked"},
		{"held en", only(held, func(_ int, s sample) bool { return s.Lang == "en" }), false},
		{"held fr", only(held, func(_ int, s sample) bool { return s.Lang == "fr" }), false},
	} {
		q := measure(t, x, set.samples, set.show)
		t.Logf("%-13s n=%3d hit@5 %.3f mrr %.3f", set.name, len(set.samples), q.hit, q.mrr)
	}
}
