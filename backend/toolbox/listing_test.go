package toolbox

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// wide is a schema with so many parameters, all of them required.
func wide(parameters int) string {
	properties, required := make(map[string]any), make([]string, parameters)
	for i := range parameters {
		required[i] = fmt.Sprintf("parameter_%06d", i)
		properties[required[i]] = map[string]string{"description": strings.Repeat("word ", 20)}
	}
	written, _ := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required})
	return string(written)
}

// A server that says too much of its tools fills no agent's mind with it.
func TestNoToolIsLongInAList(t *testing.T) {
	const mark = "THE END OF IT"
	chatty := offer("loud", "chatty", "Shout a word. "+strings.Repeat("loud ", 1<<20)+mark, `{}`)
	shapely := offer("loud", "shapely", "Shout a word", wide(20_000))
	precise := offer("loud", "precise", "Shout a word", `{}`)
	precise.OutputSchema = json.RawMessage(`{"description":"` + strings.Repeat("loud ", 1<<20) + `"}`)
	b := newBench(t, chatty, shapely, precise)
	for _, c := range [][2]string{
		{"search_tools", `{"query":"shout"}`},
		{"browse_category", `{"category":"mcp_loud"}`},
		{"get_tool", `{"name":"mcp_loud.chatty"}`},
		{"get_tool", `{"name":"mcp_loud.shapely"}`},
		{"get_tool", `{"name":"mcp_loud.precise"}`},
	} {
		if got := b.run(c[0], c[1]); len(got) > DefaultLongest || !strings.Contains(got, "Shout a word") {
			t.Errorf("%s %s: %d bytes, %.300s", c[0], c[1], len(got), got)
		}
	}
	if got := b.run("browse_category", `{"category":"mcp_loud"}`); !strings.Contains(got, `"parameters":"parameter_000000*, parameter_000001*`) {
		t.Errorf("got %s", got)
	}
	if got := b.run("get_tool", `{"name":"mcp_loud.chatty"}`); !b.keeps(mark, got) || !strings.Contains(got, `"truncated":true`) {
		t.Errorf("the end of the description is nowhere: %.300s", got)
	}
	if got := b.run("get_tool", `{"name":"mcp_loud.shapely"}`); !b.keeps("parameter_019999", got) {
		t.Errorf("the end of the schema is nowhere: %.300s", got)
	}
	b.offered = []Offered{precise}
	if _, mode, _ := b.Definitions(t.Context(), agent, Auto); mode != Discovery {
		t.Errorf("a definition of 5 MB is listed in mode %s", mode)
	}
}

// A page of a category ends where it would be too long, and says how to go on.
func TestPagesOfACategoryAreBounded(t *testing.T) {
	var many []Offered
	for i := range 300 {
		many = append(many, offer("many", fmt.Sprintf("tool_%03d", i), strings.Repeat("é", 300), wide(50)))
	}
	b := newBench(t, many...)
	seen := 0
	for next := 0; next < 300; {
		got := b.run("browse_category", fmt.Sprintf(`{"category":"mcp_many","offset":%d,"limit":200}`, next))
		var page struct {
			Data     []Named
			Metadata Metadata
		}
		if err := json.Unmarshal([]byte(got), &page); err != nil || len(page.Data) == 0 || len(got) > 2*DefaultLongest {
			t.Fatalf("%v: %d tools, %d bytes", err, len(page.Data), len(got))
		}
		next += len(page.Data)
		seen += len(page.Data)
		if next < 300 && !strings.Contains(page.Metadata.Hint, fmt.Sprintf("go on with offset %d", next)) {
			t.Fatalf("after %d tools: %s", seen, page.Metadata.Hint)
		}
	}
}

func TestAToolIsFoundByAFewOfItsParameters(t *testing.T) {
	d := DocumentOf(offer("loud", "shapely", "", wide(20_000)).Tool, "mcp_loud.shapely")
	if len(d.Parameters) != maxParameters || !strings.HasPrefix(d.Parameters[0], "parameter_000000 word") {
		t.Errorf("%d parameters, the first %q", len(d.Parameters), d.Parameters[0])
	}
}
