//go:build !linux

package transport

// family finds nothing: these systems have no subreaper, and do not let us read the environment of a process without
// further rights. A descendant that left the process group of its server, or its job on Windows, is not found.
type family struct{}

func adoptOrphans() {}

func newFamily(int, string, string) *family { return &family{} }

func foundFamily(int, string) *family { return &family{} }

func (*family) look() []int { return nil }

func (*family) alive() bool { return false }

func (*family) signal(bool) {}

func (*family) reapUntil(<-chan struct{}) {}

func hasMark(int, string) bool { return false }

func startTime(int) string { return "" }
