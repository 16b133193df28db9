package core_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/model"
)

const modelKey = "sk-apollia-0123456789abcdef"

// chatEndpoint lists one model to those who show the key.
func chatEndpoint(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+modelKey {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"no"}}`)
			return
		}
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"mistral-small"}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func settingIn(t *testing.T, a answer, key string) api.SettingView {
	t.Helper()
	for _, s := range decode[api.SettingList](t, a).Settings {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("there is no setting %s in %s", key, a.body)
	return api.SettingView{}
}

func set(key, value string) map[string]any { return map[string]any{"key": key, "value": value} }

func TestModelIsSetAndTried(t *testing.T) {
	o := options(t, core.Serve)
	c := open(t, o)
	w := window(c)
	check := func() model.Readiness {
		return decode[model.Readiness](t, ask(t, w, http.MethodPost, "/api/model/check", nil))
	}
	if got := check(); got.OK || got.Error == nil || got.Error.Code != domain.CodeModelNotSet {
		t.Errorf("with nothing set: %+v", got)
	}
	if a := ask(t, w, http.MethodPut, "/api/model/key", api.ModelKey{Key: modelKey}); a.status != http.StatusUnprocessableEntity {
		t.Errorf("a key without an address gives %d %s", a.status, a.body)
	}
	ask(t, w, http.MethodPatch, "/api/settings", set("model.base_url", chatEndpoint(t)))
	ask(t, w, http.MethodPatch, "/api/settings", set("model.name", "mistral-small"))
	if got := check(); got.OK || got.Key != model.KeyMissing {
		t.Errorf("without the key: %+v", got)
	}
	a := ask(t, w, http.MethodPut, "/api/model/key", api.ModelKey{Key: modelKey})
	if got := settingIn(t, a, "model.key"); got.Secret != model.KeyKept || got.Value != "" || bytes.Contains(a.body, []byte(modelKey)) {
		t.Errorf("the key is told: %s", a.body)
	}
	if got := check(); !got.OK || got.Key != model.KeyAccepted || !got.ModelKnown {
		t.Errorf("with the key: %+v", got)
	}
	if files := filesWith(t, o.Home, modelKey); len(files) > 0 {
		t.Errorf("the key is in clear in %v", files)
	}
	a = ask(t, w, http.MethodPatch, "/api/settings", set("model.base_url", "http://127.0.0.1:1/v1"))
	if got := settingIn(t, a, "model.key"); got.Secret != model.KeyElsewhere {
		t.Errorf("at another address the key is %s", got.Secret)
	}
	a = ask(t, w, http.MethodDelete, "/api/model/key", nil)
	if got := settingIn(t, a, "model.key"); got.Secret != model.KeyNone {
		t.Errorf("forgotten, the key is %s", got.Secret)
	}
}

func TestAKeyOfTheModelNeedsItsLine(t *testing.T) {
	o := options(t, core.Serve)
	var days atomic.Int64
	o.Now = func() time.Time { return time.Now().AddDate(0, 0, int(days.Load())) }
	c := open(t, o)
	w := window(c)
	ask(t, w, http.MethodPatch, "/api/settings", set("model.base_url", chatEndpoint(t)))
	inTheWay := filepath.Join(o.Home, "audit", "next.draft") // of the file of the next day
	if err := os.MkdirAll(filepath.Join(inTheWay, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	days.Store(1)
	key := api.ModelKey{Key: modelKey}
	if a := ask(t, w, http.MethodPut, "/api/model/key", key); a.status < http.StatusBadRequest {
		t.Errorf("a key whose line cannot be written gives %d %s", a.status, a.body)
	}
	if got := settingIn(t, ask(t, w, http.MethodGet, "/api/settings", nil), "model.key"); got.Secret != model.KeyNone {
		t.Errorf("without its line the key is %s", got.Secret)
	}
	if err := os.RemoveAll(inTheWay); err != nil {
		t.Fatal(err)
	}
	if got := settingIn(t, ask(t, w, http.MethodPut, "/api/model/key", key), "model.key"); got.Secret != model.KeyKept {
		t.Errorf("with its line the key is %s", got.Secret)
	}
	if lines := journalOf(t, c, 1); !slices.Equal(summary(lines), []string{"settings changed"}) || lines[0].Name != "model.key" {
		t.Errorf("the lines are %+v", lines)
	}
}

// filesWith are the files of a folder that hold a text in clear.
func filesWith(t *testing.T, folder, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// An agent with a shell can neither send what servers ask elsewhere, nor raise their limit; it can take the key away.
func TestScriptsDoNotSetTheModel(t *testing.T) {
	c := open(t, options(t, core.Serve))
	ask(t, window(c), http.MethodPatch, "/api/settings", set("model.base_url", chatEndpoint(t)))
	script := c.Handler(api.CLIPrincipal(false))
	for name, try := range map[string]func() answer{
		"the address": func() answer {
			return ask(t, script, http.MethodPatch, "/api/settings", set("model.base_url", "https://evil.example/v1"))
		},
		"the model": func() answer { return ask(t, script, http.MethodPatch, "/api/settings", set("model.name", "gpt")) },
		"the limit": func() answer {
			return ask(t, script, http.MethodPatch, "/api/settings", set("sampling.per_hour", "9999"))
		},
		"the key": func() answer { return ask(t, script, http.MethodPut, "/api/model/key", api.ModelKey{Key: modelKey}) },
	} {
		if a := try(); a.status != http.StatusForbidden || !strings.Contains(string(a.body), string(domain.CodeSelfApproval)) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	if a := ask(t, c.Handler(api.CLIPrincipal(true)), http.MethodPut, "/api/model/key", api.ModelKey{Key: modelKey}); a.status != http.StatusOK {
		t.Errorf("a person at a terminal: %d %s", a.status, a.body)
	}
	if a := ask(t, script, http.MethodDelete, "/api/model/key", nil); a.status != http.StatusOK {
		t.Errorf("taking the key away: %d %s", a.status, a.body)
	}
}

func TestKeyOfTheModelIsNoSettingLikeOthers(t *testing.T) {
	o := options(t, core.Serve)
	if err := os.WriteFile(filepath.Join(o.Home, "config.toml"), []byte("[model]\nkey = \""+modelKey+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, o)
	a := ask(t, window(c), http.MethodGet, "/api/status", nil)
	if !strings.Contains(string(a.body), "config_invalid") || strings.Contains(string(a.body), modelKey) {
		t.Errorf("a key in config.toml: %s", a.body)
	}
	a = ask(t, window(c), http.MethodPatch, "/api/settings", set("model.key", modelKey))
	if a.status != http.StatusUnprocessableEntity || strings.Contains(string(a.body), modelKey) {
		t.Errorf("a key as a setting: %d %s", a.status, a.body)
	}
}
