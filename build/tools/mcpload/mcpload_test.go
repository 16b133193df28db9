package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// fakeServer answers every request: with JSON, or with events of which the answer is the second. Its list has two pages.
func fakeServer(t *testing.T, events bool) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var f struct {
			ID     *int64 `json:"id"`
			Method string `json:"method"`
			Params struct {
				Name   string `json:"name"`
				Cursor string `json:"cursor"`
			} `json:"params"`
		}
		if json.NewDecoder(r.Body).Decode(&f) != nil || f.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		result := `{}`
		switch {
		case f.Method == "tools/list" && f.Params.Cursor == "":
			result = `{"tools":[{"name":"other"}],"nextCursor":"2"}`
		case f.Method == "tools/list":
			result = `{"tools":[{"name":"up__echo"}]}`
		case f.Params.Name != "" && f.Params.Name != "up__echo":
			result = `{"isError":true}`
		}
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, *f.ID, result)
		w.Header().Set("Content-Type", "application/json")
		if events {
			w.Header().Set("Content-Type", "text/event-stream")
			answer = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\ndata: " + answer + "\n\n"
		}
		fmt.Fprint(w, answer)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestRunCallsEveryTarget(t *testing.T) {
	targets := []*target{{Name: "json", address: fakeServer(t, false)}, {Name: "events", address: fakeServer(t, true)}}
	p := plan{tool: "echo", params: json.RawMessage(`{}`), sessions: 2, rounds: 3, calls: 4}
	if err := run(t.Context(), p, targets); err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if target.Calls != 2*3*4 || target.P50 <= 0 || target.P50 > target.P99 || target.Ratio <= 0 {
			t.Errorf("%+v", target)
		}
	}
	p.tool = "none"
	if err := run(t.Context(), p, []*target{{Name: "json", address: fakeServer(t, false)}}); err == nil {
		t.Error("a tool that is not there was called")
	}
}

func TestSum(t *testing.T) {
	ms := func(all ...int) []time.Duration {
		var times []time.Duration
		for _, n := range all {
			times = append(times, time.Duration(n)*time.Millisecond)
		}
		return times
	}
	first := &target{times: [][]time.Duration{ms(1, 2, 3), ms(10, 20, 30), ms(1, 1, 1)}, took: time.Second}
	second := &target{times: [][]time.Duration{ms(2, 4, 6), ms(30, 10, 20), ms(9, 9, 9)}, took: time.Second}
	first.sum(first)
	second.sum(first)
	if first.Ratio != 1 || second.Ratio != 2 || first.P50 != 2000 || first.Calls != 9 || first.Rate != 9 {
		t.Errorf("first %+v, second %+v", first, second)
	}
}
