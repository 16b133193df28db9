package core_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/session"
)

// product is the API of a core with one server, which asks for no approval.
type product struct {
	t    *testing.T
	h    http.Handler
	what string // the revision and the transport, for messages
}

func (p product) ask(method, path string, body any) answer {
	p.t.Helper()
	return ask(p.t, p.h, method, "/api/servers/fake/"+path, body)
}

// call makes a call and waits for its end.
func (p product) call(kind domain.CallKind, name, arguments string) api.CallView {
	p.t.Helper()
	view := decode[api.CallView](p.t, ask(p.t, p.h, http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: kind, Name: name, Arguments: json.RawMessage(arguments), WaitMS: 60_000,
	}))
	if view.Status != api.CallDone {
		p.t.Fatalf("%s: %s is still %s", p.what, name, view.Status)
	}
	return view
}

// raw is the result of a call that must succeed.
func (p product) raw(kind domain.CallKind, name, arguments string) string {
	p.t.Helper()
	view := p.call(kind, name, arguments)
	if view.Error != nil || view.Result == nil {
		p.t.Fatalf("%s: %s: %v", p.what, name, view.Error)
	}
	return string(view.Result.Raw)
}

func (p product) want(what, got, part string) {
	p.t.Helper()
	if !strings.Contains(got, part) {
		p.t.Errorf("%s: %s gives %.300s, without %s", p.what, what, got, part)
	}
}

// What a server offers besides tools, resources and prompts reaches the API in every revision, over every transport.
func TestFeaturesReachTheAPIInEveryRevision(t *testing.T) {
	for _, revision := range session.Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == session.Stateless && d.Transport == domain.SSE {
				return // that transport has only the older revisions
			}
			files := filepath.Join(t.TempDir(), "files")
			if err := os.Mkdir(files, 0o700); err != nil {
				t.Fatal(err)
			}
			d.Name, d.DefaultVerdict, d.Roots = "fake", domain.Allow, []string{files}
			p := product{t: t, h: window(open(t, options(t, core.Window))), what: revision + " over " + string(d.Transport)}
			decode[struct{}](t, ask(t, p.h, http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true}))
			decode[struct{}](t, p.ask(http.MethodPost, "connect", nil))
			p.follows()
			p.completesAndSetsLevels()
			p.passesOnWhatIsNotKnown()
			p.answersTheServer(files)
			p.changesFolders(files)
			p.listensToCalls()
			p.listsAgain()
			if revision >= "2025-11-25" {
				p.want("a task", p.raw(domain.ToolCall, "task", `{"message":"done"}`), "done as a task")
			}
		})
	}
}

func (p product) follows() {
	p.t.Helper()
	const uri = "test://text"
	decode[api.SubscriptionList](p.t, p.ask(http.MethodPut, "subscriptions", api.ResourceRef{URI: uri}))
	mcptest.Eventually(p.t, "that the resource changed", func() bool {
		p.raw(domain.ToolCall, "change", `{"message":"`+uri+`"}`)
		list := decode[api.SubscriptionList](p.t, p.ask(http.MethodGet, "subscriptions", nil)).Subscriptions
		return len(list) == 1 && list[0].URI == uri && list[0].ChangedAt != nil
	})
	left := decode[api.SubscriptionList](p.t, p.ask(http.MethodDelete, "subscriptions?uri="+uri, nil))
	if len(left.Subscriptions) != 0 {
		p.t.Errorf("%s: still followed: %v", p.what, left)
	}
}

func (p product) completesAndSetsLevels() {
	p.t.Helper()
	found := decode[domain.Completions](p.t, p.ask(http.MethodPost, "complete", domain.Completion{Prompt: "greet", Argument: "who", Value: "r"}))
	if !slices.Equal(found.Values, []string{"red", "rose"}) {
		p.t.Errorf("%s: completions %v", p.what, found)
	}
	if a := p.ask(http.MethodPut, "log-level", api.LogLevel{Level: "error"}); a.status >= http.StatusBadRequest {
		p.t.Errorf("%s: log level: %s", p.what, a.body)
	}
	p.want("the level", p.raw(domain.ToolCall, "level", ""), `"error"`)
}

func (p product) passesOnWhatIsNotKnown() {
	p.t.Helper()
	p.want("a member of no revision", p.raw(domain.ToolCall, "widget", ""), `"vendor":{"n":1e3}`)
	page := p.raw(domain.ResourceRead, "ui://widget", "")
	p.want("a page", page, "text/html;profile=mcp-app")
	if strings.HasPrefix(p.what, session.Stateless) {
		p.want("a page", page, `"ttlMs":0`)
	}
}

func fileURI(folder string) string { return (&url.URL{Scheme: "file", Path: folder}).String() }

// changesFolders: a session that goes on is told of other folders, and never of the data folder.
func (p product) changesFolders(files string) {
	p.t.Helper()
	other := p.t.TempDir()
	before := decode[servers.View](p.t, ask(p.t, p.h, http.MethodGet, "/api/servers/fake", nil))
	decode[servers.View](p.t, p.ask(http.MethodPost, "roots", api.RootsChange{Add: []string{other}, Remove: []string{files}}))
	p.want("the other folder", p.raw(domain.ToolCall, "roots", ""), `{\"roots\":[{\"uri\":\"`+fileURI(other)+`\"`)
	decode[servers.View](p.t, p.ask(http.MethodPost, "roots", api.RootsChange{Remove: []string{other}}))
	p.want("no folder", p.raw(domain.ToolCall, "roots", ""), `{\"roots\":[]}`)
	after := decode[servers.View](p.t, ask(p.t, p.h, http.MethodGet, "/api/servers/fake", nil))
	if after.PID != before.PID || !after.Since.Equal(before.Since) {
		p.t.Errorf("%s: the session was started again: %+v, then %+v", p.what, before.Status, after.Status)
	}
}

// answersTheServer: nobody waits, so that a form is closed, and there is no model for a text; roots are told.
func (p product) answersTheServer(files string) {
	p.t.Helper()
	p.want("roots", p.raw(domain.ToolCall, "roots", ""), fileURI(files))
	p.want("a form", p.raw(domain.ToolCall, "elicit", ""), `cancel`)
	view := p.call(domain.ToolCall, "sample", "")
	if strings.HasPrefix(p.what, session.Stateless) {
		if view.Error == nil || view.Error.Code != domain.CodeInputRefused {
			p.t.Errorf("%s: sampling: %v", p.what, view.Error)
		}
		return
	}
	p.want("sampling", string(view.Result.Raw), "no model is set for sampling")
}

func (p product) listensToCalls() {
	p.t.Helper()
	heard := func(view api.CallView, kind domain.NoticeKind) bool {
		return slices.ContainsFunc(view.Notices, func(n domain.Notice) bool { return n.Kind == kind })
	}
	if view := p.call(domain.ToolCall, "slow", `{"ms":4}`); !heard(view, domain.NoticeProgress) {
		p.t.Errorf("%s: no progress in %+v", p.what, view.Notices)
	}
	if view := p.call(domain.ToolCall, "log", `{"message":"hear me"}`); !heard(view, domain.NoticeLog) {
		p.t.Errorf("%s: no log message in %+v", p.what, view.Notices)
	}
}

func (p product) listsAgain() {
	p.t.Helper()
	count := func() int { return len(decode[api.ToolList](p.t, p.ask(http.MethodGet, "tools", nil)).Tools) }
	before := count()
	mcptest.Eventually(p.t, "the new tool", func() bool {
		p.raw(domain.ToolCall, "grow", "")
		return count() > before
	})
}
