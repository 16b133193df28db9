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
