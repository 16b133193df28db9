package cli

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

func TestTargetOf(t *testing.T) {
	var known []servers.View
	for id, name := range map[string]string{"acme": "Acme", "acme_com": "acme.com", "files": "My files", "dr": "Dr."} {
		known = append(known, servers.View{Server: domain.Server{ID: id, Definition: domain.Definition{Name: name}}})
	}
	tests := []struct {
		word string
		want target
		code domain.Code
	}{
		{"acme", target{"acme", ""}, ""},
		{"Acme.echo", target{"acme", "echo"}, ""},
		{"acme.delete_*", target{"acme", "delete_*"}, ""},
		{"acme.com", target{"acme_com", ""}, ""},
		{"acme.com.echo", target{"acme_com", "echo"}, ""},
		{"acme.a.b", target{"acme", "a.b"}, ""},
		{"acme.resource:file:///a.b", target{"acme", "resource:file:///a.b"}, ""},
		{"My files.read", target{"files", "read"}, ""},
		{"mcp_acme.echo", target{"acme", "echo"}, ""},
		{"*", target{"*", ""}, ""},
		{"acme_*.delete_*", target{"acme_*", "delete_*"}, ""},
		{"Dr.", target{"dr", ""}, ""},
		{"acme.", target{}, domain.CodeInvalidInput},
		{"mcp_acme.", target{}, domain.CodeUnknownServer},
		{"acme.com.", target{}, domain.CodeInvalidInput},
		{"*.", target{}, domain.CodeInvalidInput},
		{"acmee.echo", target{}, domain.CodeUnknownServer},
		{"acmecom", target{}, domain.CodeUnknownServer},
		{"mcp_nobody.echo", target{}, domain.CodeUnknownServer},
	}
	for _, test := range tests {
		got, err := targetOf(test.word, known)
		if got != test.want || domain.CodeOf(err) != test.code {
			t.Errorf("%s: %v, %v, want %v, code %q", test.word, got, err, test.want, test.code)
		}
	}
}

func TestActionTellsTheKindOfCall(t *testing.T) {
	tests := map[string]struct {
		kind domain.CallKind
		name string
	}{
		"echo":                 {domain.ToolCall, "echo"},
		"resource:file:///a:b": {domain.ResourceRead, "file:///a:b"},
		"prompt:greet":         {domain.PromptGet, "greet"},
	}
	for action, want := range tests {
		kind, name := target{"s", action}.kindAndName()
		if kind != want.kind || name != want.name {
			t.Errorf("%s: %s %s, want %s %s", action, kind, name, want.kind, want.name)
		}
	}
}
