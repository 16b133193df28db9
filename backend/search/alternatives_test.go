package search

import (
	"slices"
	"testing"
)

func TestAlternativesDoTheSame(t *testing.T) {
	x := New()
	set(t, x, "github",
		Document{FQN: "mcp_github.search_issues", Server: "github", Name: "search_issues", Description: "Search for issues in repositories."},
		Document{FQN: "mcp_github.delete_issue", Server: "github", Name: "delete_issue", Description: "Delete an issue."})
	set(t, x, "jira", Document{FQN: "mcp_jira.find_tickets", Server: "jira", Name: "find_tickets", Description: "Find tickets of a project."})
	set(t, x, "weather", Document{FQN: "mcp_weather.forecast", Server: "weather", Name: "get_forecast", Description: "Get the weather forecast of a city."})

	if got := x.Alternatives("mcp_github.search_issues", 3, nil); !slices.Equal(got, []string{"mcp_jira.find_tickets"}) {
		t.Errorf("in place of a search for issues: %v", got)
	}
	if got := x.Alternatives("mcp_github.delete_issue", 3, nil); len(got) != 0 {
		t.Errorf("in place of a deletion: %v", got)
	}
	if got := x.Alternatives("mcp_github.search_issues", 3, func(string) bool { return false }); len(got) != 0 {
		t.Errorf("what may not be called is named: %v", got)
	}
	if got := x.Alternatives("mcp_nobody.nothing", 3, nil); len(got) != 0 {
		t.Errorf("in place of nothing: %v", got)
	}
}
