package native

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/folders"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seen is a result as an agent reads it.
type seen struct {
	Content []struct {
		Type, Text, Data, MIMEType string
		Resource                   struct{ URI, MIMEType, Blob string }
	}
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool
}

func (s seen) text() string {
	var parts []string
	for _, block := range s.Content {
		parts = append(parts, block.Text)
	}
	return strings.Join(parts, "\n")
}

func call(t *testing.T, m Module, tool string, arguments any) seen {
	t.Helper()
	raw, err := json.Marshal(arguments)
	must(t, err)
	result, err := m.Call(context.Background(), tool, raw)
	must(t, err)
	var got seen
	must(t, json.Unmarshal(result.Raw, &got))
	if result.Kind != domain.ResultComplete || got.IsError != result.IsError() || len(got.Content) == 0 {
		t.Fatalf("%s gave %s", tool, result.Raw)
	}
	return got
}

// works calls a tool that must not fail and reads its structured content.
func works[T any](t *testing.T, m Module, tool string, arguments any) (seen, T) {
	t.Helper()
	got := call(t, m, tool, arguments)
	if got.IsError {
		t.Fatalf("%s of %v failed: %s", tool, arguments, got.text())
	}
	var facts T
	must(t, json.Unmarshal(got.Structured, &facts))
	return got, facts
}

// fails calls a tool that must fail with a sentence that has these words in it.
func fails(t *testing.T, m Module, tool string, arguments any, words string) {
	t.Helper()
	got := call(t, m, tool, arguments)
	if !got.IsError || !strings.Contains(got.text(), words) {
		t.Errorf("%s of %v gave %.300s (failed: %t), want a failure that says %q", tool, arguments, got.text(), got.IsError, words)
	}
}

type args = map[string]any

// space is an allowed folder, another folder, and a data folder.
type space struct{ allowed, other, data string }

func newSpace(t *testing.T) space {
	t.Helper()
	return space{t.TempDir(), t.TempDir(), t.TempDir()}
}

func (s space) check(folder string) error { return folders.Check(s.data, folder) }

func (s space) write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(s.allowed, name)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func (s space) files(t *testing.T) *Filesystem {
	t.Helper()
	f, err := NewFilesystem([]string{s.allowed}, s.check)
	must(t, err)
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func unbase64(t *testing.T, text string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	must(t, err)
	return string(raw)
}

func TestToolsAreListedAsThoseOfAServer(t *testing.T) {
	s := newSpace(t)
	want := map[string]string{
		"filesystem": "find grep ls read",
		"database":   "connect describe execute fetch_results list_tables",
	}
	for _, m := range s.modules(t) {
		var names []string
		for _, tool := range m.Tools() {
			names = append(names, tool.Name)
			var entry struct {
				Name, Description string
				InputSchema       struct {
					Type       string
					Additional *bool `json:"additionalProperties"`
				}
				Annotations struct {
					ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool
				}
			}
			must(t, json.Unmarshal(tool.Raw, &entry))
			hints := entry.Annotations
			if entry.Name != tool.Name || entry.Description != tool.Description || entry.InputSchema.Type != "object" || entry.InputSchema.Additional == nil {
				t.Errorf("%s.%s is listed as %s", m.ID(), tool.Name, tool.Raw)
			}
			writes := tool.Name == "execute"
			if *hints.ReadOnlyHint == writes || *hints.DestructiveHint != writes || (tool.Effect == domain.Destroys) != writes || *hints.OpenWorldHint {
				t.Errorf("%s.%s says of itself %+v, %s", m.ID(), tool.Name, hints, tool.Effect)
			}
			if tool.Server != m.ID() || len(tool.InputSchema) == 0 {
				t.Errorf("%+v", tool)
			}
		}
		for name := range strings.FieldsSeq(want[m.ID()]) {
			if !strings.Contains(strings.Join(names, " "), name) {
				t.Errorf("%s has no %s", m.ID(), name)
			}
		}
	}
}

func TestArgumentsOfAnotherFormAreRefused(t *testing.T) {
	s := newSpace(t)
	for _, m := range s.modules(t) {
		for _, tool := range m.Tools() {
			for _, bad := range []string{`[]`, `7`, `{"path":7,"pattern":7,"query":7,"statement":7,"database":7,"limit":"x"}`, `{`} {
				if _, err := m.Call(t.Context(), tool.Name, json.RawMessage(bad)); domain.CodeOf(err) != domain.CodeInvalidArguments {
					t.Errorf("%s.%s of %s: %v", m.ID(), tool.Name, bad, err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := m.Call(ctx, tool.Name, nil); err == nil {
				t.Errorf("%s.%s runs after its context", m.ID(), tool.Name)
			}
		}
		if _, err := m.Call(t.Context(), "no_such", nil); domain.CodeOf(err) != domain.CodeUnknownTool {
			t.Errorf("%s: %v", m.ID(), err)
		}
	}
}
