package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServersAreAnnouncedAndEndWithTheInput(t *testing.T) {
	input, hold := io.Pipe()
	announced, output := io.Pipe()
	ended := make(chan error)
	args := []string{"-auto", "-rotate", "-scopes", "read write", "-tool-scope", "echo=write", "-dpop", "allowed", "-tools", "3", "-client-id", "known"}
	go func() { ended <- run(t.Context(), args, input, output) }()
	line, err := bufio.NewReader(announced).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var servers announcement
	if err := json.Unmarshal(line, &servers); err != nil || servers.PID == 0 {
		t.Fatalf("line %s, %v", line, err)
	}

	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	if status, _ := send(t, client, http.MethodPost, servers.MCP); status != http.StatusUnauthorized {
		t.Errorf("the guard answers %d", status)
	}
	if _, metadata := send(t, client, http.MethodGet, servers.Issuer+"/.well-known/oauth-authorization-server"); !strings.Contains(metadata, `"read"`) {
		t.Errorf("metadata %s", metadata)
	}
	for method, path := range map[string]string{http.MethodGet: "/state", http.MethodPost: "/expire"} {
		if status, state := send(t, client, method, servers.Control+path); status != http.StatusOK || !strings.Contains(state, `"refreshes":0`) {
			t.Errorf("%s: %d %s", path, status, state)
		}
	}
	_ = hold.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func send(t *testing.T, client *http.Client, method, address string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(raw)
}

func TestFlagsThatMeanNothingAreRefused(t *testing.T) {
	for _, args := range [][]string{{"-dpop", "maybe"}, {"-place", "there"}, {"-style", "none"}, {"-tool-scope", "echo"}} {
		if err := run(t.Context(), args, strings.NewReader(""), io.Discard); err == nil || !strings.Contains(err.Error(), args[1]) {
			t.Errorf("%v: %v", args, err)
		}
	}
}
