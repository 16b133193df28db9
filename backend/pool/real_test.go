package pool

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
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

// everythingOver describes the official test server, started in one of its modes.
func everythingOver(t *testing.T, mode string) domain.Definition {
	t.Helper()
	program := npmServer(t, "mcp-server-everything")
	if mode == "stdio" {
		return domain.Definition{Transport: domain.Stdio, Command: program}
	}
	port, err := mcptest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
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
