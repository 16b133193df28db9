package transport

import (
	"strconv"
	"strings"
	"sync"

	"apollia.fr/connexions/backend/domain"
)

const (
	firstLines    = 5
	maxFirstLine  = 300 // bytes
	maxBodyProof  = 2 << 10
	stderrTail    = 20 // lines
	restartHint   = "Look at the server's log for the cause, then start it again."
	notServerHint = "Check that this is an MCP server and that it speaks over this transport."
)

// silence remembers what a server said before its first JSON-RPC frame, to tell a mute one from one that talks
// something else.
type silence struct {
	mu     sync.Mutex
	frames int
	babble int
	first  []string
}

func (s *silence) heardFrame() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frames++
}

// heardBabble notes a line that is not JSON-RPC. Any number of them is fine: some programs print for a long time before
// they serve, and how long a start may take is bounded elsewhere.
func (s *silence) heardBabble(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.babble++
	if len(s.first) < firstLines {
		s.first = append(s.first, line[:min(len(line), maxFirstLine)])
	}
}

// lines is how many lines were no JSON-RPC.
func (s *silence) lines() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.babble
}

// onlyBabble gives the error for a server that never sent a frame, nil when it sent one or nothing at all.
func (s *silence) onlyBabble() *domain.Error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frames > 0 || s.babble == 0 {
		return nil
	}
	return &domain.Error{
		Code:    domain.CodeNotJSONRPC,
		Message: "The server answers with something that is not JSON-RPC.",
		Hint:    notServerHint,
		Args:    map[string]string{"lines": strconv.Itoa(s.babble)},
		Proof:   strings.Join(s.first, "\n"),
	}
}

// explain says why a request got no answer in time.
func (s *silence) explain(method string, cause error) error {
	if e := s.onlyBabble(); e != nil {
		return e
	}
	return &domain.Error{
		Code:    domain.CodeNoAnswer,
		Message: "The server did not answer \"" + method + "\" in time.",
		Hint:    "Check that it is an MCP server, or give it a longer timeout.",
		Args:    map[string]string{"method": method},
		Cause:   cause,
	}
}
