package native

import (
	"path"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A glob with a slash and without ** means what the standard library means by it.
func TestGlobsAgreeWithThoseOfGo(t *testing.T) {
	part := rapid.StringMatching(`[ab?]{0,2}[*]?[ab?]{1,2}`)
	rapid.Check(t, func(r *rapid.T) {
		pattern := strings.Join(rapid.SliceOfN(part, 2, 3).Draw(r, "pattern"), "/")
		below := strings.Join(rapid.SliceOfN(rapid.StringMatching(`[ab]{1,3}`), 1, 4).Draw(r, "path"), "/")
		g, err := readGlob(pattern)
		must(t, err)
		want, err := path.Match(pattern, below)
		must(t, err)
		if got := g.fits(below); got != want {
			r.Fatalf("%s of %s: %t", pattern, below, got)
		}
	})
}
