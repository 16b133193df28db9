package session

import (
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/schema"
)

// maxFollowed is how much of all schemas of a list is followed, in bytes: it is done for a warning only.
const maxFollowed = 1 << 20

// endlessSchemas tell of tools whose input schema refers to itself without an end: what is sent to them is not checked.
func endlessSchemas(tools []domain.Tool) (warnings []*domain.Error) {
	left := maxFollowed
	for _, tool := range tools {
		if len(tool.InputSchema) > left {
			continue
		}
		left -= len(tool.InputSchema)
		if !schema.Endless(tool.InputSchema) {
			continue
		}
		warnings = append(warnings, &domain.Error{
			Code:    domain.CodeProtocol,
			Message: "The input schema of \"" + tool.Name + "\" refers to itself without an end; what is sent to the tool is not checked.",
			Hint:    "Report this to the makers of the server.",
			Args:    map[string]string{"section": "tools", "name": tool.Name, "reason": "endless_schema"},
		})
	}
	return warnings
}
