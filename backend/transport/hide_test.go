package transport

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
)

// hushed hides the value "hush", which is also a word that names things, and one that JSON spells in many ways.
func hushed() Mask {
	return NewMask(domain.Definition{Env: []domain.Variable{
		{Name: "A", Value: "hush", Secret: true}, {Name: "B", Value: "clé/\"1\"", Secret: true},
	}})
}

func TestHideJSON(t *testing.T) {
	tests := []struct {
		name     string
		at       place
		in, want string
	}{
		{"nothing to hide", message, ` {"a" : [1.50, "x\u0041", null]} `, ` {"a" : [1.50, "x\u0041", null]} `},
		{"any spelling", message, `{"a":"cl\u00e9\/\"1\" <b>"}`, `{"a":"[secret] <b>"}`},
		{"every other byte stays", message, `{"n":1e3 ,"a":[ "is hush", "\u0041" ]}`, `{"n":1e3 ,"a":[ "is [secret]", "\u0041" ]}`},
		{"names of members stay", message, `{"hush":"hush"}`, `{"hush":"[secret]"}`},
		{"what pairs messages stays", message, `{"progressToken":"hush","message":"hush"}`, `{"progressToken":"hush","message":"[secret]"}`},
		{"only at the top", message, `{"data":{"progressToken":"hush"}}`, `{"data":{"progressToken":"[secret]"}}`},
		{"who the server is", message, `{"serverInfo":{"name":"hush"}}`, `{"serverInfo":{"name":"[secret]"}}`},
		{"bare text", message, `"hush"`, `"[secret]"`},
		{
			"a tool", listing, `{"tools":[{"name":"hush","title":"hush","annotations":{"title":"hush"},"x":{"name":"hush"}}],"nextCursor":"hush"}`,
			`{"tools":[{"name":"hush","title":"[secret]","annotations":{"title":"[secret]"},"x":{"name":"[secret]"}}],"nextCursor":"hush"}`,
		},
		{
			"its schema", listing,
			`{"tools":[{"inputSchema":{"type":"hush","required":["hush"],"description":"hush","default":{"name":"hush","enum":"hush"}}}]}`,
			`{"tools":[{"inputSchema":{"type":"hush","required":["hush"],"description":"[secret]","default":{"name":"[secret]","enum":"[secret]"}}}]}`,
		},
		{
			"deep in a schema", listing,
			`{"tools":[{"inputSchema":{"properties":{"default":{"enum":["hush"],"anyOf":[{"const":"hush","examples":["hush"]}]}}}}]}`,
			`{"tools":[{"inputSchema":{"properties":{"default":{"enum":["hush"],"anyOf":[{"const":"hush","examples":["[secret]"]}]}}}}]}`,
		},
		{
			"a resource", listing, `{"resources":[{"uri":"x://hush","name":"hush"}],"resourceTemplates":[{"uriTemplate":"x://hush/{a}"}]}`,
			`{"resources":[{"uri":"x://hush","name":"[secret]"}],"resourceTemplates":[{"uriTemplate":"x://hush/{a}"}]}`,
		},
		{
			"a prompt", listing, `{"prompts":[{"name":"hush","arguments":[{"name":"hush","description":"hush"}]}]}`,
			`{"prompts":[{"name":"hush","arguments":[{"name":"hush","description":"[secret]"}]}]}`,
		},
		{
			"the resource that changed", message, `{"uri":"x://hush","title":"hush","data":{"uri":"x://hush"}}`,
			`{"uri":"x://hush","title":"[secret]","data":{"uri":"x://[secret]"}}`,
		},
		{
			"a form", message, `{"message":"hush","requestedSchema":{"properties":{"a":{"enum":["hush"],"title":"hush"}}}}`,
			`{"message":"[secret]","requestedSchema":{"properties":{"a":{"enum":["hush"],"title":"[secret]"}}}}`,
		},
		{"what an argument may be", message, `{"completion":{"values":["hush"],"x":"hush"},"values":"hush"}`, `{"completion":{"values":["hush"],"x":"[secret]"},"values":"[secret]"}`},
		{"revisions", message, `{"supportedVersions":["hush"],"supported":["hush"]}`, `{"supportedVersions":["hush"],"supported":["hush"]}`},
		{
			"the page of a tool", listing, `{"tools":[{"_meta":{"ui":{"resourceUri":"ui://hush","x":"hush"},"ui/resourceUri":"ui://hush","x":"hush"}}]}`,
			`{"tools":[{"_meta":{"ui":{"resourceUri":"ui://hush","x":"[secret]"},"ui/resourceUri":"ui://hush","x":"[secret]"}}]}`,
		},
		{
			"a skill", listing,
			`{"skills":[{"uri":"s://hush","x":"hush","frontmatter":{"name":"hush","a":["hush"]},"resources":[{"uri":"s://hush/a","digest":"hush","x":"hush"}]}]}`,
			`{"skills":[{"uri":"s://hush","x":"[secret]","frontmatter":{"name":"hush","a":["hush"]},"resources":[{"uri":"s://hush/a","digest":"hush","x":"[secret]"}]}]}`,
		},
		{"not JSON", message, `{"a":"hush"`, `"[secret]"`},
	}
	for _, test := range tests {
		if got := hushed().hideJSON(json.RawMessage(test.in), test.at); string(got) != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		if got := (Mask{}).hideJSON(json.RawMessage(test.in), test.at); string(got) != test.in {
			t.Errorf("%s: with nothing to hide: %s", test.name, got)
		}
	}
}

func TestHideErrorKeepsWhatItIs(t *testing.T) {
	refused := &jsonrpc.Error{Code: 7, Message: "hush", Data: json.RawMessage(`{"a":"hush"}`)}
	known := &domain.Error{
		Code: domain.CodeProtocol, Message: "says hush", Hint: "not hush", Proof: "hush", Args: map[string]string{"a": "hush"}, Cause: refused,
	}
	hidden := hushed().hideError(fmt.Errorf("hush: %w (%w)", known, domain.ErrUnsent))
	e := wantCode(t, hidden, domain.CodeProtocol)
	if text := fmt.Sprintf("%+v %v %v", *e, e.Args, e.Cause); strings.Contains(text, "hush") || strings.Count(text, masked) < 5 {
		t.Errorf("says %s", text)
	}
	if !errors.Is(hidden, domain.ErrUnsent) || known.Message != "says hush" || known.Args["a"] != "hush" {
		t.Errorf("unsent %v, and the first error now is %+v", errors.Is(hidden, domain.ErrUnsent), known)
	}
	if raw, ok := errors.AsType[*jsonrpc.Error](hidden); ok {
		t.Errorf("the cause can be reached: %v", raw)
	}
	raw, ok := errors.AsType[*jsonrpc.Error](hushed().hideError(fmt.Errorf("no: %w", refused)))
	if !ok || raw.Code != 7 || raw.Message != masked || string(raw.Data) != `{"a":"`+masked+`"}` {
		t.Errorf("refusal %+v", raw)
	}
	if plain := hushed().hideError(errors.New("hush")); plain.Error() != masked {
		t.Errorf("plain error %v", plain)
	}
}

func TestBeginningNeverShowsHalfASecret(t *testing.T) {
	secret := "s3cr3t-value-that-is-long"
	mask := NewMask(domain.Definition{Env: []domain.Variable{{Name: "A", Value: secret, Secret: true}}})
	// Each one hidden makes the text shorter, which draws what follows the cut nearer.
	for before := range 3 {
		for gap := range 2 * len(secret) {
			raw := strings.Repeat(secret, before) + strings.Repeat("-", gap) + secret + strings.Repeat("-", 100)
			for limit := 1; limit < len(raw); limit++ {
				text, _ := mask.beginning([]byte(raw), limit)
				if len(text) > limit || strings.Contains(strings.ReplaceAll(text, masked, ""), "s3c") {
					t.Fatalf("%d bytes of %q are %q", limit, raw, text)
				}
			}
		}
	}
}
