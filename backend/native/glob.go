package native

import (
	"path"
	"strings"
)

// maxGlob is how many names between slashes a glob has at most.
const maxGlob = 64

// glob is a pattern of paths below a folder, with slashes.
type glob struct{ names []string }

// readGlob reads a pattern: * and ? stay within a name, ** stands for any number of folders, [a-z] is a class, \ takes
// the next character as it is. One without a slash fits names in every folder.
func readGlob(pattern string) (glob, error) {
	clean := strings.TrimPrefix(strings.TrimSuffix(pattern, "/"), "./")
	if clean == "" || strings.HasPrefix(clean, "/") || strings.ContainsRune(clean, 0) {
		return glob{}, refuse("The glob %q is no path below a folder.", pattern)
	}
	names := strings.Split(clean, "/")
	if len(names) == 1 && clean != "**" {
		names = []string{"**", clean}
	}
	if len(names) > maxGlob {
		return glob{}, refuse("The glob has more than %d parts.", maxGlob)
	}
	for _, name := range names {
		if _, err := path.Match(name, ""); err != nil {
			return glob{}, refuse("The glob %q is not complete: a bracket or a backslash has no end.", pattern)
		}
	}
	return glob{names: names}, nil
}

// fits reports whether a path is one of those meant. Its work is bounded by the product of both lengths.
func (g glob) fits(below string) bool {
	// reached[i] says that the path up to here is used up by the first i names.
	reached := make([]bool, len(g.names)+1)
	reached[0] = true
	for i, name := range g.names {
		reached[i+1] = reached[i] && name == "**"
	}
	for part := range strings.SplitSeq(below, "/") {
		next := make([]bool, len(reached))
		for i, name := range g.names {
			if name == "**" {
				next[i+1] = next[i] || reached[i] || reached[i+1]
				continue
			}
			if reached[i] {
				next[i+1], _ = path.Match(name, part) // the pattern was tried when it was read
			}
		}
		reached = next
	}
	return reached[len(g.names)]
}
