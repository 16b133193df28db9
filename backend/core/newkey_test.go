package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/secrets"
)

// free is a server whose calls never ask, with a secret if given.
func free(name, secret string) domain.Definition {
	d := mcptest.Command(mcptest.Options{Name: name})
	d.Name, d.DefaultVerdict = name, domain.Allow
	if secret != "" {
		d.Env = append(d.Env, domain.Variable{Name: "ACME_TOKEN", Value: secret, Secret: true})
	}
	return d
}

// callEcho calls a server and gives the call at its end.
func callEcho(t *testing.T, c *core.Core, server string) api.CallView {
	t.Helper()
	return end(t, c, decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: server, Kind: domain.ToolCall, Name: "echo", Arguments: json.RawMessage(`{"message":"x"}`), WaitMS: 60_000,
	})))
}

// keyless is a core whose key file was deleted while it was closed, with the servers "plain" and "keeper", which has a
// secret. It says how many entries its journal has.
func keyless(t *testing.T) (c *core.Core, entries int) {
	t.Helper()
	o := options(t, core.Serve)
	before, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, secret := range map[string]string{"plain": "", "keeper": "hush-hush-hush"} {
		a := ask(t, window(before), http.MethodPost, "/api/servers", api.NewServer{Definition: free(name, secret), SkipTest: true})
		if a.status != http.StatusOK {
			t.Fatalf("%s", a.body)
		}
		if call := callEcho(t, before, name); call.Error != nil {
			t.Fatalf("%s: %v", name, call.Error)
		}
	}
	report := verified(t, before)
	if err := before.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(o.Home, "server.key")); err != nil {
		t.Fatal(err)
	}
	return open(t, o), report.Entries
}

func verified(t *testing.T, c *core.Core) audit.Report {
	t.Helper()
	report := decode[audit.Report](t, ask(t, window(c), http.MethodGet, "/api/audit/verify", nil))
	if !report.OK {
		t.Fatalf("the journal is broken: %+v", report)
	}
	return report
}

func TestLostKeySaysTheWayOut(t *testing.T) {
	c, _ := keyless(t)
	place := decode[api.Status](t, ask(t, window(c), http.MethodGet, "/api/status", nil)).Secrets
	if place.Reason == nil || place.Reason.Code != domain.CodeSecretKeyMissing || !slices.Equal(place.Lost, []string{"keeper/env.ACME_TOKEN"}) {
		t.Errorf("the status is %+v, want the key missing, with what it costs", place)
	}
	for _, server := range []string{"plain", "keeper"} {
		e := callEcho(t, c, server).Error
		if e == nil || e.Code != domain.CodeSecretKeyMissing || e.Args["reason"] != "journal" ||
			!strings.Contains(e.Message, "journal cannot be sealed") || !strings.Contains(e.Hint, "apollia doctor --new-key") {
			t.Errorf("a call of %s ends with %+v, want it refused with the reason and the way out", server, e)
		}
	}
	report := decode[api.DoctorReport](t, ask(t, window(c), http.MethodGet, "/api/doctor", nil))
	at := slices.IndexFunc(report.Findings, func(f doctor.Finding) bool { return f.Check == "keyring" })
	if f := report.Findings[at]; f.Level != doctor.Problem || !strings.Contains(f.Error.Hint, "apollia doctor --new-key") {
		t.Errorf("the doctor says %+v", f)
	}
}

func TestNewKeyBringsCallsBack(t *testing.T) {
	c, before := keyless(t)
	if a := ask(t, script(c), http.MethodPost, "/api/secrets/new-key", nil); a.status < http.StatusBadRequest || a.code(t) != domain.CodeSelfApproval {
		t.Errorf("a script that wants a new key gets %d %s", a.status, a.body)
	}
	renewal := decode[secrets.Renewal](t, ask(t, window(c), http.MethodPost, "/api/secrets/new-key", nil))
	if !slices.Equal(renewal.Secrets, []string{"keeper/env.ACME_TOKEN"}) {
		t.Errorf("the renewal costs %v", renewal.Secrets)
	}
	if a := ask(t, window(c), http.MethodPost, "/api/secrets/new-key", nil); a.status != http.StatusConflict || a.code(t) != domain.CodeSecretKeyPresent {
		t.Errorf("a second new key gets %d %s", a.status, a.body)
	}
	if call := callEcho(t, c, "plain"); call.Error != nil {
		t.Errorf("a server without secrets: %+v", call.Error)
	}
	if e := callEcho(t, c, "keeper").Error; e == nil || e.Code != domain.CodeCredentialMissing || e.Args["variable"] != "keeper/env.ACME_TOKEN" {
		t.Errorf("a server with a secret: %+v, want %s with its name", e, domain.CodeCredentialMissing)
	}
	if r := verified(t, c); r.Unchecked != before || r.Entries <= before {
		t.Errorf("of %d entries %d are unchecked, want %d", r.Entries, r.Unchecked, before)
	}
	entries := decode[api.Activity](t, ask(t, window(c), http.MethodGet, "/api/activity", nil)).Entries
	at := slices.IndexFunc(entries, func(e audit.Entry) bool { return e.Prior != nil })
	if at < 0 || entries[at].Name != "secret_key" || entries[at].Caller.Name != "window" || len(entries) <= before {
		t.Errorf("the journal does not say who made the key and what was before: %+v", entries)
	}

	a := ask(t, window(c), http.MethodPut, "/api/servers/keeper", api.ServerChange{Definition: free("keeper", "hush-again"), SkipTest: true})
	if a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	if call := callEcho(t, c, "keeper"); call.Error != nil {
		t.Errorf("after its secret was given again: %+v", call.Error)
	}
}

func TestLockedKeyringSaysWhyACallIsRefused(t *testing.T) {
	keyring.MockInit()
	t.Cleanup(keyring.MockInit)
	o := options(t, core.Serve)
	o.Environ = append(o.Environ, "DBUS_SESSION_BUS_ADDRESS=unix:path=/never/dialled")
	before, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	a := ask(t, window(before), http.MethodPost, "/api/servers", api.NewServer{Definition: free("plain", ""), SkipTest: true})
	if a.status != http.StatusOK {
		t.Fatalf("%s", a.body)
	}
	if err := before.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}

	keyring.MockInitWithError(errors.New("the collection is locked"))
	c := open(t, o)
	events, cancel := c.Subscribe()
	defer cancel()
	wait(t, events, func() bool { // before any call
		problems := decode[api.Status](t, ask(t, window(c), http.MethodGet, "/api/status", nil)).Problems
		return len(problems) == 1 && problems[0].Code == domain.CodeKeyringDown
	})
	e := callEcho(t, c, "plain").Error
	if e == nil || e.Code != domain.CodeKeyringDown || e.Args["reason"] != "journal" ||
		!strings.Contains(e.Message, "journal cannot be sealed: the system keyring") || !strings.HasPrefix(e.Hint, "Unlock the keyring") {
		t.Errorf("the call ends with %+v, want what, why and to unlock the keyring", e)
	}
	if a := ask(t, window(c), http.MethodPost, "/api/secrets/new-key", nil); a.status < http.StatusBadRequest || a.code(t) != domain.CodeKeyringDown {
		t.Errorf("a new key while the keyring is locked gets %d %s", a.status, a.body)
	}
}
