package servers

import (
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// Bounds of what a definition says of its answers.
const (
	maxCacheSeconds = 24 * 3600
	maxCacheable    = 1000
)

// checkCaching says what is wrong with how a draft wants its answers kept.
func checkCaching(check *Check, d domain.Definition) {
	if d.CacheSeconds < 0 || d.CacheSeconds > maxCacheSeconds {
		check.add("cache_ttl", invalid("cache_range", "answers are kept for 1 to 86400 seconds", "The default is 300 seconds."))
	}
	if len(d.CacheableTools) > maxCacheable || slices.Contains(d.CacheableTools, "") {
		check.add("cacheable_tools", invalid("cacheable_names", "cacheable tools are at most 1000 names, none of them empty", "Correct the list."))
	}
}

// unknownCacheable warns of cacheable tools that the server does not have: a misspelt name keeps nothing. Nothing is said
// before its tools are known.
func unknownCacheable(server domain.Server, tools []domain.Tool) []*domain.Error {
	if len(tools) == 0 {
		return nil
	}
	var warnings []*domain.Error
	for _, name := range server.CacheableTools {
		if slices.ContainsFunc(tools, func(t domain.Tool) bool { return t.Name == name }) {
			continue
		}
		warnings = append(warnings, &domain.Error{
			Code: domain.CodeUnknownTool, Message: fmt.Sprintf("cacheable_tools names %q, a tool that the server %s does not have", name, server.Name),
			Hint: "Correct the name: nothing is kept for it. See what there is with: apollia mcp tools " + server.ID,
			Args: map[string]string{"server": server.ID, "tool": name, "problem": "cacheable_tools"},
		})
	}
	return warnings
}
