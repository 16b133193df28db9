package core_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// script is a command that no person typed.
func script(c *core.Core) http.Handler { return c.Handler(api.CLIPrincipal(false)) }

// saved adds a server that is switched off, as the window does.
func saved(t *testing.T, c *core.Core, d domain.Definition) servers.View {
	t.Helper()
	return decode[servers.View](t, ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true, Disabled: true}))
}

func TestScriptMayNotFreeCallsFromApproval(t *testing.T) {
	c := open(t, options(t, core.Serve))
	asking := domain.Definition{Name: "asking", Transport: domain.Stdio, Command: "true"}
	free := asking
	free.Name, free.DefaultVerdict = "free", domain.Allow
	saved(t, c, asking)
	saved(t, c, free)
	edit := func(change func(*domain.Definition)) domain.Definition {
		d := free
		change(&d)
		return d
	}
	cases := []struct {
		name, method, path string
		body               any
		want               domain.Code
	}{
		{
			"adding what never asks", http.MethodPost, "/api/servers",
			api.NewServer{Definition: edit(func(d *domain.Definition) { d.Name = "third" }), SkipTest: true},
			domain.CodeSelfApproval,
		},
		{
			"freeing what asks", http.MethodPut, "/api/servers/asking",
			api.ServerChange{Definition: edit(func(d *domain.Definition) { d.Name = "asking" }), SkipTest: true},
			domain.CodeSelfApproval,
		},
		{
			"another program under a free name", http.MethodPut, "/api/servers/free",
			api.ServerChange{Definition: edit(func(d *domain.Definition) { d.Args = []string{"x"} }), SkipTest: true},
			domain.CodeSelfApproval,
		},
		{
			"another environment under a free name", http.MethodPut, "/api/servers/free",
			api.ServerChange{Definition: edit(func(d *domain.Definition) {
				d.Env = []domain.Variable{{Name: "NODE_OPTIONS", Value: "--require=x"}}
			}), SkipTest: true},
			domain.CodeSelfApproval,
		},
		{
			"opening a folder", http.MethodPut, "/api/servers/asking",
			api.ServerChange{Definition: domain.Definition{
				Name: "asking", Transport: domain.Stdio, Command: "true", Roots: []string{t.TempDir()},
			}, SkipTest: true},
			domain.CodeSelfApproval,
		},
		{
			"naming a folder", http.MethodPost, "/api/servers/asking/roots",
			api.RootsChange{Add: []string{t.TempDir()}, Remove: []string{"/x"}},
			domain.CodeSelfApproval,
		},
		{
			"taking a folder away", http.MethodPost, "/api/servers/asking/roots", api.RootsChange{Remove: []string{"/x"}}, "",
		},
		{
			"another limit under a free name", http.MethodPut, "/api/servers/free",
			api.ServerChange{Definition: edit(func(d *domain.Definition) { d.TimeoutMS = 1000 }), SkipTest: true},
			"",
		},
		{
			"making what is free ask", http.MethodPut, "/api/servers/free",
			api.ServerChange{Definition: edit(func(d *domain.Definition) { d.DefaultVerdict = domain.Ask }), SkipTest: true},
			"",
		},
	}
	for _, test := range cases {
		a := ask(t, script(c), test.method, test.path, test.body)
		if test.want == "" && a.status >= http.StatusBadRequest || test.want != "" && (a.status < http.StatusBadRequest || a.code(t) != test.want) {
			t.Errorf("%s: %d %s, want %q", test.name, a.status, a.body, test.want)
		}
	}
}

// The data folder is refused by every way in, the wizard's check among them.
func TestNoServerIsToldOfTheDataFolder(t *testing.T) {
	o := options(t, core.Serve)
	c := open(t, o)
	saved(t, c, domain.Definition{Name: "asking", Transport: domain.Stdio, Command: "true"})
	for _, folder := range []string{o.Home, filepath.Dir(o.Home), filepath.Join(o.Home, "audit"), "/"} {
		d := domain.Definition{Name: "other", Transport: domain.Stdio, Command: "true", Roots: []string{folder}}
		for what, a := range map[string]answer{
			"a change": ask(t, window(c), http.MethodPost, "/api/servers/asking/roots", api.RootsChange{Add: []string{folder}}),
			"a server": ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true}),
		} {
			if a.status != http.StatusUnprocessableEntity || a.code(t) != domain.CodeInvalidInput {
				t.Errorf("%s with %s: %d %s", what, folder, a.status, a.body)
			}
		}
	}
	entries := decode[api.Activity](t, ask(t, window(c), http.MethodGet, "/api/activity?server=asking", nil)).Entries
	if len(entries) != 1 {
		t.Errorf("what was refused is in the journal: %+v", entries)
	}
	folder := t.TempDir()
	decode[servers.View](t, ask(t, window(c), http.MethodPost, "/api/servers/asking/roots", api.RootsChange{Add: []string{folder}}))
	entries = decode[api.Activity](t, ask(t, window(c), http.MethodGet, "/api/activity?server=asking", nil)).Entries
	if len(entries) != 2 || entries[0].Outcome != "roots_changed" {
		t.Errorf("the journal says %+v", entries)
	}
}

func TestJournalNamesAServerByItsID(t *testing.T) {
	c := open(t, options(t, core.Serve))
	saved(t, c, domain.Definition{Name: "Acme Files", Transport: domain.Stdio, Command: "true"})
	ask(t, window(c), http.MethodPost, "/api/servers/Acme%20Files/disable", nil)
	entries := decode[api.Activity](t, ask(t, window(c), http.MethodGet, "/api/activity?server=acme_files", nil)).Entries
	if len(entries) != 2 || entries[0].Kind != audit.KindServer || entries[0].Outcome != audit.DidDisable {
		t.Fatalf("%+v", entries)
	}
}
