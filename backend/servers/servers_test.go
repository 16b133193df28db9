package servers_test

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/folders"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/pool"
	"apollia.fr/connexions/backend/secrets"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/store"
)

func TestMain(m *testing.M) { mcptest.Main(m) }

// bench is a service on real parts in an empty data folder; the keyring is left out by an environment without a bus.
type bench struct {
	*servers.Service
	store *store.Store
	vault *secrets.Vault
	home  string

	inbox *inbox.Inbox

	mu   sync.Mutex
	file config.Config
	// scripts says that approvals.from_cli is "always".
	scripts bool
	now     time.Time
	// network is what is seen of the local network, own what it sees of this computer; answering accept connections.
	network   []domain.NetworkServer
	own       []netip.Addr
	answering []netip.AddrPort
}

// reach tries no address of a real network.
func (b *bench) reach(_ context.Context, addrs []netip.AddrPort) (netip.AddrPort, bool) {
	for _, addr := range addrs {
		if slices.Contains(b.answering, addr) {
			return addr, true
		}
	}
	return netip.AddrPort{}, false
}

func (b *bench) checkFolder(folder string) error { return folders.Check(b.home, folder) }

func newBench(t *testing.T) *bench {
	t.Helper()
	home := t.TempDir()
	kept, err := store.Open(home, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{store: kept, home: home, now: time.Date(2026, 11, 26, 16, 4, 0, 0, time.UTC)}
	environ := map[string]string{"PATH": os.Getenv("PATH"), "TOKEN": "t0ken"}
	lookup := func(name string) (string, bool) { value, ok := environ[name]; return value, ok }
	b.vault = secrets.Open(home, kept, secrets.Options{Environ: []string{}})
	expand := func(d domain.Definition, _ ...string) (domain.Definition, error) {
		return config.Expand(d, lookup, b.vault.Resolve)
	}
	b.inbox = inbox.New(kept, func(domain.Event) {}, inbox.Options{Now: func() time.Time { return b.now }})
	live := pool.New(pool.Options{
		Expand: func(_ context.Context, s domain.Server) (domain.Definition, error) { return expand(s.Definition) },
		Listed: func(id, version string, tools []domain.Tool) {
			if err := b.Listed(id, version, tools); err != nil {
				t.Error(err)
			}
		},
		Folder: b.checkFolder,
		Offers: kept, Environ: []string{"PATH=" + environ["PATH"]}, LogDir: filepath.Join(home, "logs"),
	})
	signIns := oauth.New(oauth.Options{
		Store: b.vault.Kept(), Now: func() time.Time { return b.now }, ClientMetadataURL: func() string { return documentAddress },
	})
	requests := inbox.New(kept, func(domain.Event) {}, inbox.Options{})
	book := pins.NewBook(pins.Options{
		Records: kept, Desk: requests, Requests: requests.List, Publish: func(domain.Event) {}, Now: func() time.Time { return b.now },
		EndApprovals: func(string, string) ([]domain.Caller, error) { return nil, nil }, Logger: slog.New(slog.DiscardHandler),
	})
	b.Service = servers.New(servers.Options{
		Pins:  book,
		Scan:  pins.NewScanner().Scan,
		Inbox: b.inbox, ConfirmsItself: func() bool { return b.scripts },
		Store: kept, Vault: b.vault, Pool: live, OAuth: signIns, ConfigPath: config.Path(home), Config: b.config, Reload: b.reload,
		Expand: expand, Probe: live.Probe, Environ: lookup, SearchPath: func() string { return environ["PATH"] }, Resident: true,
		Folder:  b.checkFolder,
		Network: func() domain.NetworkSight { return domain.NetworkSight{Servers: b.network} },
		Reach:   b.reach, Own: func() (string, []netip.Addr, error) { return "desk.local", b.own, nil },
		Rules:    func() (policy.Rules, error) { return policy.Rules{Now: b.now}, nil },
		LastCall: func(string) (time.Time, bool) { return time.Time{}, false },
		Publish:  func(domain.Event) {}, Now: func() time.Time { return b.now },
	})
	t.Cleanup(func() {
		b.Close()
		signIns.Close()
		if err := live.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close pool: %v", err)
		}
		if err := kept.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	return b
}

func (b *bench) config() (config.Config, *domain.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.file, nil
}

func (b *bench) reload() error {
	read, err := config.Load(config.Path(b.home))
	b.mu.Lock()
	defer b.mu.Unlock()
	b.file = read
	return err
}

func fake(name string, behave ...mcptest.Behaviour) domain.Definition {
	d := mcptest.Command(mcptest.Options{Behave: behave})
	d.Name = name
	return d
}

// test runs a draft's test to its end.
func (b *bench) test(t *testing.T, d domain.Definition) domain.TestReport {
	t.Helper()
	report, err := b.TestDraft(d, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if report, err = b.Test(t.Context(), report.ID, time.Minute); err != nil {
		t.Fatal(err)
	}
	return report
}

func (b *bench) add(t *testing.T, d domain.Definition) servers.View {
	t.Helper()
	report := b.test(t, d)
	if !report.OK {
		t.Fatalf("the test failed: %+v", report.Error)
	}
	view, err := b.Add(t.Context(), servers.Addition{Definition: d, TestID: report.ID, Enabled: true})
	if err != nil {
		t.Fatal(err)
	}
	return view
}

func wantCode(t *testing.T, err error, want domain.Code) {
	t.Helper()
	if got := domain.CodeOf(err); got != want {
		t.Errorf("got %v (%s), want %s", err, got, want)
	}
}

func TestNothingIsSavedWithoutAPassedTestOfTheSameDraft(t *testing.T) {
	b := newBench(t)
	d := fake("One")
	_, err := b.Add(t.Context(), servers.Addition{Definition: d})
	wantCode(t, err, domain.CodeTestRequired)

	report := b.test(t, d)
	other := d
	other.Args = append([]string{"-more"}, d.Args...)
	_, err = b.Add(t.Context(), servers.Addition{Definition: other, TestID: report.ID})
	wantCode(t, err, domain.CodeTestRequired)

	failed := b.test(t, fake("Dead", mcptest.Die))
	_, err = b.Add(t.Context(), servers.Addition{Definition: fake("Dead", mcptest.Die), TestID: failed.ID})
	wantCode(t, err, domain.CodeTestRequired)

	if list, err := b.List(); err != nil || len(list) != 0 {
		t.Fatalf("%v %v, want nothing saved", list, err)
	}
}

func TestAddedServerShowsItsToolsAndAsksByDefault(t *testing.T) {
	b := newBench(t)
	view := b.add(t, fake("Acme Internal"))
	if view.ID != "acme_internal" || view.Trust != domain.Custom || view.Source != domain.FromStore || !view.Enabled {
		t.Fatalf("%+v", view)
	}
	tools, err := b.Tools(t.Context(), "Acme Internal", domain.Caller{Kind: domain.CallerWindow, Name: "window"})
	if err != nil || len(tools) == 0 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	for _, tool := range tools {
		if tool.Verdict != domain.Ask || tool.Because != policy.ServerDefault || tool.Risk == "" {
			t.Errorf("%s: %v because %s, risk %q", tool.Name, tool.Verdict, tool.Because, tool.Risk)
		}
		if tool.FQN != "mcp_acme_internal."+tool.Name {
			t.Errorf("FQN %q", tool.FQN)
		}
	}
}

func TestSecretsGoToTheSecretStore(t *testing.T) {
	b := newBench(t)
	d := fake("Keys")
	d.Env = append(d.Env,
		domain.Variable{Name: "API_KEY", Value: "very-hush-hush-1"}, domain.Variable{Name: "PLAIN", Value: "yes"},
		domain.Variable{Name: "GIVEN", Value: "${TOKEN}"}, domain.Variable{Name: "MARKED", Value: "hush-hush-2", Secret: true})
	view := b.add(t, d)
	got := map[string]string{}
	for _, v := range view.Env {
		got[v.Name] = v.Value
	}
	want := map[string]string{
		"API_KEY": "${secret:keys/env.API_KEY}", "PLAIN": "yes", "GIVEN": "${TOKEN}", "MARKED": "${secret:keys/env.MARKED}",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is saved as %q, want %q", name, got[name], value)
		}
	}
	if secret, err := b.vault.Resolve("keys/env.API_KEY"); err != nil || secret != "very-hush-hush-1" {
		t.Errorf("resolve: %q %v", secret, err)
	}
	assertNotOnDisk(t, b.home, "very-hush-hush-1", "hush-hush-2")
}

func assertNotOnDisk(t *testing.T, folder string, hidden ...string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, secret := range hidden {
			if strings.Contains(string(data), secret) {
				t.Errorf("%s holds %q in clear", path, secret)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDraftsWithFaultsAreRefusedByField(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("taken"))
	long := strings.Repeat("x", 33)
	cases := map[string]struct {
		change func(*domain.Definition)
		field  string
		code   domain.Code
	}{
		"no name":            {func(d *domain.Definition) { d.Name = "" }, "name", domain.CodeInvalidName},
		"a long name":        {func(d *domain.Definition) { d.Name = long }, "name", domain.CodeInvalidName},
		"a taken name":       {func(d *domain.Definition) { d.Name = "Taken!" }, "name", domain.CodeDuplicateName},
		"no transport":       {func(d *domain.Definition) { d.Transport = "carrier pigeon" }, "transport", domain.CodeInvalidInput},
		"no program":         {func(d *domain.Definition) { d.Command = " " }, "command", domain.CodeInvalidInput},
		"an unknown program": {func(d *domain.Definition) { d.Command = "no-such-program" }, "command", domain.CodeProgramNotFound},
		"a relative folder":  {func(d *domain.Definition) { d.Cwd = "here" }, "cwd", domain.CodeInvalidInput},
		"a relative root":    {func(d *domain.Definition) { d.Roots = []string{"here"} }, "roots[0]", domain.CodeInvalidInput},
		"the data folder":    {func(d *domain.Definition) { d.Roots = []string{"/tmp", b.home} }, "roots[1]", domain.CodeInvalidInput},
		"a missing root":     {func(d *domain.Definition) { d.Roots = []string{b.home + "/no"} }, "roots[0]", domain.CodeInvalidInput},
		"a root that is a file": {func(d *domain.Definition) {
			d.Roots = []string{config.Path(b.home)}
			_ = os.WriteFile(d.Roots[0], nil, 0o600)
		}, "roots[0]", domain.CodeInvalidInput},
		"roots without end": {func(d *domain.Definition) { d.Roots = make([]string, 101) }, "roots", domain.CodeInvalidInput},
		"an unset variable": {func(d *domain.Definition) { d.Args = []string{"${NOT_SET}"} }, "args[0]", domain.CodeVariableUnset},
		"a bad variable":    {func(d *domain.Definition) { d.Env = []domain.Variable{{Name: "A B"}} }, "env[0].name", domain.CodeInvalidInput},
		"a variable twice": {func(d *domain.Definition) {
			d.Env = []domain.Variable{{Name: "A"}, {Name: "A"}}
		}, "env[1].name", domain.CodeInvalidInput},
		"a pasted line break": {func(d *domain.Definition) {
			d.Env = []domain.Variable{{Name: "A", Value: "key\n"}}
		}, "env[0].value", domain.CodeInvalidInput},
		"a negative timeout":        {func(d *domain.Definition) { d.TimeoutMS = -1 }, "timeout_ms", domain.CodeInvalidInput},
		"a tiny buffer":             {func(d *domain.Definition) { d.BufferSize = 10 }, "buffer_size", domain.CodeInvalidInput},
		"no address":                {address(""), "url", domain.CodeInvalidInput},
		"half an address":           {address("localhost:3000/mcp"), "url", domain.CodeInvalidInput},
		"a port that there is not":  {address("https://host:99999/mcp"), "url", domain.CodeInvalidInput},
		"port zero":                 {address("https://host:0/mcp"), "url", domain.CodeInvalidInput},
		"a password in the address": {address("https://me:hush@host/mcp"), "url", domain.CodeInvalidInput},
		"a header twice": {func(d *domain.Definition) {
			address("https://host/mcp")(d)
			d.Headers = []domain.Variable{{Name: "X-Key", Value: "1"}, {Name: "x-key", Value: "2"}}
		}, "headers[1].name", domain.CodeInvalidInput},
		"a header of the protocol": {func(d *domain.Definition) {
			address("https://host/mcp")(d)
			d.Headers = []domain.Variable{{Name: "MCP-Session-ID", Value: "1"}}
		}, "headers[0].name", domain.CodeInvalidInput},
		"an endless address": {address("https://host/" + strings.Repeat("y", 10_000)), "url", domain.CodeInvalidInput},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			d := fake("fine")
			test.change(&d)
			check, err := b.Check(d, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range check.Errors {
				if fault.Field != test.field || fault.Error.Code != test.code || fault.Error.Hint == "" {
					continue
				}
				if test.code == domain.CodeInvalidInput && fault.Error.Args["reason"] == "" {
					t.Errorf("no reason in %+v", fault.Error)
				}
				return
			}
			t.Errorf("faults %+v, want %s on %s with a hint", check.Errors, test.code, test.field)
		})
	}
}

func address(url string) func(*domain.Definition) {
	return func(d *domain.Definition) {
		*d = domain.Definition{Name: d.Name, Transport: domain.StreamableHTTP, URL: url}
	}
}

func TestPreviewLeavesSecretsOut(t *testing.T) {
	b := newBench(t)
	d := domain.Definition{
		Name: "x", Transport: domain.StreamableHTTP, URL: "https://host.example/mcp",
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer hush"}, {Name: "X-Region", Value: "eu"}},
	}
	check, err := b.Check(d, "")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(check.Preview, "hush") || !strings.Contains(check.Preview, "X-Region: eu") {
		t.Errorf("preview:\n%s", check.Preview)
	}
}
