package native

import "testing"

func (s space) modules(t *testing.T) []Module {
	t.Helper()
	return []Module{s.files(t)}
}
