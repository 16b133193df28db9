package pool

import (
	"slices"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// maxWarnings bounds what is shown of one server; all of them are in its log.
const maxWarnings = 20

// remarks are the warnings that a person should see beside the state: neither its reason again, nor that a section is
// missing which was never announced.
func (f finding) remarks(reason *domain.Error, g session.Greeting) []*domain.Error {
	var told []*domain.Error
	for _, w := range f.all() {
		if w != reason && (w.Code != domain.CodeNotAnnounced || g.Announces(w.Args["section"])) {
			told = append(told, w)
		}
	}
	return told
}

// bounded cuts a list of warnings short, and says so in the last of them.
func bounded(warnings []*domain.Error) []*domain.Error {
	if len(warnings) <= maxWarnings {
		return warnings
	}
	more := strconv.Itoa(len(warnings) - maxWarnings + 1)
	return append(slices.Clone(warnings[:maxWarnings-1]), &domain.Error{
		Code: domain.CodeProtocol, Message: more + " more remarks are in the log.", Hint: "Look at the log of the server.",
		Args: map[string]string{"reason": "more_warnings", "count": more},
	})
}

// replaced takes the warnings about lists that were listed again out, and those that came of it in.
func replaced(warnings []*domain.Error, again map[string]bool, fresh []*domain.Error) []*domain.Error {
	kept := slices.DeleteFunc(slices.Clone(warnings), func(w *domain.Error) bool { return again[capabilityOf(w)] })
	return append(kept, fresh...)
}

// capabilityOf is the capability that announces the list which a warning is about.
func capabilityOf(warning *domain.Error) string {
	switch section := warning.Args["section"]; section {
	case "resource templates", "skills":
		return "resources"
	default:
		return section
	}
}

// lastLine is what a process wrote last to its standard error after a line of its log; empty when it wrote nothing.
func lastLine(log *transport.Log, after uint64) string {
	for _, line := range slices.Backward(log.After(after, 0)) {
		if line.Stream == transport.StreamStderr {
			return line.Text
		}
	}
	return ""
}
