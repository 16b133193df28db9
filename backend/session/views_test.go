package session

import (
	"encoding/json"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func raws(texts ...string) []json.RawMessage {
	var out []json.RawMessage
	for _, text := range texts {
		out = append(out, json.RawMessage(text))
	}
	return out
}

func TestToolView(t *testing.T) {
	raw := `{"name":"x","description":"d","inputSchema":{"$schema":"s","allOf":[]},"Name":"y","annotations":{"title":"T","readOnlyHint":true,"destructiveHint":true},"odd":1}`
	tool, _, ok := toolView("one", json.RawMessage(raw))
	if !ok || tool.Name != "x" || tool.Title != "T" || tool.Description != "d" || tool.Effect != domain.Reads {
		t.Errorf("tool %+v", tool)
	}
	if string(tool.InputSchema) != `{"$schema":"s","allOf":[]}` || string(tool.Raw) != raw || tool.Server != "one" {
		t.Errorf("raw %s, schema %s", tool.Raw, tool.InputSchema)
	}
}

func TestEffects(t *testing.T) {
	tests := map[string]domain.Effect{
		`{}`: domain.Writes, `{"readOnlyHint":true}`: domain.Reads, `{"destructiveHint":true}`: domain.Destroys,
		`{"readOnlyHint":"true"}`: domain.Writes, `{"ReadOnlyHint":true}`: domain.Writes, `{"destructiveHint":false}`: domain.Writes,
		`[]`: domain.Writes,
	}
	for hints, want := range tests {
		tool, _, _ := toolView("s", json.RawMessage(`{"name":"x","annotations":`+hints+`}`))
		if tool.Effect != want {
			t.Errorf("%s: %s, want %s", hints, tool.Effect, want)
		}
	}
}

func TestBrokenEntriesAreLeftOutAndSaid(t *testing.T) {
	var o Offer
	warnings := storeTools(&o, "s", raws(`{"name":"a"}`, `7`, `{}`, `{"name":3}`, `{"name":""}`, `{"name":"a","title":"second"}`, `{"name":"b","inputSchema":"none","description":5}`))
	if len(o.Tools) != 2 || o.Tools[1].Name != "b" || o.Tools[1].InputSchema != nil || o.Tools[0].Title != "" {
		t.Errorf("tools %+v", o.Tools)
	}
	if len(warnings) != 2 || warnings[0].Args["name"] != "a" || warnings[1].Args["count"] != "4" {
		t.Errorf("warnings %v", warnings)
	}
}

func TestAToolWithAnEndlessNameIsLeftOutAndSaid(t *testing.T) {
	var o Offer
	warnings := storeTools(&o, "s", raws(`{"name":"`+strings.Repeat("a", maxToolName)+`"}`, `{"name":"`+strings.Repeat("b", maxToolName+1)+`"}`))
	if len(o.Tools) != 1 || len(warnings) != 1 || warnings[0].Args["count"] != "1" {
		t.Errorf("%d tools, warnings %v", len(o.Tools), warnings)
	}
}

func TestEndlessSchemasAreSaid(t *testing.T) {
	var o Offer
	warnings := storeTools(&o, "s", raws(`{"name":"snake","inputSchema":{"$ref":"#"}}`, `{"name":"tree","inputSchema":{"items":{"$ref":"#"}}}`))
	if len(o.Tools) != 2 || len(warnings) != 1 || warnings[0].Args["name"] != "snake" || warnings[0].Args["reason"] != "endless_schema" {
		t.Errorf("%d tools, warnings %v", len(o.Tools), warnings)
	}
}

func TestResourceAndPromptViews(t *testing.T) {
	var o Offer
	storeResources(&o, "s", raws(`{"uri":"a://b","name":"n","mimeType":"text/plain","size":12}`, `{"uri":"a://c","size":"big"}`, `{"name":"no address"}`))
	if len(o.Resources) != 2 || *o.Resources[0].Size != 12 || o.Resources[1].Size != nil || o.Resources[0].MIMEType != "text/plain" {
		t.Errorf("resources %+v", o.Resources)
	}
	storeTemplates(&o, "s", raws(`{"uriTemplate":"a://{x}","name":"n"}`))
	if len(o.Templates) != 1 || o.Templates[0].URITemplate != "a://{x}" || o.Templates[0].URI != "" {
		t.Errorf("templates %+v", o.Templates)
	}
	storePrompts(&o, "s", raws(`{"name":"p","arguments":[{"name":"a","required":true},{"required":true},5]}`, `{"name":"q","arguments":{}}`))
	if len(o.Prompts) != 2 || len(o.Prompts[0].Arguments) != 1 || !o.Prompts[0].Arguments[0].Required {
		t.Errorf("prompts %+v", o.Prompts)
	}
}
