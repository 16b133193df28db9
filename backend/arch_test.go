package backend_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module       = "apollia.fr/connexions"
	longestFile  = 400 // lines
	testOnly     = -1  // the layer of packages that only tests import
	dataPackages = -2  // the layer of embedded data: no imports of ours, anyone above the pure layer may use it
)

// layers is the table of docs/architecture.md section 3. A package imports lower layers only, never its own; its tests
// may, to use the real neighbour.
var layers = map[string]int{
	"domain": 0,

	"jsonrpc": 1, "policy": 1, "naming": 1, "search": 1, "schema": 1, "syntax": 1, "httpauth": 1, "hosts": 1,

	"config": 2, "doctor": 2, "owner": 2, "store": 2, "secrets": 2, "audit": 2, "oauth": 2, "transport": 2, "directory": 2,
	"packages": 2, "lan": 2, "clients": 2, "model": 2, "native": 2, "window": 2, "folders": 2, "browser": 2,

	"session": 3,

	"events": 4, "inbox": 4, "pins": 4, "pool": 4, "pipeline": 4,

	"human": 5, "servers": 5, "toolbox": 5, "apps": 5,

	"gateway": 6, "agent": 6, "api": 6,

	"core": 7,

	"cli": 8,

	"cmd/apollia": 9, "conformance": 9, "api/openapi": 9,

	"mcptest": testOnly, "mcptest/mcpfake": testOnly, "oauthtest": testOnly, "oauthtest/oauthfake": testOnly,
	"lantest": testOnly, "lantest/lanfake": testOnly,

	"/catalog": dataPackages, "/frontend": dataPackages,

	"/": 9, // main.go and app.go, the desktop program
}

// coreUsers are the only packages whose programs may hold the whole product.
var coreUsers = []string{"/", "cmd/apollia", "conformance"}

// libraries says which packages may import a library of somebody else. Tests may import any.
var libraries = map[string][]string{
	"github.com/santhosh-tekuri/jsonschema/v6": {"schema"},

	"github.com/pelletier/go-toml/v2": {"syntax"},
	"github.com/goccy/go-yaml":        {"syntax"},
	"github.com/tidwall/jsonc":        {"syntax"},
	"mvdan.cc/sh/v3":                  {"syntax"},

	"github.com/kljensen/snowball": {"search"},

	"github.com/fsnotify/fsnotify":     {"config"},
	"go.etcd.io/bbolt":                 {"store"},
	"github.com/zalando/go-keyring":    {"secrets"},
	"github.com/fernet/fernet-go":      {"secrets"},
	"golang.org/x/oauth2":              {"oauth"},
	"github.com/go-jose/go-jose/v4":    {"oauth", "oauthtest"},
	"github.com/mark3labs/mcp-go":      {"transport", "gateway", "mcptest"},
	"github.com/grandcat/zeroconf":     {"lan", "lantest"},
	"github.com/miekg/dns":             {"lan"},
	"modernc.org/sqlite":               {"native"},
	"github.com/failsafe-go":           {"pipeline"},
	"github.com/danielgtaylor/huma/v2": {"api", "api/openapi"},
	"github.com/gofrs/flock":           {"owner", "window"},
	"github.com/spf13/cobra":           {"cli"},
	"github.com/spf13/pflag":           {"cli"},
	"golang.org/x/term":                {"cli"},
	"github.com/wailsapp/wails/v2":     {"/"},
	"golang.org/x/net":                 {"transport", "human", "lan"},
	"golang.org/x/text":                {"pins"},
	"github.com/aymanbagabas/go-udiff": {"pins"},
	"golang.org/x/sys":                 {"transport", "store", "core", "packages", "cli", "/"},
}

// source is what the rules need to know of one Go file.
type source struct {
	path    string // below the repository, with slashes
	pkg     string // its key in layers
	test    bool
	comment string // the package comment
	imports []string
	lines   int
}

// packageOf names the package of a file as layers does: below backend/ without it, elsewhere with a leading slash.
func packageOf(file string) string {
	folder := path.Dir(file)
	if inside, ok := strings.CutPrefix(folder, "backend/"); ok {
		return inside
	}
	if folder == "." {
		return "/"
	}
	return "/" + folder
}

// keyOf names one of our import paths as layers does.
func keyOf(importPath string) string {
	inside := strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
	return packageOf(inside + "/x.go")
}

func sources(t *testing.T) []source {
	t.Helper()
	root := os.DirFS("..")
	var found []source
	err := fs.WalkDir(root, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return skipFolder(root, file)
		}
		if strings.HasSuffix(file, ".go") && path.Dir(file) != "backend" {
			found = append(found, readSource(t, root, file))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 10 {
		t.Fatalf("only %d Go files were found: the walk is broken", len(found))
	}
	return found
}

// skipFolder leaves out hidden folders, test data, npm packages and other modules.
func skipFolder(root fs.FS, folder string) error {
	name := path.Base(folder)
	if folder == "." {
		return nil
	}
	_, err := fs.Stat(root, path.Join(folder, "go.mod"))
	if err == nil || strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" {
		return fs.SkipDir
	}
	return nil
}

// readSource reads every file whatever its build tags, so that the rules hold on every system.
func readSource(t *testing.T, root fs.FS, file string) source {
	t.Helper()
	text, err := fs.ReadFile(root, file)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	s := source{path: file, pkg: packageOf(file), test: strings.HasSuffix(file, "_test.go"), lines: strings.Count(string(text), "\n")}
	s.comment = tree.Doc.Text()
	for _, spec := range tree.Imports {
		s.imports = append(s.imports, importPath(t, spec))
	}
	return s
}

func importPath(t *testing.T, spec *ast.ImportSpec) string {
	t.Helper()
	unquoted, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		t.Fatal(err)
	}
	return unquoted
}

func TestPackagesImportOnlyLowerLayers(t *testing.T) {
	for _, s := range sources(t) {
		if _, known := layers[s.pkg]; !known {
			t.Errorf("%s: package %q is not in the table: give it a layer in docs/architecture.md and backend/arch_test.go, "+
				"or move the code to the package whose job it is", s.path, s.pkg)
			continue
		}
		for _, imported := range s.imports {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				continue
			}
			if complaint := judgeImport(s, keyOf(imported)); complaint != "" {
				t.Errorf("%s: %s may not import %s: %s", s.path, s.pkg, keyOf(imported), complaint)
			}
		}
	}
}

// judgeImport says why a file may not import one of our packages, or nothing.
func judgeImport(s source, imported string) string {
	from := layers[s.pkg]
	to, known := layers[imported]
	switch {
	case !known:
		return "it is not in the table of layers"
	case imported == s.pkg:
		return "" // an external test of the package itself
	case to == testOnly:
		return complainUnless(s.test || from == testOnly, "only tests use it")
	case from == testOnly:
		return complainUnless(to <= 1, "test servers use only the nouns and the pure packages")
	case to == dataPackages:
		return complainUnless(from > 1, "pure packages read no data files")
	case imported == "core" && !s.test:
		return complainUnless(slices.Contains(coreUsers, s.pkg), "only the programs import core")
	case to > from || to == from && !s.test:
		return "its layer is not lower"
	}
	return ""
}

func complainUnless(fine bool, complaint string) string {
	if fine {
		return ""
	}
	return complaint
}

func TestLibrariesStayBehindTheirFence(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, imported := range s.imports {
			if isStandard(imported) || strings.HasPrefix(imported, module) {
				continue
			}
			allowed := fenceOf(imported)
			if allowed == nil {
				t.Errorf("%s: %s has no fence: say in backend/arch_test.go which packages may import it, "+
					"and in docs/decisions why it was chosen", s.path, imported)
			} else if !slices.Contains(allowed, s.pkg) {
				t.Errorf("%s: only %s may import %s", s.path, strings.Join(allowed, ", "), imported)
			}
		}
	}
}

// Wails is two files, so that another window would be two files.
func TestOnlyTwoFilesSeeWails(t *testing.T) {
	for _, s := range sources(t) {
		for _, imported := range s.imports {
			if strings.HasPrefix(imported, "github.com/wailsapp/") && s.path != "main.go" && s.path != "app.go" {
				t.Errorf("%s imports %s: only main.go and app.go do", s.path, imported)
			}
		}
	}
}

// isStandard holds for the standard library, whose paths have no dot in their first element.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

func fenceOf(importPath string) []string {
	for library, allowed := range libraries {
		if importPath == library || strings.HasPrefix(importPath, library+"/") {
			return allowed
		}
	}
	return nil
}

// The first paragraph of a package's comment is one sentence, its job; what follows may say why it is so.
func TestEveryPackageSaysItsJobInOneSentence(t *testing.T) {
	comments := map[string]string{}
	for _, s := range sources(t) {
		if !s.test {
			comments[s.pkg] += s.comment
		}
	}
	for pkg, comment := range comments {
		job, _, _ := strings.Cut(comment, "\n\n")
		job = strings.Join(strings.Fields(job), " ")
		switch {
		case job == "":
			t.Errorf("package %s has no comment that says its job", pkg)
		case new(doc.Package).Synopsis(job) != job || !strings.HasSuffix(job, "."):
			t.Errorf("package %s: the first paragraph of its comment is not one sentence: %s", pkg, job)
		}
	}
}

func TestFilesStayShort(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > longestFile {
			t.Errorf("%s has %d lines, more than %d: split it by noun or verb", s.path, s.lines, longestFile)
		}
	}
}

// The map that people read and the table that the tests use are one.
func TestTableAgreesWithTheArchitecture(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| (\\d|test)[^|]*\\| (`[^|]*`) \\|")
	written := map[string]int{}
	for _, match := range row.FindAllStringSubmatch(string(text), -1) {
		layer, err := strconv.Atoi(match[1])
		if err != nil {
			layer = testOnly
		}
		for name := range strings.SplitSeq(match[2], ", ") {
			written[strings.Trim(name, "`")] = layer
		}
	}
	for pkg, layer := range written {
		if layers[pkg] != layer {
			t.Errorf("docs/architecture.md puts %s on layer %d, backend/arch_test.go on %d", pkg, layer, layers[pkg])
		}
	}
	for pkg := range layers {
		if _, ok := written[pkg]; !ok && !strings.HasPrefix(pkg, "/") {
			t.Errorf("docs/architecture.md does not list %s", pkg)
		}
	}
}
