package session

// Stateless is the first revision without a handshake and without sessions: every request says who asks and what it
// can do (MCP 2026-07-28, basic/index).
const Stateless = "2026-07-28"

// handshaken are the revisions that begin with initialize, the preferred one first.
func handshaken() []string { return []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} }

// Revisions are those spoken here, the preferred one first.
func Revisions() []string { return append([]string{Stateless}, handshaken()...) }
