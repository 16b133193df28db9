package core_test

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// host opens a window's host on the data folder of o and gives the events it hears.
func host(t *testing.T, o core.Options) (*core.Host, <-chan domain.Event) {
	t.Helper()
	o.Role = core.Window
	events := make(chan domain.Event, 1000)
	h, err := core.OpenHost(t.Context(), o, func(e domain.Event) {
		select {
		case events <- e:
		default: // a test that does not listen must not stop the host
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("close host: %v", err)
		}
	})
	return h, events
}

func ownerOf(t *testing.T, h http.Handler) string {
	t.Helper()
	a := ask(t, h, http.MethodGet, "/api/status", nil)
	if a.status != http.StatusOK {
		return "none"
	}
	return decode[api.Status](t, a).Owner
}

func TestWindowAloneOwnsTheFolder(t *testing.T) {
	h, _ := host(t, options(t, core.Window))
	if got := ownerOf(t, h); got != "window" || !h.Owns() {
		t.Fatalf("owner %q, owns %t", got, h.Owns())
	}
}

func TestWindowAttachesAndTakesOver(t *testing.T) {
	o := options(t, core.Serve)
	serve, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Listen(t.Context(), serve.Address("")); err != nil {
		t.Fatal(err)
	}
	h, events := host(t, o)
	if got := ownerOf(t, h); got != "serve" || h.Owns() {
		t.Fatalf("owner %q, owns %t", got, h.Owns())
	}
	ask(t, h, http.MethodPatch, "/api/settings", map[string]any{"key": "ui.theme", "value": "dark"})
	wait(t, events, func() bool { return setting(t, h, "ui.theme") == "dark" })

	if err := serve.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	limit := time.After(time.Minute)
	for ownerOf(t, h) != "window" {
		select {
		case <-events:
		case <-limit:
			t.Fatal("the window did not take over")
		}
	}
	if got := setting(t, h, "ui.theme"); got != "dark" {
		t.Fatalf("theme %q after taking over, want dark", got)
	}
}

func setting(t *testing.T, h http.Handler, key string) string {
	t.Helper()
	for _, s := range decode[api.SettingList](t, ask(t, h, http.MethodGet, "/api/settings", nil)).Settings {
		if s.Key == key {
			return s.Value
		}
	}
	t.Fatalf("no setting %s", key)
	return ""
}

func TestWindowRefusesAnotherVersion(t *testing.T) {
	o := options(t, core.Serve)
	listen(t, o)
	o.Role, o.Version = core.Window, "2.0"
	if _, err := core.OpenHost(t.Context(), o, func(domain.Event) {}); domain.CodeOf(err) != domain.CodeOtherVersion {
		t.Fatalf("got %v, want %s", err, domain.CodeOtherVersion)
	}
}

func TestWindowDoesNotWaitForAnOwnerThatHangs(t *testing.T) {
	o := options(t, core.Window)
	lock, err := owner.Take(t.Context(), o.Home, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Release() }()
	hanging, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0") // it takes connections and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hanging.Close() }()
	if err := lock.Publish(owner.Instance{URL: "http://" + hanging.Addr().String(), Token: "t", Version: o.Version, PID: 7}); err != nil {
		t.Fatal(err)
	}
	_, err = core.OpenHost(t.Context(), o, func(domain.Event) {})
	if domain.CodeOf(err) != domain.CodeNotRunning || domain.AsError(err).Hint == "" {
		t.Fatalf("got %v, want %s with a hint", err, domain.CodeNotRunning)
	}
}
