package pool

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// npmRecord is one server as build/servers pins it, with what was seen of it.
type npmRecord struct {
	Package string            `json:"package"`
	Version string            `json:"version"`
	Program string            `json:"program"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	Tools   int               `json:"tools"`
	// Broken is the list that this server answers with an error, Absent the one that it announces and does not know;
	// both are empty for one that keeps its word.
	Broken string `json:"broken"`
	Absent string `json:"absent"`
	About  string `json:"about"`
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(raw, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// definition describes the server with a home of its own, which is also where it works.
func (r npmRecord) definition(t *testing.T) domain.Definition {
	t.Helper()
	home := t.TempDir()
	inHome := func(text string) string {
		return os.Expand(text, func(string) string { return home })
	}
	d := domain.Definition{
		Name: r.Package, Transport: domain.Stdio, Command: npmServer(t, r.Program), Cwd: home,
		Env: []domain.Variable{{Name: "HOME", Value: home}},
	}
	for _, arg := range r.Args {
		d.Args = append(d.Args, inHome(arg))
	}
	for name, value := range r.Env {
		d.Env = append(d.Env, domain.Variable{Name: name, Value: inHome(value)})
	}
	return d
}

// Servers that people really use, on every generation of the SDK that they are made of: each is started, connected and
// listed, and gives as many tools as were counted before.
func TestServersOfNPM(t *testing.T) {
	var records []npmRecord
	readJSON(t, filepath.Join("testdata", "npm-servers.json"), &records)
	var pinned struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	readJSON(t, filepath.Join("..", "..", "build", "servers", "package.json"), &pinned)
	if len(records) < 15 {
		t.Fatalf("only %d servers", len(records))
	}
	turns := make(chan struct{}, 2) // each is a Node process: more would only wait for one another
	for _, r := range records {
		t.Run(r.Program, func(t *testing.T) {
			t.Parallel()
			if pinned.Dependencies[r.Package] != r.Version {
				t.Fatalf("the tools of version %s were counted, and %q is pinned: count again", r.Version, pinned.Dependencies[r.Package])
			}
			turns <- struct{}{}
			defer func() { <-turns }()
			r.check(t)
		})
	}
}

func (r npmRecord) check(t *testing.T) {
	t.Helper()
	p := newPool(t, nil)
	start(t, p, server("npm", r.definition(t)))
	status := p.Status("npm")
	offer, known := p.Offer("npm")
	if !known || len(offer.Tools) != r.Tools || status.Tools != r.Tools {
		t.Errorf("%d tools, want %d", len(offer.Tools), r.Tools)
	}
	for _, tool := range offer.Tools {
		if tool.Name == "" || len(tool.InputSchema) == 0 || len(tool.Raw) == 0 {
			t.Errorf("a tool without a name, schema or its own words: %+v", tool)
		}
	}
	want, section := domain.StateReady, ""
	if r.Broken != "" {
		want = domain.StateDegraded
	}
	if status.Reason != nil {
		section = status.Reason.Args["section"]
	}
	if status.State != want || section != r.Broken {
		t.Errorf("state %s for %q (%v), want %s for %q", status.State, section, status.Reason, want, r.Broken)
	}
	if r.Absent != "" {
		r.checkWarned(t, p)
	}
	if err := p.Health(mcptest.Within(t), "npm"); err != nil {
		t.Errorf("health: %v", err)
	}
	t.Logf("%s %s: revision %s, %s, %s", r.Package, r.Version, status.ProtocolVersion, status.State, offer)
}

// checkWarned expects that a test of the server says which list is not there.
func (r npmRecord) checkWarned(t *testing.T, p *Pool) {
	t.Helper()
	report := p.Probe(mcptest.Within(t), "npm", r.definition(t), nil)
	if !report.OK || len(report.Warnings) != 1 || report.Warnings[0].Code != domain.CodeNotAnnounced || report.Warnings[0].Args["section"] != r.Absent {
		t.Errorf("test %v with the warnings %v, want one of %s", report.Error, report.Warnings, r.Absent)
	}
}
