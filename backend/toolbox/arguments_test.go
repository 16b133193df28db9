package toolbox

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// An agent that gets the form of a call wrong is told so: nothing runs with less than it meant.
func TestArgumentsThatDoNotFitRunNothing(t *testing.T) {
	b := team(t)
	for _, c := range []struct{ name, arguments, want string }{
		{"execute_tool", `{"name":"mcp_slack.post_message","arguments":{"text":"Hello"}}`, `there is no argument \"arguments\"; it takes name, params`},
		{"execute_tool", `{"name":"mcp_slack.post_message","Params":{"text":"Hello"}}`, `there is no argument \"Params\"`},
		{"execute_tool", `{"name":"mcp_slack.post_message","params":{"text":"a"},"params":{}}`, "name something twice"},
		{"execute_tool", `{"name":"mcp_slack.post_message","params":"{\"text\":\"Hello\"}"}`, "the parameters are no JSON object"},
		{"mcp_slack__post_message", `["Hello"]`, "the parameters are no JSON object"},
		{"search_tools", `{"query":"post","category":"mcp_slack"}`, "it takes query, limit"},
		{"search_tools", `{"query":"post","limit":"8"}`, "limit may not be a string"},
		{"search_tools", `"post"`, "no JSON object"},
		{"browse_category", `{"category":"mcp_slack","offset":1e30}`, "offset may not be a number"},
		{"list_categories", `{"random_string":"dummy"}`, `"success":true`},
	} {
		if got := b.run(c.name, c.arguments); !strings.Contains(got, c.want) || strings.Contains(got, "toolbox.") {
			t.Errorf("%s %s: %s", c.name, c.arguments, got)
		}
	}
	if len(b.calls) != 0 {
		t.Errorf("calls were made: %s", b.calls[0].Params)
	}
}

// What somebody made up is not repeated at length.
func TestErrorsRepeatNoLongNames(t *testing.T) {
	b := team(t)
	long := strings.Repeat("é\\u0001", 1<<14)
	for _, c := range [][2]string{
		{"get_tool", `{"name":"` + long + `"}`},
		{"execute_tool", `{"name":"` + long + `"}`},
		{"browse_category", `{"category":"` + long + `"}`},
		{"read_more", `{"handle":"` + long + `"}`},
		{"search_tools", `{"` + long + `":1}`},
		{"search_tools", `{"query":"` + long + `"}`},
		{strings.Repeat("x", 1<<20), `{}`},
	} {
		if got := b.run(c[0], c[1]); len(got) > 4000 {
			t.Errorf("%.20s: %d bytes", c[0], len(got))
		}
	}
}

// A server that refuses a call has its words in the error, and may say what it likes.
func TestErrorsOfServersAreShort(t *testing.T) {
	b := team(t)
	b.answer = func(domain.Call) (domain.Result, error) {
		return domain.Result{}, &domain.Error{Code: domain.CodeProtocol, Message: "The server refused: " + strings.Repeat("no ", 1<<20), Hint: strings.Repeat("try ", 1<<20)}
	}
	if got := b.run("mcp_brave.search", `{}`); len(got) > 3*maxError || !strings.Contains(got, "The server refused: no") {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
}
