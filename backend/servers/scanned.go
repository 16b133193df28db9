package servers

import (
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// maxScans bounds for how many servers that is remembered.
const maxScans = 500

// scans remember what was found in the tools of each server, since the same list is asked for far more often than it changes.
type scans struct {
	mu       sync.Mutex
	byServer map[string]scan
}

// scan is what was found in one list of tools, which nobody changes once it is there.
type scan struct {
	tools    []domain.Tool
	findings [][]domain.ToolFinding
}

func (s scan) isOf(tools []domain.Tool) bool {
	return len(s.tools) == len(tools) && &s.tools[0] == &tools[0]
}

// scanned are the tools of one server with what a person should look at closely in them.
func (s *Service) scanned(tools []domain.Tool) []domain.Tool {
	with := append([]domain.Tool{}, tools...)
	if len(tools) == 0 {
		return with
	}
	for i, findings := range s.findings(tools) {
		with[i].Findings = findings
	}
	return with
}

func (s *Service) findings(tools []domain.Tool) [][]domain.ToolFinding {
	s.scans.mu.Lock()
	defer s.scans.mu.Unlock()
	known := s.scans.byServer[tools[0].Server]
	if !known.isOf(tools) {
		if len(s.scans.byServer) >= maxScans {
			clear(s.scans.byServer) // of drafts and servers that are no more, too
		}
		known = scan{tools, s.Scan(tools)}
		s.scans.byServer[tools[0].Server] = known
	}
	return known.findings
}
