package backend_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	protocolTable = "docs/protocol.md"
	scripts       = "backend/cli/testdata/script/"
	// everyFeature is the name of the rows that hold for all features.
	everyFeature = "every feature"
	firstDoor    = 3 // the columns before are feature, revisions and transports
	columns      = 7
)

// protocolFeatures are those that the table must hold, whatever else it has.
var protocolFeatures = []string{
	"handshake, discover", "tools", "resources", "resource templates", "subscriptions", "binary content", "prompts", "completion",
	"logging", "progress", "cancellation", "list_changed", "pagination", "ui:// resources", "unknown extensions", "tasks", "skills",
	"sampling", "elicitation", "roots", "ping", "sessions, 404", "resume", "headers", "batches", "caching hints",
}

// spoken is every revision over every transport.
func spoken() (all []string) {
	for _, revision := range []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"} {
		for _, transport := range []string{"stdio", "HTTP", "SSE"} {
			all = append(all, revision+" over "+transport)
		}
	}
	return all
}

// protocolRows are the rows of the table, each with its cells.
func protocolRows(t *testing.T) [][]string {
	t.Helper()
	return tableRows(t, protocolTable, columns)
}

// tableRows are the rows of the tables of a document, without their heads.
func tableRows(t *testing.T, document string, columns int) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("../" + document)
	if err != nil {
		t.Fatal(err)
	}
	var before string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		inside, ok := strings.CutPrefix(line, "| ")
		isHeading := ok && before == ""
		before = line
		if !ok || isHeading {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(inside, " |"), " | ")
		if len(cells) != columns {
			t.Errorf("%s: %d cells, want %d: %s", document, len(cells), columns, line)
			continue
		}
		rows = append(rows, cells)
	}
	return rows
}

// Every feature says once, for each revision over each transport, how it is shown to work.
func TestProtocolTableIsWhole(t *testing.T) {
	said := map[string][]string{}
	for _, cells := range protocolRows(t) {
		for revision := range strings.SplitSeq(cells[1], ", ") {
			for transport := range strings.SplitSeq(cells[2], ", ") {
				said[cells[0]] = append(said[cells[0]], revision+" over "+transport)
			}
		}
	}
	for _, feature := range protocolFeatures {
		if said[feature] == nil {
			t.Errorf("%s: not in %s", feature, protocolTable)
		}
	}
	want := slices.Sorted(slices.Values(spoken()))
	for feature, rows := range said {
		if feature == everyFeature {
			continue
		}
		rows = slices.Sorted(slices.Values(append(rows, said[everyFeature]...)))
		if !slices.Equal(rows, want) {
			t.Errorf("%s is said of\n%v\nwant each once of\n%v", feature, rows, want)
		}
	}
}

// A cell says why there is nothing to test, or names tests that exist; after the gate, tests that it ran.
func TestProtocolTableNamesTests(t *testing.T) {
	exists := shownTests(t)
	for _, cells := range protocolRows(t) {
		for _, cell := range cells[firstDoor:] {
			if complaint := judgeCell(cell, exists); complaint != "" {
				t.Errorf("%s, %s, %s: %s", cells[0], cells[1], cells[2], complaint)
			}
		}
	}
}

// shownTests tells whether a test is in the sources, and ran where that is known.
func shownTests(t *testing.T) func(name string) bool {
	t.Helper()
	exists := existingTests(t)
	folder := os.Getenv(ranFolder)
	if folder == "" {
		return exists
	}
	ran := readRanTests(t, folder)
	return func(name string) bool { return exists(name) && ran.has(name) }
}

var notApplicable = regexp.MustCompile(`^n/a: \S.+$`)

// judgeCell says what is wrong with a cell, or nothing.
func judgeCell(cell string, exists func(string) bool) string {
	if notApplicable.MatchString(cell) {
		return ""
	}
	inside := strings.Split(strings.Trim(cell, "`"), "`, `")
	if len(cell) < 2 || cell[0] != '`' || cell[len(cell)-1] != '`' {
		return fmt.Sprintf("%q is neither n/a with its rule nor tests in backquotes", cell)
	}
	for _, name := range inside {
		if !exists(name) {
			return "there is no test " + name + ", or it did not run"
		}
	}
	return ""
}

var testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)

// existingTests tells whether a test is in the sources: package.TestName of Go, name.txtar of the command line, and
// file: title of the interface, where the file is named without its folder.
func existingTests(t *testing.T) func(name string) bool {
	t.Helper()
	known := map[string]bool{}
	titled := map[string][]string{} // the sources of the interface's tests, by the name of the file
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		name := path.Base(file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name == "node_modules" || name == "build" || len(name) > 1 && name[0] == '.'):
			return fs.SkipDir
		case strings.HasPrefix(file, scripts):
			known[name] = strings.HasSuffix(name, ".txtar")
			return nil
		case !isTestSource(name):
			return nil
		}
		text, err := fs.ReadFile(root, file)
		for _, found := range testFunction.FindAllSubmatch(text, -1) {
			known[path.Base(path.Dir(file))+"."+string(found[1])] = true
		}
		titled[name] = append(titled[name], string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(name string) bool {
		file, title, isTitle := strings.Cut(name, ": ")
		return known[name] || isTitle && slices.ContainsFunc(titled[file], func(text string) bool { return hasTitle(text, title) })
	}
}

func isTestSource(name string) bool {
	for _, end := range []string{"_test.go", ".test.ts", ".test.tsx", ".spec.ts"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// hasTitle looks for a test of that title, which stands in quotes of any kind as the first argument.
func hasTitle(text, title string) bool {
	return regexp.MustCompile("\\((['\"`])" + regexp.QuoteMeta(title) + "['\"`],").MatchString(text)
}

func TestJudgeCell(t *testing.T) {
	exists := func(name string) bool { return name == "pool.TestA" || name == "a.test.ts: says it" }
	for cell, fine := range map[string]bool{
		"`pool.TestA`": true, "`pool.TestA`, `a.test.ts: says it`": true, "n/a: it has none (basic)": true,
		"`pool.TestB`": false, "`pool.TestA`, `pool.TestB`": false, "n/a": false, "n/a: ": false, "pool.TestA": false, "": false, "`": false,
	} {
		if got := judgeCell(cell, exists) == ""; got != fine {
			t.Errorf("%q counts as fine: %v", cell, got)
		}
	}
	for text, found := range map[string]bool{"it('says it', () => {": true, "test(`says it`, async": true, "it('says it not', ": false, "// says it": false} {
		if hasTitle(text, "says it") != found {
			t.Errorf("%s: %v", text, !found)
		}
	}
}
