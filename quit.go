package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// longestList is how many servers a question names before it only counts the others.
const longestList = 8

// stopping is what ends with the window.
type stopping struct {
	Servers []string
	Calls   int
}

// whatStops asks the product which servers are up and how many calls run. A product of another process goes on.
func whatStops(ctx context.Context, p product) stopping {
	var s stopping
	if p == nil || !p.Owns() {
		return s
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "/api/servers", http.NoBody)
	if err != nil {
		return s
	}
	answer := answerOf(p, request)
	var list struct {
		Servers []struct {
			Name         string       `json:"name"`
			State        domain.State `json:"state"`
			RunningCalls int          `json:"running_calls"`
		} `json:"servers"`
	}
	if json.Unmarshal(answer.body.Bytes(), &list) != nil {
		return s // nothing can be said, and a person who quits shall not be held up by it
	}
	for _, view := range list.Servers {
		s.Calls += view.RunningCalls
		switch view.State {
		case domain.StateReady, domain.StateDegraded, domain.StateStarting, domain.StateInstalling:
			s.Servers = append(s.Servers, view.Name)
		default:
		}
	}
	return s
}

// words are the sentences of the native dialogs, which the page cannot show.
type words struct {
	quitTitle, quitQuestion, serversStop, more, oneCall, calls string
	yes, no                                                    string
	about                                                      string
}

func wordsIn(language string) words {
	if language == "fr" {
		return words{
			quitTitle: "Quitter Apollia Connexions ?", quitQuestion: "Quitter arrête :",
			serversStop: "serveurs : %s", more: "%s et %d autres", oneCall: "1 appel en cours", calls: "%d appels en cours",
			yes: "Quitter", no: "Rester",
			about: "Apollia Connexions %s\n\nRelie des serveurs MCP à vos agents, et vous laisse décider.\nLicence Apache-2.0. Aucune télémétrie.",
		}
	}
	return words{
		quitTitle: "Quit Apollia Connexions?", quitQuestion: "Quitting stops:",
		serversStop: "servers: %s", more: "%s and %d more", oneCall: "1 running call", calls: "%d running calls",
		yes: "Quit", no: "Stay",
		about: "Apollia Connexions %s\n\nConnects MCP servers to your agents, and lets you decide.\nApache-2.0 licence. No telemetry.",
	}
}

// question asks whether to stop all that, or is empty when nothing stops.
func (s stopping) question(w words) string {
	var lines []string
	if len(s.Servers) > 0 {
		names := strings.Join(s.Servers[:min(len(s.Servers), longestList)], ", ")
		if rest := len(s.Servers) - longestList; rest > 0 {
			names = fmt.Sprintf(w.more, names, rest)
		}
		lines = append(lines, "• "+fmt.Sprintf(w.serversStop, names))
	}
	switch {
	case s.Calls == 1:
		lines = append(lines, "• "+w.oneCall)
	case s.Calls > 1:
		lines = append(lines, "• "+fmt.Sprintf(w.calls, s.Calls))
	}
	if len(lines) == 0 {
		return ""
	}
	return w.quitTitle + "\n\n" + w.quitQuestion + "\n" + strings.Join(lines, "\n")
}
