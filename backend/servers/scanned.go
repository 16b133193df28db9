package servers

import (
	"sync"

	"apollia.fr/connexions/backend/domain"
)

// maxLists bounds for how many servers something is remembered.
const maxLists = 500

// perList remembers what was made of each server's list of tools, since the same list is asked for far more often than it
// changes.
type perList[T any] struct {
	mu       sync.Mutex
	byServer map[string]madeOf[T]
}

// madeOf is what was made of one list of tools, which nobody changes once it is there.
type madeOf[T any] struct {
	tools []domain.Tool
	made  T
}

// of gives what the function makes of the tools of one server, at least one.
func (p *perList[T]) of(tools []domain.Tool, work func([]domain.Tool) T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	known := p.byServer[tools[0].Server]
	if len(known.tools) == len(tools) && &known.tools[0] == &tools[0] {
		return known.made
	}
	if len(p.byServer) >= maxLists {
		clear(p.byServer) // of drafts and servers that are no more, too
	}
	known = madeOf[T]{tools, work(tools)}
	p.byServer[tools[0].Server] = known
	return known.made
}

// scanned are the tools of one server with what a person should look at closely in them.
func (s *Service) scanned(tools []domain.Tool) []domain.Tool {
	with := append([]domain.Tool{}, tools...)
	if len(tools) == 0 {
		return with
	}
	for i, findings := range s.scans.of(tools, s.Scan) {
		with[i].Findings = findings
	}
	return with
}

func digestsOf(tools []domain.Tool) []string {
	digests := make([]string, len(tools))
	for i, tool := range tools {
		digests[i] = tool.Digest()
	}
	return digests
}
