package servers_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/servers"
)

// window is the caller of these tests.
var window = domain.Caller{Kind: domain.CallerWindow, Name: "window", User: domain.LocalUser}

func TestRemovedServerComesBackWithItsSecrets(t *testing.T) {
	b := newBench(t)
	d := fake("keeper")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	b.add(t, d)
	if err := b.Remove(t.Context(), "keeper"); err != nil {
		t.Fatal(err)
	}
	_, err := b.Get("keeper")
	wantCode(t, err, domain.CodeUnknownServer)

	if _, err := b.Restore(t.Context(), "keeper"); err != nil {
		t.Fatal(err)
	}
	if secret, err := b.vault.Resolve("keeper/env.API_KEY"); err != nil || secret != "hush-hush-hush" {
		t.Fatalf("resolve after restore: %q %v", secret, err)
	}
	_, err = b.Restore(t.Context(), "keeper")
	wantCode(t, err, domain.CodeDuplicateName)
}

func TestEmptyingTheTrashForgetsSecrets(t *testing.T) {
	b := newBench(t)
	d := fake("gone")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	b.add(t, d)
	if err := b.Remove(t.Context(), "gone"); err != nil {
		t.Fatal(err)
	}
	b.now = time.Now().Add(25 * time.Hour)
	if err := b.EmptyTrash(); err != nil {
		t.Fatal(err)
	}
	_, err := b.vault.Resolve("gone/env.API_KEY")
	wantCode(t, err, domain.CodeCredentialMissing)
}

func TestLogsGoWithTheTrash(t *testing.T) {
	b := newBench(t)
	logs := filepath.Join(b.home, "logs")
	for _, name := range []string{"gone", "back", "stays"} {
		b.add(t, fake(name))
		if err := b.Health(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(logs, name+".log.1"), []byte("earlier\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"gone", "back"} {
		if err := b.Remove(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	b.add(t, fake("back")) // another server under the name of one in the trash
	all := []string{"back.log", "back.log.1", "gone.log", "gone.log.1", "stays.log", "stays.log.1"}
	b.now = time.Now().Add(23 * time.Hour)
	for _, want := range [][]string{all, slices.Concat(all[:2], all[4:])} {
		if err := b.EmptyTrash(); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(logs)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		if !slices.Equal(names, want) {
			t.Errorf("kept %v, want %v", names, want)
		}
		b.now = b.now.Add(2 * time.Hour)
	}
}

func TestSwitchedOffServerIsNotStarted(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("lamp"))
	if err := b.Disable(t.Context(), "lamp"); err != nil {
		t.Fatal(err)
	}
	view, err := b.Get("lamp")
	if err != nil || view.Enabled || view.State != domain.StateOff {
		t.Fatalf("%+v %v", view, err)
	}
	wantCode(t, b.Connect(t.Context(), "lamp"), domain.CodeServerOff)
	target, err := b.Find(t.Context(), domain.Call{Kind: domain.ToolCall, Server: "lamp", Name: "echo"})
	if err != nil || target.Server.Enabled {
		t.Fatalf("%+v %v", target, err)
	}
	if tools, err := b.Tools(t.Context(), "lamp", window); err != nil || len(tools) == 0 {
		t.Fatalf("the known tools of a server that is off: %d, %v", len(tools), err)
	}
	if err := b.Enable(t.Context(), "lamp"); err != nil {
		t.Fatal(err)
	}
	if err := b.Health(t.Context(), "lamp"); err != nil {
		t.Fatal(err)
	}
}

func TestUpdateKeepsTheIDAndNeedsATest(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("first"))
	b.add(t, fake("second"))
	d := fake("First, renamed")
	_, err := b.Update(t.Context(), "first", servers.Change{Definition: d})
	wantCode(t, err, domain.CodeTestRequired)

	report := b.test(t, d)
	view, err := b.Update(t.Context(), "first", servers.Change{Definition: d, TestID: report.ID})
	if err != nil || view.ID != "first" || view.Name != "First, renamed" {
		t.Fatalf("%+v %v", view, err)
	}
	_, err = b.Update(t.Context(), "first", servers.Change{Definition: fake("second"), TestID: report.ID})
	wantCode(t, err, domain.CodeDuplicateName)
}

func TestServersOfTheFileAreEditedThere(t *testing.T) {
	b := newBench(t)
	text := "# mine\n\n[[mcp_servers]]\nname = \"filed\"\ntransport = \"http\"\nurl = \"http://127.0.0.1:1/mcp\"\n"
	if err := os.WriteFile(config.Path(b.home), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.reload(); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		b.Remove(t.Context(), "filed"),
		second(b.Update(t.Context(), "filed", servers.Change{Definition: fake("filed"), SkipTest: true})),
	} {
		wantCode(t, err, domain.CodeManagedByFile)
		if e := domain.AsError(err); e.Args["line"] != "3" || !strings.Contains(e.Hint, "line 3") {
			t.Errorf("args %v, hint %q, want line 3", e.Args, e.Hint)
		}
	}
	if err := b.Disable(t.Context(), "filed"); err != nil {
		t.Fatal(err)
	}
	if view, err := b.Get("filed"); err != nil || view.Enabled || view.Source != domain.FromConfig {
		t.Fatalf("%+v %v", view, err)
	}
	if now, err := os.ReadFile(config.Path(b.home)); err != nil || string(now) != text {
		t.Fatalf("the file changed: %q %v", now, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestSaveToConfigWritesAReferenceNotTheSecret(t *testing.T) {
	b := newBench(t)
	d := fake("filed")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	view, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true, SaveToConfig: true})
	if err != nil || view.Source != domain.FromConfig {
		t.Fatalf("%+v %v", view, err)
	}
	text, err := os.ReadFile(config.Path(b.home))
	if err != nil || !strings.Contains(string(text), "${secret:filed/env.API_KEY}") {
		t.Fatalf("config.toml: %s %v", text, err)
	}
	assertNotOnDisk(t, b.home, "hush-hush-hush")
}

func TestUnsetVariableFailsTheFirstStepAndSendsNothing(t *testing.T) {
	b := newBench(t)
	d := fake("vars")
	d.Args = append(d.Args, "${NOT_SET_ANYWHERE}")
	report := b.test(t, d)
	if report.OK || report.Error == nil || report.Error.Code != domain.CodeVariableUnset || len(report.Steps) != 1 {
		t.Fatalf("%+v", report)
	}
	if !strings.Contains(report.Error.Message, "NOT_SET_ANYWHERE") {
		t.Errorf("message %q does not name the variable", report.Error.Message)
	}
}

func TestCancelledTestEndsWhatItStarted(t *testing.T) {
	b := newBench(t)
	report, err := b.TestDraft(fake("mute", mcptest.Silent), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.CancelTest(report.ID); err != nil {
		t.Fatal(err)
	}
	report, err = b.Test(t.Context(), report.ID, time.Minute)
	if err != nil || report.Running || report.OK || report.Error == nil || report.Error.Code != domain.CodeCanceled {
		t.Fatalf("%+v %v", report, err)
	}
	wantCode(t, b.CancelTest("ghost"), domain.CodeUnknownItem)
}

func TestCallerThatLeavesStopsWaitingForATest(t *testing.T) {
	b := newBench(t)
	report, err := b.TestDraft(fake("mute", mcptest.Silent), "", "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if report, err = b.Test(ctx, report.ID, time.Minute); err == nil || !report.Running {
		t.Fatalf("%+v %v, want the running report and the end of the context", report, err)
	}
}

func TestCopyHasSecretsOfItsOwn(t *testing.T) {
	b := newBench(t)
	d := fake("original")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	original := b.add(t, d)

	d = original.Definition
	d.Name = "copy"
	_, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true})
	wantCode(t, err, domain.CodeInvalidInput) // without saying of what it is a copy, it may not have the secret

	if _, err = b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true, From: "original"}); err != nil {
		t.Fatal(err)
	}
	if err := b.vault.DeleteServer("original"); err != nil {
		t.Fatal(err)
	}
	if secret, err := b.vault.Resolve("copy/env.API_KEY"); err != nil || secret != "hush-hush-hush" {
		t.Fatalf("resolve: %q %v", secret, err)
	}
}

func TestCopyOfAServerInConfigKeepsItsSecrets(t *testing.T) {
	b := newBench(t)
	b.file = config.Config{Servers: []domain.Server{{
		ID: "original", Source: domain.FromConfig, Line: 1, Definition: domain.Definition{
			Name: "original", Transport: domain.Stdio, Command: "true", Args: []string{"--token", "hush-hush-hush"},
		},
	}}}
	shown, err := b.Get("original")
	if err != nil || len(shown.Env) != 1 || strings.Contains(shown.Env[0].Value+strings.Join(shown.Args, ""), "hush") {
		t.Fatalf("%#v %v: the secret is shown", shown.Args, err)
	}
	d := shown.Definition
	d.Name = "copy"
	_, err = b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true})
	wantCode(t, err, domain.CodeInvalidInput)
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true, From: "original"}); err != nil {
		t.Fatal(err)
	}
	if secret, err := b.vault.Resolve("copy/env.TOKEN"); err != nil || secret != "hush-hush-hush" {
		t.Fatalf("resolve: %q %v", secret, err)
	}
}

func TestSecretThatIsNoLongerUsedIsForgotten(t *testing.T) {
	b := newBench(t)
	d := fake("files")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	b.add(t, d)
	d.Env = d.Env[:len(d.Env)-1]
	if _, err := b.Update(t.Context(), "files", servers.Change{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	_, err := b.vault.Resolve("files/env.API_KEY")
	wantCode(t, err, domain.CodeCredentialMissing)
}

func TestServerThatCannotBeSavedToConfigLeavesSecretsAsTheyWere(t *testing.T) {
	b := newBench(t)
	d := fake("files")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush"})
	b.add(t, d)
	if err := b.Remove(t.Context(), "files"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config.Path(b.home), []byte("x =\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Env[len(d.Env)-1].Value = "another-secret"
	_, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true, SaveToConfig: true})
	wantCode(t, err, domain.CodeConfigInvalid)
	if _, err := b.Restore(t.Context(), "files"); err != nil {
		t.Fatal(err)
	}
	if secret, err := b.vault.Resolve("files/env.API_KEY"); err != nil || secret != "hush-hush-hush" {
		t.Fatalf("resolve: %q %v, want the secret that was removed with its server", secret, err)
	}
}

func TestServerThatIsOnIsNeverShownAsOffWithoutAReason(t *testing.T) {
	b := newBench(t)
	if view := b.add(t, fake("files")); view.State == domain.StateOff {
		t.Errorf("just added it is %s because of %v", view.State, view.Reason)
	}
	if err := b.Connect(t.Context(), "files"); err != nil {
		t.Fatal(err)
	}
	if err := b.Disconnect(t.Context(), "files"); err != nil {
		t.Fatal(err)
	}
	view, err := b.Get("files")
	if err != nil || view.State != domain.StateOff || view.Reason == nil || view.Reason.Code != domain.CodeServerOff {
		t.Errorf("disconnected it is %s because of %v, %v", view.State, view.Reason, err)
	}
}

func TestServerSwitchedOffAsACallComesStaysOff(t *testing.T) {
	b := newBench(t)
	b.add(t, fake("files"))
	read := b.Config
	between := func() {
		if err := b.Disable(t.Context(), "files"); err != nil {
			t.Error(err)
		}
	}
	b.Config = func() (config.Config, *domain.Error) { // asked after the stored servers were read
		now := between
		between = func() {}
		now()
		return read()
	}
	_, _ = b.Find(t.Context(), domain.Call{Kind: domain.ToolCall, Server: "files", Name: "echo"})
	if status := b.Pool.Status("files"); status.References != 0 {
		t.Errorf("the server is kept up although it is switched off: %+v", status)
	}
}

func TestNewValueOfASecretReachesTheServer(t *testing.T) {
	b := newBench(t)
	d := fake("keeper")
	d.Env = append(d.Env, domain.Variable{Name: "API_KEY", Value: "hush-hush-hush", Secret: true})
	b.add(t, d)
	if err := b.Health(t.Context(), "keeper"); err != nil {
		t.Fatal(err)
	}
	first, err := b.Get("keeper")
	if err != nil {
		t.Fatal(err)
	}
	d.Env[len(d.Env)-1].Value = "hush-again"
	if _, err := b.Update(t.Context(), "keeper", servers.Change{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	if err := b.Health(t.Context(), "keeper"); err != nil {
		t.Fatal(err)
	}
	again, err := b.Get("keeper")
	if err != nil {
		t.Fatal(err)
	}
	if again.PID == first.PID || first.PID == 0 {
		t.Errorf("the program with the old value still runs: pid %d, then %d", first.PID, again.PID)
	}
}
