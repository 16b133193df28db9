package toolbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// A description of 5 MB and a schema of 1 MB are handled, and said, wherever an agent meets them.
func TestADefinitionThatIsTooLongIsCutAndSaid(t *testing.T) {
	const size = 5 << 20
	long := offer("odd", "endless", strings.Repeat("é", size/2), `{"type":"object","description":"`+strings.Repeat("x", 1<<20)+`"}`)
	b := newBench(t, long, offer("odd", "short", "Does something short.", `{"type":"object"}`))
	for _, list := range []string{`search_tools {"query":"endless"}`, `browse_category {"category":"mcp_odd"}`} {
		name, arguments, _ := strings.Cut(list, " ")
		if got := b.run(name, arguments); len(got) > 2000 || !strings.Contains(got, "mcp_odd.endless") || !strings.Contains(got, "…") {
			t.Errorf("%s gives %d bytes: %.300s", name, len(got), got)
		}
	}

	result := b.Run(t.Context(), Use{Caller: agent}, "get_tool", json.RawMessage(`{"name":"mcp_odd.endless"}`))
	tool, ok := result.Data.(Described)
	if !ok || len(tool.Description) > DefaultLongest || tool.InputSchema != nil || !json.Valid([]byte(encode(t, result))) {
		t.Fatalf("%d bytes of description, %d of schema", len(tool.Description), len(tool.InputSchema))
	}
	cut := result.Metadata.Cut
	if cut == nil || !strings.Contains(result.Metadata.Hint, "the schema of its parameters, too, is read by read_more(handle=\""+cut.Handle) {
		t.Fatalf("it is not said: %s", result.Metadata.Hint)
	}
	if page, err := b.shelf.Read(agent, cut.Handle, 0, 100); err != nil || page.Total != cut.Total || page.Total < size {
		t.Errorf("the rest: %+v, %v", page, err)
	}
	if _, err := b.shelf.Read(domain.Caller{Name: "other"}, cut.Handle, 0, 100); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("another reads it: %v", err)
	}

	_, mode, err := b.Definitions(t.Context(), agent, Auto)
	if err != nil || mode != Discovery {
		t.Errorf("auto comes to %s, %v", mode, err)
	}
	definitions, _, err := b.Definitions(t.Context(), agent, Direct)
	if err != nil || len(definitions) != 3 {
		t.Fatalf("%d definitions, %v", len(definitions), err)
	}
	for _, d := range definitions {
		if d.Name == long.Wire && (len(d.Description) > DefaultLongest+1000 || !strings.Contains(d.Description, "bytes left out")) {
			t.Errorf("%d bytes are listed", len(d.Description))
		}
	}
	var members []string
	for i := range 5000 {
		members = append(members, fmt.Sprintf(`"p%d":{}`, i))
	}
	b.offered = append(b.offered, offer("odd", "many", "Takes a lot.", `{"properties":{`+strings.Join(members, ",")+`}}`))
	if got := b.run("browse_category", `{"category":"mcp_odd"}`); len(got) > 3000 || !strings.Contains(got, `"parameters":"p0, p1, p2,`) {
		t.Errorf("5,000 parameters are listed in %d bytes", len(got))
	}
	short := b.run("get_tool", `{"name":"mcp_odd.short"}`)
	if !strings.Contains(short, `"description":"Does something short."`) || !strings.Contains(short, `"input_schema":{"type":"object"}`) {
		t.Errorf("a short one: %s", short)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	written, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}
