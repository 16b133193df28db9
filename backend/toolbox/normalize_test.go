package toolbox

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

func resultOf(raw string) domain.Result {
	return domain.Result{Kind: domain.ResultComplete, Raw: json.RawMessage(raw)}
}

func TestResultsAreLaidOut(t *testing.T) {
	tests := []struct {
		name, raw string
		want      Data
		failure   string
	}{
		{
			name: "the specification's message", raw: `{"content":[{"type":"text","text":"Message posted"}]}`,
			want: Data{Text: "Message posted", Output: "Message posted", Status: StatusOK},
		},
		{
			name: "several texts", raw: `{"content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}`,
			want: Data{Text: "one\ntwo", Output: "one\ntwo", Status: StatusOK},
		},
		{name: "nothing", raw: `{"content":[]}`, want: Data{Status: StatusEmpty}},
		{name: "no content at all", raw: `{}`, want: Data{Status: StatusEmpty}},
		{name: "null", raw: `{"content":null,"structuredContent":null}`, want: Data{Status: StatusEmpty}},
		{name: "a blank text", raw: `{"content":[{"type":"text","text":" \n"}]}`, want: Data{Text: " \n", Status: StatusEmpty}},
		{
			name: "an empty list as text", raw: `{"content":[{"type":"text","text":"[ ]"}]}`,
			want: Data{Text: "[ ]", Output: "[ ]", Status: StatusEmpty, ResultCount: new(0)},
		},
		{
			name: "an empty object as text", raw: `{"content":[{"type":"text","text":"{ }"}]}`,
			want: Data{Text: "{ }", Output: "{ }", Status: StatusEmpty},
		},
		{
			name: "a list as text", raw: `{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2}]"}]}`,
			want: Data{Text: `[{"id":1},{"id":2}]`, Output: `[{"id":1},{"id":2}]`, Status: StatusOK, ResultCount: new(2)},
		},
		{
			name: "structured content without text", raw: `{"structuredContent":{"total": 3}}`,
			want: Data{Output: `{"total":3}`, Status: StatusOK, Structured: json.RawMessage(`{"total": 3}`)},
		},
		{
			name: "a list wrapped in an object", raw: `{"content":[{"type":"text","text":"a, b"}],"structuredContent":{"result":["a","b"]}}`,
			want: Data{Text: "a, b", Output: "a, b", Status: StatusOK, ResultCount: new(2), Structured: json.RawMessage(`{"result":["a","b"]}`)},
		},
		{
			name: "a picture", raw: `{"content":[{"type":"image","data":"aGk=","mimeType":"image/png"}]}`,
			want: Data{Status: StatusOK, Images: []Media{{MIMEType: "image/png", Data: "aGk="}}},
		},
		{
			name: "a sound", raw: `{"content":[{"type":"audio","data":"aGk=","mimeType":"audio/wav"}]}`,
			want: Data{Status: StatusOK, Images: []Media{{MIMEType: "audio/wav", Data: "aGk="}}},
		},
		{
			name: "an embedded file", raw: `{"content":[{"type":"resource","resource":{"uri":"file:///a.md","mimeType":"text/markdown","text":"# A"}}]}`,
			want: Data{
				Output: "file:///a.md:\n# A", Status: StatusOK,
				Resources: []Resource{{URI: "file:///a.md", MIMEType: "text/markdown", Text: "# A"}},
			},
		},
		{
			name: "a link", raw: `{"content":[{"type":"text","text":"see"},{"type":"resource_link","uri":"file:///b","name":"b","description":"d"}]}`,
			want: Data{
				Text: "see", Output: "see\nb file:///b", Status: StatusOK,
				Resources: []Resource{{URI: "file:///b", Name: "b", Description: "d"}},
			},
		},
		{
			name: "a block of a kind to come", raw: `{"content":[{"type":"hologram","data":"x"},{"type":"text","text":"seen"}]}`,
			want: Data{Text: "seen", Output: "seen", Status: StatusOK},
		},
		{
			name: "a failed tool", raw: `{"content":[{"type":"text","text":"no such channel"}],"isError":true}`,
			want: Data{Text: "no such channel", Output: "no such channel", Status: StatusError}, failure: "no such channel",
		},
		{
			name: "a failed tool that says nothing", raw: `{"isError":true}`,
			want: Data{Status: StatusError}, failure: "the tool failed without saying why",
		},
		{
			name: "a text that says nothing beside structured content that does", raw: `{"content":[{"type":"text","text":"{}"}],"structuredContent":{"id":4}}`,
			want: Data{Text: "{}", Output: "{}", Status: StatusOK, Structured: json.RawMessage(`{"id":4}`)},
		},
		{name: "only a block of a kind to come", raw: `{"content":[{"type":"hologram","data":"x"}]}`, want: Data{Status: StatusOK}},
		{name: "content that is no list", raw: `{"content":"hello"}`, want: Data{Text: `"hello"`, Output: `"hello"`, Status: StatusOK}},
		{name: "no JSON", raw: `hello`, want: Data{Text: "hello", Output: "hello", Status: StatusOK}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Normalize("mcp_server:slack", resultOf(test.raw))
			data, ok := got.Data.(Data)
			if !ok {
				t.Fatalf("the data is a %T", got.Data)
			}
			if diff := cmp.Diff(test.want, data, cmpopts.IgnoreFields(Data{}, "Content"), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if got.Success != (test.failure == "") || got.Error != test.failure || got.Metadata.Source != "mcp_server:slack" {
				t.Errorf("got %+v", got)
			}
			if data.Images == nil || data.Resources == nil || !json.Valid(data.Content) {
				t.Errorf("a list is null, or the content no JSON: %+v", data)
			}
		})
	}
}

func TestContentIsAsTheServerSentIt(t *testing.T) {
	const content = `[{"type":"text","text":"Message posted","annotations":{"audience":["user"]},"x":1.50}]`
	data := Normalize("s", resultOf(`{"content":`+content+`}`)).Data.(Data) //nolint:forcetypeassert // the test above
	if string(data.Content) != content {
		t.Errorf("got %s", data.Content)
	}
}

func TestWhatThePipelineKnowsIsSaid(t *testing.T) {
	result := resultOf(`{}`)
	result.Meta = domain.ResultMeta{CacheHit: true, Attempts: 2, Duplicate: true, Slow: true, EditedParams: json.RawMessage(`{"a":1}`)}
	written, err := json.Marshal(Normalize("mcp_server:slack", result))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"success":true,"data":{"content":[],"text":"","status":"empty","output":"","images":[],"resources":[]},` +
		`"metadata":{"cache_hit":true,"_source":"mcp_server:slack","attempts":2,"duplicate":true,"slow":true,"edited_params":{"a":1}}}`
	if string(written) != want {
		t.Errorf("got  %s\nwant %s", written, want)
	}
}

func TestAnyAnswerBecomesAResult(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		got := Normalize("s", resultOf(rapid.OneOf(rapid.String(), rapid.StringMatching(`\{"content":(\[.*\]|".*"|[0-9]+|null)(,"isError":(true|1|null))?\}`)).Draw(t, "raw")))
		if _, err := json.Marshal(got); err != nil {
			t.Fatal(err)
		}
		if data := got.Data.(Data); got.Success == (data.Status == StatusError) { //nolint:forcetypeassert // the test above
			t.Fatalf("%+v", got)
		}
	})
}

// An agent learns which request its call waits for.
func TestAFailureNamesTheRequestThatWaits(t *testing.T) {
	waits := (&domain.Error{Code: domain.CodeApprovalNeeded, Message: "a person is asked"}).With("request_id", "r1")
	if got := failed("mcp_server:slack", waits).Metadata; got.Request != "r1" || got.Code != domain.CodeApprovalNeeded {
		t.Errorf("got %+v", got)
	}
}
