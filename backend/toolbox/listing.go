package toolbox

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/schema"
)

// maxBlurb is how much of a description, and of the names of parameters, a list shows, in characters.
const maxBlurb = 200

func named(tool Offered, score float64) Named {
	return Named{Name: tool.FQN, Description: tool.Blurb(), Parameters: parameters(tool), Score: score}
}

// Blurb is what a list shows of a tool: the beginning of its description, up to the end of a sentence where one is near.
func (o Offered) Blurb() string {
	text := firstOf(o.Description, o.Title)
	// Spaces are taken out of no more than can be shown.
	text = strings.Join(strings.Fields(clip(strings.TrimSpace(text), 4*maxBlurb)), " ")
	short := clip(text, maxBlurb)
	if short == text {
		return text
	}
	if end := strings.LastIndex(short, ". "); end > maxBlurb/3 {
		return short[:end+1]
	}
	return strings.TrimSpace(strings.TrimSuffix(short, "…")) + "…"
}

// parameters are the names of a tool's parameters, those that it needs with a star, as many as a list has room for.
func parameters(tool Offered) string {
	names := schema.ParametersOf(tool.InputSchema)
	var all strings.Builder
	for i, name := range names.All {
		if i > 0 {
			all.WriteString(", ")
		}
		if all.Len()+len(name) > maxBlurb {
			all.WriteString("…")
			break
		}
		all.WriteString(name)
		if slices.Contains(names.Required, name) {
			all.WriteByte('*')
		}
	}
	return all.String()
}

// fitting are the first tools of a list, as many as an agent gets at once, and one at least.
func (t *Toolbox) fitting(tools []Named) []Named {
	size := 0
	for i, tool := range tools {
		if size += perEntry + len(tool.Name) + len(tool.Description) + len(tool.Parameters); size > t.Longest && i > 0 {
			return tools[:i]
		}
	}
	return tools
}

// describe gives all that a tool says of itself. Of one that says too much it gives the beginning, with a schema that is not
// too long by itself, and keeps the whole.
func (t *Toolbox) describe(owner domain.Caller, d Described) ActionResult {
	whole, err := json.Marshal(d)
	if err != nil {
		return failed("", invalidParams("what the tool says of itself is no JSON"))
	}
	if len(whole) <= t.Longest {
		return done(d)
	}
	d.Title, d.Description, d.OutputSchema = clip(d.Title, maxBlurb), clip(d.Description, t.Longest/8), nil
	what := "the whole"
	if len(d.InputSchema) > t.Longest {
		d.InputSchema, what = nil, "the schema of its parameters, too,"
	}
	result := done(d)
	result.Metadata.Cut = &Cut{Truncated: true, JSON: true, Handle: t.shelf.put(owner, string(whole)), Total: len(whole)}
	result.Metadata.Hint = fmt.Sprintf("It says too much of itself: %s is read by read_more(handle=%q, offset=0).", what, result.Metadata.Handle)
	return result
}

// inList is a description for a list in which every tool stands whole: one that is too long for an agent ends early, and says so.
func (t *Toolbox) inList(description string) string {
	if len(description) <= t.Longest {
		return description
	}
	head := lineBefore(description, t.Longest)
	return fmt.Sprintf("%s\n[… %d bytes left out]", description[:head], len(description)-head)
}
