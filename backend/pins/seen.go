package pins

import (
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
)

// mostKept bounds what is kept of one definition, in bytes. Diff shows less than that.
const mostKept = 256 << 10

// seenOf is what a person gets to see of a tool. Of one that is too long its words are kept as far as they go.
func seenOf(tool domain.Tool, version string) domain.Seen {
	seen := domain.Seen{
		Title: tool.Title, Description: tool.Description, Version: version,
		InputSchema: tool.InputSchema, OutputSchema: tool.OutputSchema, Annotations: tool.Annotations(),
	}
	left := mostKept
	for _, text := range []*string{&seen.Title, &seen.Description, &seen.Version} {
		if len(*text) > left {
			*text, seen.Cut = readable((*text)[:left]), true
		}
		left -= len(*text)
	}
	for _, raw := range []*json.RawMessage{&seen.InputSchema, &seen.OutputSchema, &seen.Annotations} {
		if len(*raw) > left || len(*raw) > 0 && !json.Valid(*raw) {
			*raw, seen.Cut = nil, true
		}
		left -= len(*raw)
	}
	return seen
}

// Tool is the tool that was seen, for Diff and for a Scanner.
func Tool(server, name string, seen domain.Seen) domain.Tool {
	tool := domain.Tool{
		Server: server, Name: name, Title: seen.Title, Description: seen.Description,
		InputSchema: seen.InputSchema, OutputSchema: seen.OutputSchema,
	}
	if len(seen.Annotations) > 0 {
		tool.Raw = append(append(json.RawMessage(`{"annotations":`), seen.Annotations...), '}')
	}
	return tool
}

// digestOf is a pin's digest in the scheme of today. One of another scheme is made anew from what was seen, so that a new
// scheme alone holds nothing.
func digestOf(server string, pin domain.Pin) string {
	if pin.Scheme == domain.DigestScheme || pin.Seen.Cut {
		return pin.Digest
	}
	return Tool(server, pin.Tool, pin.Seen).Digest()
}
