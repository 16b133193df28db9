package main

import (
	"context"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answers is a product whose API says one thing.
type answers struct {
	body string
	ours bool
}

func (a answers) ServeHTTP(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(a.body)) }
func (a answers) Stopped() <-chan struct{}                         { return nil }
func (a answers) Owns() bool                                       { return a.ours }
func (a answers) Close(context.Context) error                      { return nil }

const threeServers = `{"servers":[
	{"name":"Notes","state":"ready","running_calls":2},
	{"name":"Slow","state":"starting","running_calls":0},
	{"name":"Off","state":"off","running_calls":0}]}`

func TestWhatStopsWithTheWindow(t *testing.T) {
	tests := map[string]struct {
		product product
		want    stopping
	}{
		"not open":           {nil, stopping{}},
		"of another process": {answers{threeServers, false}, stopping{}},
		"nothing up":         {answers{`{"servers":[]}`, true}, stopping{}},
		"an error":           {answers{`{"error":{}}`, true}, stopping{}},
		"no JSON":            {answers{`<html>`, true}, stopping{}},
		"some up":            {answers{threeServers, true}, stopping{Servers: []string{"Notes", "Slow"}, Calls: 2}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, whatStops(t.Context(), test.product)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestQuestionBeforeQuitting(t *testing.T) {
	many := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	tests := map[string]struct {
		stopping stopping
		language string
		want     string
	}{
		"nothing stops": {stopping{}, "en", ""},
		"one call":      {stopping{Calls: 1}, "en", "Quit Apollia Connexions?\n\nQuitting stops:\n• 1 running call"},
		"servers and calls": {
			stopping{Servers: []string{"Notes", "100%s"}, Calls: 2},
			"fr",
			"Quitter Apollia Connexions ?\n\nQuitter arrête :\n• serveurs : Notes, 100%s\n• 2 appels en cours",
		},
		"many servers": {
			stopping{Servers: many},
			"fr",
			"Quitter Apollia Connexions ?\n\nQuitter arrête :\n• serveurs : a, b, c, d, e, f, g, h et 2 autres",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.stopping.question(wordsIn(test.language))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
