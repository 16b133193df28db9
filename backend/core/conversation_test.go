package core_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/toolbox"
)

// libraries is a core with two servers that search and lend books, and the ledger of what both ran.
func libraries(t *testing.T, file string) staged {
	t.Helper()
	o := options(t, core.Serve)
	write(t, filepath.Join(o.Home, "config.toml"), file)
	s := staged{open(t, o), filepath.Join(t.TempDir(), "ran")}
	for _, name := range []string{"library", "archive"} {
		d := mcptest.Command(mcptest.Options{Name: name, Behave: []mcptest.Behaviour{mcptest.Library}, Ledger: s.ledger})
		d.Name, d.DefaultVerdict = name, domain.Allow
		ask(t, window(s.Core), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true})
		becomes(t, window(s.Core), name, domain.StateReady)
	}
	return s
}

// converse runs a tool in one conversation of a client.
func (s staged) converse(t *testing.T, session, tool, arguments string) toolbox.ActionResult {
	t.Helper()
	use := toolbox.Use{Caller: domain.Caller{Kind: domain.CallerClient, Name: "agent", User: domain.LocalUser, Session: session}}
	return s.Toolbox().Run(mcptest.Within(t), use, tool, json.RawMessage(arguments))
}

// What one server found is at hand at the next one, without its secrets, and in no other conversation.
func TestCrossContextThroughTwoServers(t *testing.T) {
	s := libraries(t, "[middleware.cross_context]\nmax_entries = 1\n")
	first := s.converse(t, "1", "mcp_library.search_books", `{"query":"tea"}`)
	if !first.Success || first.Metadata.Context != nil {
		t.Fatalf("the first: %+v", first)
	}
	want := []domain.Reference{{
		Tool: "mcp_library.search_books", IDs: []domain.Item{{Name: "book_id", Value: "b-1"}}, URLs: []string{"https://books.example/b-1?page=2"},
	}}
	for range 2 { // what says nothing takes no place
		if got := s.converse(t, "1", "mcp_archive.echo", `{"message":"hi"}`); !cmp.Equal(got.Metadata.Context, want) {
			t.Errorf("at the next server: %s", cmp.Diff(want, got.Metadata.Context))
		}
	}
	if got := s.converse(t, "2", "mcp_archive.echo", `{"message":"hi"}`); !got.Success || got.Metadata.Context != nil {
		t.Errorf("in another conversation: %+v", got.Metadata)
	}
	s.converse(t, "1", "mcp_archive.search_books", `{"query":"coffee"}`)
	if got := s.converse(t, "1", "mcp_library.echo", `{"message":"hi"}`).Metadata.Context; len(got) != 1 || got[0].Tool != "mcp_archive.search_books" {
		t.Errorf("of one result at most: %+v", got)
	}
}

// A tool that fails names the one of another server that does the same, and nothing runs by itself.
func TestAutoHealThroughServersThatFail(t *testing.T) {
	s := libraries(t, "[middleware.auto_heal]\n")
	got := s.converse(t, "1", "mcp_library.lend_book", `{}`)
	if got.Success || got.Error != "the desk is closed" || !slices.Equal(got.Metadata.Alternatives, []string{"mcp_archive.lend_book"}) {
		t.Errorf("%+v", got)
	}
	s.wantRan(t, "", 1)
	ask(t, window(s.Core), http.MethodPost, "/api/policy/rules", api.NewRule{Verdict: domain.Deny, Server: "archive", Actions: []string{"*"}})
	if got := s.converse(t, "1", "mcp_library.lend_book", `{}`); len(got.Metadata.Alternatives) != 0 {
		t.Errorf("what is denied is named: %v", got.Metadata.Alternatives)
	}
	if got := s.converse(t, "1", "mcp_library.search_books", `{"query":"tea"}`); !got.Success || got.Metadata.Alternatives != nil {
		t.Errorf("a success: %+v", got)
	}
}

// A search that means the same is answered by the earlier one, marked; one that does not is made.
func TestSemanticCacheThroughAServer(t *testing.T) {
	s := libraries(t, "[middleware.semantic_cache]\n")
	search := func(server, arguments, answeredFor string) {
		t.Helper()
		got := s.converse(t, "1", "mcp_"+server+".search_books", arguments)
		if !got.Success || got.Metadata.CacheHit != (answeredFor != "") || got.Metadata.AnsweredFor != answeredFor {
			t.Errorf("%s %s: %+v", server, arguments, got.Metadata)
		}
	}
	search("library", `{"query":"list repos"}`, "")
	search("library", `{"query":"show repositories"}`, "list repos")
	search("library", `{"query":"delete repositories"}`, "")
	search("library", `{"query":"show repositories","shelf":"top"}`, "")
	search("archive", `{"query":"show repositories"}`, "")
	s.wantRan(t, "list repos", 1)
	s.wantRan(t, "show repositories", 2)
	ask(t, window(s.Core), http.MethodDelete, "/api/cache/library", nil)
	search("library", `{"query":"show repositories"}`, "")
	if a := ask(t, window(s.Core), http.MethodGet, "/api/pool", nil); !strings.Contains(string(a.body), `"server":"library"`) {
		t.Errorf("the pool says %s", a.body)
	}
}
