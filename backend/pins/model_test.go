package pins_test

import (
	"testing"

	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

// Whatever a server says and a person answers, over restarts too: a tool of a server that asks can be called only with the
// words of its first list or with those that the person accepted last.
func TestOnlyAcceptedWordsAreEverFree(t *testing.T) {
	d := newDesk(t)
	servers := 0
	rapid.Check(t, func(rt *rapid.T) {
		servers++
		server := domain.Server{ID: "s" + string(rune('a'+servers%26)) + string(rune('a'+servers/26%26)), Definition: domain.Definition{Name: "S"}}
		if err := d.book.Forget(server.ID); err != nil {
			rt.Fatal(err)
		}
		accepted := map[string]string{}
		names, words := []string{"a", "b", "c"}, []string{"one", "two", "three"}
		anyTools := rapid.MapOf(rapid.SampledFrom(names), rapid.SampledFrom(words))
		for range rapid.IntRange(1, 8).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"list", "list", "answer", "restart"}).Draw(rt, "step") {
			case "list":
				said := anyTools.Draw(rt, "tools")
				var tools []domain.Tool
				for _, name := range names {
					if said[name] != "" {
						tools = append(tools, told(name, said[name]))
					}
				}
				d.listFor(server, tools...)
				if len(accepted) == 0 {
					accepted = said
				}
			case "answer":
				waiting, err := d.inbox.List(domain.RequestFilter{Server: server.ID, Status: domain.RequestWaiting})
				if err != nil || len(waiting) == 0 {
					continue
				}
				approve := rapid.Bool().Draw(rt, "approve")
				r := d.answer(waiting[0].ID, approve)
				if approve {
					for _, word := range words {
						if told(r.Tool, word).Digest() == r.DefinitionDigest {
							accepted[r.Tool] = word
						}
					}
				}
				if rapid.Bool().Draw(rt, "crash") {
					d.start()
				} else {
					d.settle(r)
				}
			case "restart":
				d.start()
			}
			for _, name := range names {
				for _, word := range words {
					held, _ := d.book.Held(server, name, told(name, word).Digest())
					if want := len(accepted) > 0 && accepted[name] != word; held != want {
						rt.Fatalf("%s saying %q is held: %t; accepted are %v", name, word, held, accepted)
					}
				}
			}
		}
	})
}
