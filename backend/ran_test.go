package backend_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ranFolder is the variable with the folder in which the gate keeps what it ran. Without it, a name need only exist.
const ranFolder = "APOLLIA_RAN"

// What the gate keeps there, as the runners write it.
const (
	ranGo        = "go.json"      // go test -json
	ranInterface = "ui.json"      // vitest
	ranBrowser   = "browser.json" // playwright
)

// ranTests are the tests that ran to a good end, by the names that the table has for them.
type ranTests map[string]bool

func readRanTests(t *testing.T, folder string) ranTests {
	t.Helper()
	ran := ranTests{}
	for name, read := range map[string]func(ranTests, []byte) error{
		ranGo: ranTests.addGo, ranInterface: ranTests.addInterface, ranBrowser: ranTests.addBrowser,
	} {
		raw, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := read(ran, raw); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return ran
}

// addGo takes in the events of go test. A script of the command line is a subtest.
func (ran ranTests) addGo(raw []byte) error {
	lines := bufio.NewScanner(strings.NewReader(string(raw)))
	lines.Buffer(nil, len(raw)+1)
	for lines.Scan() {
		var event struct{ Action, Package, Test string }
		if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
			return err
		}
		if event.Action != "pass" || event.Test == "" {
			continue
		}
		if script, ok := strings.CutPrefix(event.Test, "TestScripts/"); ok {
			ran[script+".txtar"] = true
		}
		ran[path.Base(event.Package)+"."+event.Test] = true
	}
	return lines.Err()
}

func (ran ranTests) addInterface(raw []byte) error {
	var report struct {
		Files []struct {
			Name  string `json:"name"`
			Tests []struct {
				Title  string `json:"title"`
				Status string `json:"status"`
			} `json:"assertionResults"`
		} `json:"testResults"`
	}
	if err := json.Unmarshal(raw, &report); err != nil {
		return err
	}
	for _, file := range report.Files {
		for _, test := range file.Tests {
			if test.Status == "passed" {
				ran[path.Base(file.Name)+": "+test.Title] = true
			}
		}
	}
	return nil
}

// browserSuite is a file, or a group of tests in one.
type browserSuite struct {
	File  string `json:"file"`
	Specs []struct {
		Title string `json:"title"`
		OK    bool   `json:"ok"`
		Tests []struct {
			Status string `json:"status"`
		} `json:"tests"`
	} `json:"specs"`
	Suites []browserSuite `json:"suites"`
}

func (ran ranTests) addBrowser(raw []byte) error {
	var report browserSuite
	if err := json.Unmarshal(raw, &report); err != nil {
		return err
	}
	ran.addSuite(report)
	return nil
}

func (ran ranTests) addSuite(suite browserSuite) {
	for _, spec := range suite.Specs {
		// One that was left out counts as ok.
		if spec.OK && len(spec.Tests) > 0 && spec.Tests[0].Status == "expected" {
			ran[path.Base(suite.File)+": "+spec.Title] = true
		}
	}
	for _, inner := range suite.Suites {
		ran.addSuite(inner)
	}
}

// filledIn are the places of a title that each run fills in: %s, ${what}.
var filledIn = regexp.MustCompile(`%s|\$\{[^}]*\}`)

// has reports whether the test ran, in at least one form when its title has places to fill in.
func (ran ranTests) has(name string) bool {
	if !filledIn.MatchString(name) {
		return ran[name]
	}
	var pattern strings.Builder
	for i, fixed := range filledIn.Split(name, -1) {
		if i > 0 {
			pattern.WriteString(".+")
		}
		pattern.WriteString(regexp.QuoteMeta(fixed))
	}
	return slices.ContainsFunc(slices.Collect(maps.Keys(ran)), regexp.MustCompile("^"+pattern.String()+"$").MatchString)
}

func TestRanTestsAreThoseThatPassed(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		ranGo: `{"Action":"run","Package":"x/pool","Test":"TestA"}
{"Action":"pass","Package":"x/pool","Test":"TestA"}
{"Action":"skip","Package":"x/pool","Test":"TestSkipped"}
{"Action":"fail","Package":"x/pool","Test":"TestFailed"}
{"Action":"pass","Package":"x/cli","Test":"TestScripts/call"}
{"Action":"pass","Package":"x/cli"}
`,
		ranInterface: `{"testResults":[{"name":"/far/away/a.test.tsx","assertionResults":[
			{"title":"says it","status":"passed"},{"title":"says no in French","status":"passed"},{"title":"is left out","status":"pending"}]}]}`,
		ranBrowser: `{"suites":[{"file":"journeys/w.spec.ts","suites":[{"file":"journeys/w.spec.ts","specs":[
			{"title":"over stdio, adds","ok":true,"tests":[{"status":"expected"}]},
			{"title":"was left out","ok":true,"tests":[{"status":"skipped"}]},{"title":"fails","ok":false,"tests":[{"status":"unexpected"}]}]}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := readRanTests(t, folder)
	for name, want := range map[string]bool{
		"pool.TestA": true, "pool.TestSkipped": false, "pool.TestFailed": false, "pool.TestB": false, "call.txtar": true, "other.txtar": false,
		"a.test.tsx: says it": true, "a.test.tsx: says no in %s": true, "a.test.tsx: says yes in %s": false, "a.test.tsx: is left out": false,
		"w.spec.ts: over ${transport}, adds": true, "w.spec.ts: was left out": false, "w.spec.ts: fails": false,
	} {
		if ran.has(name) != want {
			t.Errorf("%s ran: %v", name, !want)
		}
	}
}
