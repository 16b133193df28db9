package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/owner"
)

// world is a data folder with two servers, "asks", whose calls ask, and "free", whose calls do not. Both add what they ran to
// the ledger.
type world struct{ folder, home, ledger string }

func newWorld(t *testing.T) world {
	t.Helper()
	folder := t.TempDir()
	w := world{folder: folder, home: filepath.Join(folder, "data"), ledger: filepath.Join(folder, "ledger")}
	if err := os.Mkdir(w.home, 0o700); err != nil {
		t.Fatal(err)
	}
	config := "[model]\nbase_url = \"http://127.0.0.1:9/v1\"\nname = \"of nobody\"\n\n" // nothing is sent before a person agrees
	for name, asks := range map[string]bool{"asks": true, "free": false} {
		config += fmt.Sprintf("[[mcp_servers]]\nname = %q\ntransport = \"stdio\"\ncommand = %q\nargs = [\"-ledger\", %q]\nrequires_approval = %t\nenv = { TEST_FOLDER = %q }\n\n",
			name, filepath.Join(programs, "mcpfake"), w.ledger, asks, folder)
	}
	if err := os.WriteFile(filepath.Join(w.home, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for pid := range processesOf(folder) { // only of a test that failed half-way
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return w
}

// ran counts what the servers ran. Nobody may run any more.
func (w world) ran(t *testing.T) map[string]int {
	t.Helper()
	ran, err := mcptest.ReadLedger(w.ledger)
	if err != nil {
		t.Fatal(err)
	}
	return ran
}

// served is the built program as it serves a data folder.
type served struct {
	t        *testing.T
	world    world
	process  *exec.Cmd
	instance owner.Instance
	client   *http.Client
}

// serve starts the program and waits until both servers are ready.
func (w world) serve(t *testing.T) *served {
	t.Helper()
	s := &served{t: t, world: w, process: exec.Command(filepath.Join(programs, "apollia"), "serve"), client: &http.Client{Transport: &http.Transport{}}}
	s.process.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.folder, "APOLLIA_HOME=" + w.home, "APOLLIA_LISTEN=127.0.0.1:0"}
	if err := s.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.CloseIdleConnections)
	mcptest.Eventually(t, "the program listens", func() bool {
		found, err := owner.Find(w.home)
		s.instance = found
		return err == nil && found.PID == s.process.Process.Pid && found.URL != ""
	})
	mcptest.Eventually(t, "the servers are ready", func() bool {
		ready := 0
		for _, server := range fetched[api.ServerList](s, http.MethodGet, "/api/servers", nil).Servers {
			if server.State == domain.StateReady {
				ready++
			}
		}
		return ready == 2
	})
	return s
}

// kill ends the program as a crash does, and waits until its servers are gone too.
func (s *served) kill() {
	s.t.Helper()
	if err := s.process.Process.Kill(); err != nil {
		s.t.Fatal(err)
	}
	s.gone()
}

// stop ends the program in good order.
func (s *served) stop() {
	s.t.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	s.gone()
}

func (s *served) gone() {
	s.t.Helper()
	_ = s.process.Wait() // killed, as it should be
	s.client.CloseIdleConnections()
	mcptest.Eventually(s.t, "no process of the test is left", func() bool { return len(processesOf(s.world.folder)) == 0 })
}

// ask sends one request as the window does. The error is that of the way: the program was killed meanwhile.
func (s *served) ask(method, path string, body any) (status int, answer []byte, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.instance.URL+path, bytes.NewReader(raw))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Authorization", "Bearer "+s.instance.Token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(api.DoorHeader, "window")
	response, err := s.client.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// fetched asks for something that must come.
func fetched[T any](s *served, method, path string, body any) T {
	s.t.Helper()
	var v T
	status, raw, err := s.ask(method, path, body)
	if err != nil || status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %d %s, %v", method, path, status, raw, err)
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &v); err != nil {
			s.t.Fatalf("%s %s: %v: %s", method, path, err, raw)
		}
	}
	return v
}

// call makes a call with a message that stays for nobody, and gives it at its end.
func (s *served) call(server, tool, message string) (view api.CallView, err error) {
	view, err = s.start(server, tool, message, false)
	for err == nil && view.Status != api.CallDone {
		var raw []byte
		if _, raw, err = s.ask(http.MethodGet, "/api/calls/"+view.ID+"?wait_ms=60000", nil); err == nil {
			err = json.Unmarshal(raw, &view)
		}
	}
	return view, err
}

// asked makes a call that stays for nobody, and must wait for an approval: it gives the request.
func (s *served) asked(tool, message string) (requestID string) {
	s.t.Helper()
	view, err := s.call("asks", tool, message)
	if err != nil || view.Error == nil || view.Error.Code != domain.CodeApprovalNeeded || view.RequestID == "" {
		s.t.Fatalf("%s: %+v, %v, want it to ask", message, view, err)
	}
	return view.RequestID
}

// start begins a call with a message and gives it once it waits or has ended; wait says whether it stays for a person.
func (s *served) start(server, tool, message string, wait bool) (view api.CallView, err error) {
	request := api.CallRequest{Server: server, Kind: domain.ToolCall, Name: tool, Arguments: arguments(message), WaitMS: 60_000}
	if wait {
		request.ApprovalWaitMS = -1
	}
	status, raw, err := s.ask(http.MethodPost, "/api/calls", request)
	if err != nil {
		return view, err
	}
	if status != http.StatusOK {
		return view, fmt.Errorf("start call: %d %s", status, raw)
	}
	err = json.Unmarshal(raw, &view)
	return view, err
}

// begun is start for a program that nobody kills.
func (s *served) begun(server, tool, message string, wait bool) api.CallView {
	s.t.Helper()
	view, err := s.start(server, tool, message, wait)
	if err != nil {
		s.t.Fatal(err)
	}
	return view
}

func arguments(message string) json.RawMessage {
	raw, _ := json.Marshal(map[string]any{"message": message, "ms": 20}) // a text and a number
	return raw
}

// digestOf is what the journal calls the arguments of a call.
func digestOf(tool, message string) string {
	raw, _ := json.Marshal(map[string]any{"name": tool, "arguments": arguments(message)}) // as above
	return domain.Call{Params: raw}.ArgumentsDigest()
}

// wantWhole checks the chain of the journal.
func (s *served) wantWhole() {
	s.t.Helper()
	if report := fetched[audit.Report](s, http.MethodGet, "/api/audit/verify", nil); !report.OK {
		s.t.Fatalf("the journal is broken: %+v, %v", report, report.Error)
	}
}

// settled reads the whole journal, oldest first, once every call in it has an outcome, and checks its chain.
func (s *served) settled() []audit.Entry {
	s.t.Helper()
	s.wantWhole()
	var entries []audit.Entry
	mcptest.Eventually(s.t, "every call has an outcome", func() bool {
		entries = s.journal()
		open := 0
		for _, e := range entries {
			if e.Kind == audit.KindIntent {
				open++
			}
			if e.Kind == audit.KindOutcome {
				open--
			}
		}
		return open == 0
	})
	return entries
}

func (s *served) journal() (entries []audit.Entry) {
	s.t.Helper()
	for before := uint64(0); ; {
		path := "/api/activity?limit=1000"
		if before > 0 {
			path += fmt.Sprint("&before=", before)
		}
		page := fetched[api.Activity](s, http.MethodGet, path, nil)
		for _, e := range page.Entries {
			entries = append([]audit.Entry{e}, entries...)
		}
		if before = page.Before; before == 0 {
			return entries
		}
	}
}
