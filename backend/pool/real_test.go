package pool

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// npmServer is the program of a server that build/servers pins.
func npmServer(t *testing.T, name string) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join("..", "..", "build", "servers", "node_modules", ".bin", name))
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil {
		t.Fatalf("%v: run `npm ci` in build/servers first", err)
	}
	return program
}

// freePort finds a port that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// everythingOver describes the official test server, started in one of its modes.
func everythingOver(t *testing.T, mode string) domain.Definition {
	t.Helper()
	program := npmServer(t, "mcp-server-everything")
	if mode == "stdio" {
		return domain.Definition{Transport: domain.Stdio, Command: program}
	}
	port := freePort(t)
	cmd := exec.CommandContext(t.Context(), program, mode)
	cmd.Env = append(os.Environ(), "PORT="+port)
	output, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if strings.Contains(lines.Text(), port) {
			break
		}
	}
	go func() {
		for lines.Scan() { // until it is killed; nobody reads what it says
			continue
		}
	}()
	if mode == "sse" {
		return domain.Definition{Transport: domain.SSE, URL: "http://127.0.0.1:" + port + "/sse"}
	}
	return domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:" + port + "/mcp"}
}

func TestEverythingServer(t *testing.T) {
	for _, mode := range []string{"stdio", "streamableHttp", "sse"} {
		t.Run(mode, func(t *testing.T) {
			d := everythingOver(t, mode)
			p := newPool(t, nil)
			report := p.Probe(mcptest.Within(t), "everything", d, nil)
			if !report.OK || len(report.Tools) < 10 || len(report.Resources) < 5 || len(report.Prompts) < 3 {
				t.Fatalf("report %+v: %v", report, report.Error)
			}
			start(t, p, server("everything", d))
			if got := callText(t, p, toolCall("everything", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`)); got != "Echo: bonjour" {
				t.Errorf("echo = %q", got)
			}
			progress := 0
			call := toolCall("everything", "trigger-long-running-operation",
				`{"name":"trigger-long-running-operation","arguments":{"duration":0.2,"steps":4}}`)
			call.Sink = func(n domain.Notice) {
				if n.Kind == domain.NoticeProgress {
					progress++
				}
			}
			callText(t, p, call)
			if progress != 4 {
				t.Errorf("%d progress notices, want 4", progress)
			}
			offer, _ := p.Offer("everything")
			read := domain.Call{Kind: domain.ResourceRead, Server: "everything", Name: offer.Resources[0].URI}
			if result, err := p.Call(mcptest.Within(t), read); err != nil || !strings.Contains(string(result.Raw), "contents") {
				t.Errorf("read %s: %s, %v", read.Name, result.Raw, err)
			}
			prompt := domain.Call{Kind: domain.PromptGet, Server: "everything", Name: "simple-prompt"}
			if result, err := p.Call(mcptest.Within(t), prompt); err != nil || !strings.Contains(string(result.Raw), "messages") {
				t.Errorf("prompt: %s, %v", result.Raw, err)
			}
			if err := p.Health(mcptest.Within(t), "everything"); err != nil {
				t.Errorf("health: %v", err)
			}
		})
	}
}

func TestFilesystemServerInAFolderWithSpaces(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "my own files")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "a file.txt")
	if err := os.WriteFile(file, []byte("salut"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, nil)
	d := domain.Definition{Transport: domain.Stdio, Command: npmServer(t, "mcp-server-filesystem"), Args: []string{folder}}
	start(t, p, server("files", d))
	params, err := json.Marshal(map[string]any{"name": "read_text_file", "arguments": map[string]string{"path": file}})
	if err != nil {
		t.Fatal(err)
	}
	if got := callText(t, p, toolCall("files", "read_text_file", string(params))); got != "salut" {
		t.Errorf("read %q", got)
	}
}
