package session

import (
	"context"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// usualLevel is what a stateless server is asked for, since it sends nothing unless it is asked.
const usualLevel = "info"

// LogLevels are those of MCP, the most talkative first (RFC 5424).
func LogLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// SetLogLevel says from which level on the server is to send log messages. It fails with CodeInvalidInput for another
// word, and with CodeNotAnnounced when a server with a handshake has no log messages; a stateless one is told with each
// request.
func (s *Session) SetLogLevel(ctx context.Context, level string) error {
	if !slices.Contains(LogLevels(), level) {
		return &domain.Error{
			Code: domain.CodeInvalidInput, Message: "There is no log level \"" + level + "\".",
			Hint: "Use one of " + strings.Join(LogLevels(), ", ") + ".", Args: map[string]string{"field": "level", "reason": "log_level", "given": level},
		}
	}
	if s.greeting.IsStateless() {
		s.level.Store(&level)
		return nil
	}
	if !s.greeting.Announces("logging") {
		return &domain.Error{
			Code: domain.CodeNotAnnounced, Message: "The server sends no log messages.", Hint: "Look at what it writes to its standard error.",
			Args: map[string]string{"section": "logging"},
		}
	}
	if _, err := s.request(ctx, "logging/setLevel", encoded(map[string]string{"level": level})); err != nil {
		return callFailed(domain.Call{Name: "logging/setLevel"}, err)
	}
	s.level.Store(&level)
	return nil
}
