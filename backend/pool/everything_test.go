package pool

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// scripted answers what servers ask as a person would who says yes to everything.
type scripted struct {
	mu    sync.Mutex
	asked []string
}

func (*scripted) Capabilities() map[string]json.RawMessage {
	return map[string]json.RawMessage{"elicitation": json.RawMessage(`{"form":{},"url":{}}`), "sampling": json.RawMessage(`{}`)}
}

func (*scripted) Completed(string, string) {}

func (s *scripted) Answer(_ context.Context, q session.Question) (json.RawMessage, *jsonrpc.Error) {
	var p struct{ Mode string }
	_ = json.Unmarshal(q.Params, &p) // sampling has no mode
	s.mu.Lock()
	s.asked = append(s.asked, strings.TrimSpace(q.Method+" "+p.Mode))
	s.mu.Unlock()
	switch {
	case q.Method == session.MethodSampling:
		return json.RawMessage(`{"role":"assistant","content":{"type":"text","text":"made by the script"},"model":"script","stopReason":"endTurn"}`), nil
	case p.Mode == "url":
		return json.RawMessage(`{"action":"accept"}`), nil
	default:
		return json.RawMessage(`{"action":"accept","content":{"name":"Ada","integer":7}}`), nil
	}
}

func (s *scripted) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.asked))
}

// content is one entry of a result.
type content struct {
	Type        string
	Text        string
	Data        []byte
	MIMEType    string `json:"mimeType"`
	URI         string
	Resource    struct{ URI, Text, Blob string }
	Annotations struct {
		Priority float64
		Audience []string
	}
}

// toolResult is what a tool gave.
type toolResult struct {
	Content    []content
	Structured struct{ Humidity float64 } `json:"structuredContent"`
	IsError    bool
}

func (r toolResult) has(text string) bool {
	return slices.ContainsFunc(r.Content, func(c content) bool { return strings.Contains(c.Text, text) })
}

func (r toolResult) at(i int) content {
	if i >= len(r.Content) {
		return content{}
	}
	return r.Content[i]
}

func isPNG(c content) bool {
	_, err := png.DecodeConfig(bytes.NewReader(c.Data))
	return err == nil && c.Type == "image" && c.MIMEType == "image/png"
}

func fromBase64(text string) string {
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func unzipped(text string) string {
	r, err := gzip.NewReader(strings.NewReader(fromBase64(text)))
	if err != nil {
		return err.Error()
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// says is the check of a result that must hold a text.
func says(text string) func(toolResult) bool {
	return func(r toolResult) bool { return !r.IsError && r.has(text) }
}

// everyTool is a call of each tool of the official test server, and what must come back.
func everyTool(root string) []struct {
	name, arguments string
	holds           func(toolResult) bool
} {
	return []struct {
		name, arguments string
		holds           func(toolResult) bool
	}{
		{"echo", `{"message":"bonjour"}`, says("Echo: bonjour")},
		{"get-annotated-message", `{"messageType":"error","includeImage":true}`, func(r toolResult) bool {
			return r.at(0).Annotations.Priority == 1 && len(r.at(0).Annotations.Audience) == 2 && isPNG(r.at(1))
		}},
		{"get-env", `{}`, says(`"PATH"`)},
		{"get-resource-links", `{"count":3}`, func(r toolResult) bool {
			return len(r.Content) == 4 && r.at(3).Type == "resource_link" && r.at(3).URI == "demo://resource/dynamic/blob/3"
		}},
		{"get-resource-reference", `{"resourceType":"Blob","resourceId":2}`, func(r toolResult) bool {
			return r.at(1).Type == "resource" && strings.Contains(fromBase64(r.at(1).Resource.Blob), "Resource 2")
		}},
		{"get-resource-reference", `{"resourceType":"Text","resourceId":4}`, func(r toolResult) bool {
			return r.at(1).Type == "resource" && strings.Contains(r.at(1).Resource.Text, "Resource 4")
		}},
		{"get-roots-list", `{}`, says(root)},
		{"get-structured-content", `{"location":"Chicago"}`, func(r toolResult) bool { return r.Structured.Humidity == 82 }},
		{"get-sum", `{"a":2,"b":40}`, says("The sum of 2 and 40 is 42.")},
		{"get-tiny-image", `{}`, func(r toolResult) bool { return isPNG(r.at(1)) }},
		{"gzip-file-as-resource", `{"name":"a.gz","data":"data:text/plain,bonjour","outputType":"resource"}`, func(r toolResult) bool {
			return unzipped(r.at(0).Resource.Blob) == "bonjour"
		}},
		{"gzip-file-as-resource", `{"name":"b.gz","data":"data:text/plain,salut"}`, func(r toolResult) bool {
			return r.at(0).Type == "resource_link" && r.at(0).URI == zippedURI
		}},
		{"simulate-research-query", `{"topic":"bees","ambiguous":true}`, says("bees")}, // a task, which asks a question
		{"toggle-simulated-logging", `{}`, says("Started")},
		{"toggle-simulated-logging", `{}`, says("Stopped")},
		{"toggle-subscriber-updates", `{}`, says("Started")},
		{"toggle-subscriber-updates", `{}`, says("Stopped")},
		{"trigger-elicitation-request", `{}`, says("- Name: Ada\n- Favorite Integer: 7")},
		{"trigger-long-running-operation", `{"duration":0.2,"steps":4}`, says("Steps: 4")},
		{"trigger-sampling-request", `{"prompt":"hello"}`, says("made by the script")},
		{"trigger-url-elicitation", `{"url":"https://example.com/sign"}`, says("User completed")},
	}
}

const zippedURI = "demo://resource/session/b.gz"

func TestEverythingServer(t *testing.T) {
	for _, mode := range []string{"stdio", "streamableHttp", "sse"} {
		t.Run(mode, func(t *testing.T) {
			d := everythingOver(t, mode)
			root := t.TempDir()
			d.Roots = []string{root}
			person := &scripted{}
			p := newPool(t, func(o *Options) { o.Answerer = person })
			report := p.Probe(mcptest.Within(t), "everything", d, nil)
			if !report.OK || len(report.Tools) != 17 || len(report.Resources) != 7 || len(report.Templates) != 2 || len(report.Prompts) != 4 {
				t.Fatalf("%d tools, %d resources, %d templates, %d prompts: %v",
					len(report.Tools), len(report.Resources), len(report.Templates), len(report.Prompts), report.Error)
			}
			start(t, p, server("everything", d))
			useEveryTool(t, p, root)
			if got := person.heard(); !slices.Equal(got, []string{"elicitation/create", "elicitation/create", "elicitation/create url", "sampling/createMessage"}) {
				t.Errorf("the server asked for %q", got)
			}
			mcptest.Eventually(t, "the server's log", func() bool {
				return strings.Contains(strings.ToLower(strings.Join(logTexts(p, "everything"), "\n")), "level")
			})
			changeFolders(t, p, d)
			openPagesFirst(t, p)
			readEveryResource(t, p)
			getEveryPrompt(t, p)
			completeArguments(t, p)
			followAResource(t, p)
			if err := p.Health(mcptest.Within(t), "everything"); err != nil {
				t.Errorf("health: %v", err)
			}
		})
	}
}

// useEveryTool calls the tools, and fails when the server has one more than are called.
func useEveryTool(t *testing.T, p *Pool, root string) {
	t.Helper()
	used := map[string]bool{}
	offer, _ := p.Offer("everything")
	for _, use := range everyTool(root) {
		used[use.name] = true
		call := toolCall("everything", use.name, `{"name":"`+use.name+`","arguments":`+use.arguments+`}`)
		// What a call goes to is known before it is made.
		if at := slices.IndexFunc(offer.Tools, func(t domain.Tool) bool { return t.Name == use.name }); at >= 0 {
			call.Target = &domain.Target{Tool: &offer.Tools[at]}
		}
		progress := 0
		call.Sink = func(n domain.Notice) {
			if n.Kind == domain.NoticeProgress {
				progress++
			}
		}
		result, err := p.Call(mcptest.Within(t), call)
		var got toolResult
		if err == nil {
			err = json.Unmarshal(result.Raw, &got)
		}
		if err != nil || !use.holds(got) {
			t.Errorf("%s %s: %.600s, %v", use.name, use.arguments, result.Raw, err)
		}
		if use.name == "trigger-long-running-operation" && progress != 4 {
			t.Errorf("%d progress notices, want 4", progress)
		}
	}
	for _, tool := range offer.Tools {
		if !used[tool.Name] {
			t.Errorf("the tool %s was not used", tool.Name)
		}
	}
}

// changeFolders names another folder in the session that runs: the server asks for the folders when it hears so.
func changeFolders(t *testing.T, p *Pool, d domain.Definition) {
	t.Helper()
	pid := p.Status("everything").PID
	d.Roots = []string{t.TempDir()}
	p.Want(server("everything", d))
	mcptest.Eventually(t, "that the server knows the other folder", func() bool {
		return strings.Contains(callText(t, p, toolCall("everything", "get-roots-list", "")), d.Roots[0])
	})
	if got := p.Status("everything").PID; got != pid {
		t.Errorf("process %d became %d", pid, got)
	}
}

// openPagesFirst takes the other way in which a tool can want an address opened: it refuses until another page was.
func openPagesFirst(t *testing.T, p *Pool) {
	t.Helper()
	result, err := p.Call(mcptest.Within(t), toolCall("everything", "trigger-url-elicitation",
		`{"name":"trigger-url-elicitation","arguments":{"url":"https://example.com/other","errorPath":true}}`))
	if err != nil || !strings.Contains(string(result.Raw), "User completed") {
		t.Errorf("%s, %v", result.Raw, err)
	}
}

// readEveryResource reads what is listed, what the templates stand for, and what a tool added meanwhile.
func readEveryResource(t *testing.T, p *Pool) {
	t.Helper()
	added := func(r domain.Resource) bool { return r.URI == zippedURI }
	mcptest.Eventually(t, "the added resource", func() bool {
		offer, _ := p.Offer("everything")
		return slices.ContainsFunc(offer.Resources, added)
	})
	offer, _ := p.Offer("everything")
	var addresses []string
	for _, r := range offer.Resources {
		addresses = append(addresses, r.URI)
	}
	for _, r := range offer.Templates {
		addresses = append(addresses, strings.ReplaceAll(r.URITemplate, "{resourceId}", "5"))
	}
	for _, uri := range addresses {
		result, err := p.Call(mcptest.Within(t), domain.Call{Kind: domain.ResourceRead, Server: "everything", Name: uri})
		var got struct {
			Contents []struct{ URI, Text, Blob string }
		}
		if err == nil {
			err = json.Unmarshal(result.Raw, &got)
		}
		if err != nil || len(got.Contents) != 1 || got.Contents[0].URI != uri {
			t.Errorf("read %s: %.600s, %v", uri, result.Raw, err)
			continue
		}
		if text := held(uri, got.Contents[0].Text, got.Contents[0].Blob); !strings.HasPrefix(text, wantIn(uri)) || text == "" {
			t.Errorf("%s holds %q", uri, text)
		}
	}
}

// held is what a resource says, however it is wrapped.
func held(uri, text, blob string) string {
	switch {
	case strings.Contains(uri, "/session/"):
		return unzipped(blob)
	case strings.Contains(uri, "/blob/"):
		return fromBase64(blob)
	}
	return text
}

// wantIn is how a resource begins; nothing for the pages of documentation.
func wantIn(uri string) string {
	switch {
	case uri == zippedURI:
		return "salut"
	case strings.Contains(uri, "/dynamic/"):
		return "Resource 5"
	}
	return ""
}

func getEveryPrompt(t *testing.T, p *Pool) {
	t.Helper()
	prompts := map[string]struct{ arguments, want string }{
		"simple-prompt":      {`{}`, "a simple prompt without arguments"},
		"args-prompt":        {`{"city":"Lyon","state":"Rhône"}`, "What's weather in Lyon, Rhône?"},
		"completable-prompt": {`{"department":"Sales","name":"Eve"}`, "promote Eve to the head of the Sales team"},
		"resource-prompt":    {`{"resourceType":"Text","resourceId":"3"}`, "Resource 3: This is a plaintext resource"},
	}
	offer, _ := p.Offer("everything")
	for _, prompt := range offer.Prompts {
		use, known := prompts[prompt.Name]
		if !known {
			t.Errorf("the prompt %s was not used", prompt.Name)
			continue
		}
		call := domain.Call{
			Kind: domain.PromptGet, Server: "everything", Name: prompt.Name,
			Params: json.RawMessage(`{"name":"` + prompt.Name + `","arguments":` + use.arguments + `}`),
		}
		if result, err := p.Call(mcptest.Within(t), call); err != nil || !strings.Contains(string(result.Raw), use.want) {
			t.Errorf("prompt %s: %.600s, %v", prompt.Name, result.Raw, err)
		}
	}
}

// followAResource hears that a resource which is followed has changed, and of the server's log only what it wants to.
func followAResource(t *testing.T, p *Pool) {
	t.Helper()
	const uri = "demo://resource/dynamic/text/1"
	if err := p.Subscribe(mcptest.Within(t), "everything", uri); err != nil {
		t.Fatal(err)
	}
	toggle := toolCall("everything", "toggle-subscriber-updates", "")
	callText(t, p, toggle)
	mcptest.Eventually(t, "that the resource changed", func() bool {
		all := p.Subscriptions("everything")
		return len(all) == 1 && all[0].URI == uri && all[0].ChangedAt != nil
	})
	callText(t, p, toggle)
	logHas := func(text string) bool { return strings.Contains(strings.Join(logTexts(p, "everything"), "\n"), text) }
	mcptest.Eventually(t, "the log", func() bool { return logHas("Received Subscribe Resource request") })
	err := p.SetLogLevel(mcptest.Within(t), "everything", "error")
	if err == nil {
		err = p.Unsubscribe(mcptest.Within(t), "everything", uri)
	}
	if err != nil || logHas("Received Unsubscribe Resource request") {
		t.Errorf("a message below the level was logged, or: %v", err)
	}
}

// completeArguments asks for the values of arguments: by what was typed, by what else was given, and of a template.
func completeArguments(t *testing.T, p *Pool) {
	t.Helper()
	tests := []struct {
		asked domain.Completion
		want  []string
	}{
		{domain.Completion{Prompt: "completable-prompt", Argument: "department", Value: "S"}, []string{"Sales", "Support"}},
		{domain.Completion{Prompt: "completable-prompt", Argument: "name", Value: "E", Given: map[string]string{"department": "Sales"}}, []string{"Eve"}},
		{domain.Completion{Template: "demo://resource/dynamic/text/{resourceId}", Argument: "resourceId", Value: "12"}, []string{"12"}},
	}
	for _, test := range tests {
		if got, err := p.Complete(mcptest.Within(t), "everything", test.asked); err != nil || !slices.Equal(got.Values, test.want) {
			t.Errorf("%+v: %v, %v", test.asked, got.Values, err)
		}
	}
}
