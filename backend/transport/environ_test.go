package transport

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestProcessEnviron(t *testing.T) {
	ours := []string{
		"PATH=/bin", "HOME=/home/ada", "LC_TIME=fr_FR", "AWS_SECRET_ACCESS_KEY=x", "PATHEXTRA=y", "APOLLIA_SPAWN=old",
		"HTTPS_PROXY=http://proxy:3128", "HTTP_PROXY=http://ada:pw@proxy:3128", "=C:=C:\\", "broken",
	}
	tests := []struct {
		name string
		goos string
		d    domain.Definition
		want []string
	}{
		{"the safe base", "linux", domain.Definition{}, []string{"PATH=/bin", "HOME=/home/ada", "LC_TIME=fr_FR", "HTTPS_PROXY=http://proxy:3128", "APOLLIA_SPAWN=m"}},
		{
			"what is declared wins", "linux",
			domain.Definition{Env: []domain.Variable{{Name: "PATH", Value: "/opt"}, {Name: "KEY", Value: "a=b"}}},
			[]string{"HOME=/home/ada", "LC_TIME=fr_FR", "HTTPS_PROXY=http://proxy:3128", "PATH=/opt", "KEY=a=b", "APOLLIA_SPAWN=m"},
		},
		{
			"everything", "linux",
			domain.Definition{InheritEnv: true},
			[]string{
				"PATH=/bin", "HOME=/home/ada", "LC_TIME=fr_FR", "AWS_SECRET_ACCESS_KEY=x", "PATHEXTRA=y",
				"HTTPS_PROXY=http://proxy:3128", "HTTP_PROXY=http://ada:pw@proxy:3128", "APOLLIA_SPAWN=m",
			},
		},
		{
			"Windows takes any case", "windows",
			domain.Definition{Env: []domain.Variable{{Name: "Path", Value: `C:\bin`}}},
			[]string{"HOME=/home/ada", "LC_TIME=fr_FR", "HTTPS_PROXY=http://proxy:3128", `Path=C:\bin`, "APOLLIA_SPAWN=m"},
		},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, processEnviron(ours, test.d, "m", test.goos)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestWindowsProgramsGetWhatTheyNeed(t *testing.T) {
	got := processEnviron([]string{"systemroot=C:\\Windows", "PathExt=.EXE", "ComSpec=cmd"}, domain.Definition{}, "m", "windows")
	if len(got) != 4 {
		t.Errorf("environment %q", got)
	}
}

func TestVariableTakesTheLastOfSeveral(t *testing.T) {
	if got := variable([]string{"A=1", "a=2", "A=3"}, "A", "linux"); got != "3" {
		t.Errorf("A = %q", got)
	}
	if got := variable([]string{"Path=x"}, "PATH", "windows"); got != "x" {
		t.Errorf("PATH = %q", got)
	}
}

func TestPassedVariablesNameNoCredential(t *testing.T) {
	names := PassedVariables()
	if !slices.Contains(names, "PATH") || !slices.IsSorted(names) {
		t.Errorf("names %q", names)
	}
	for _, name := range names {
		if secretName.MatchString(name) {
			t.Errorf("%s may be a credential", name)
		}
	}
}

func TestServerSeesOnlyItsEnvironment(t *testing.T) {
	t.Setenv("APOLLIA_TEST_LEAK", "leaked")
	d := mcptest.Command(mcptest.Options{})
	d.Env = append(d.Env, domain.Variable{Name: "DECLARED", Value: "with spaces and ünïcode"})
	o := testOptions()
	l := dial(t, d, o)
	initialize(t, l)
	environ := callText(t, l, `{"name":"environment"}`)
	if strings.Contains(environ, "leaked") || !strings.Contains(environ, "DECLARED=with spaces and ünïcode") {
		t.Errorf("environment:\n%s", environ)
	}
	if !strings.Contains(environ, markName+"=") || !strings.Contains(environ, "PATH=") {
		t.Errorf("the base is missing:\n%s", environ)
	}
}

func TestServerInheritsEverythingWhenAsked(t *testing.T) {
	t.Setenv("APOLLIA_TEST_LEAK", "wanted")
	d := mcptest.Command(mcptest.Options{})
	d.InheritEnv = true
	l := dial(t, d, testOptions())
	initialize(t, l)
	if environ := callText(t, l, `{"name":"environment"}`); !strings.Contains(environ, "APOLLIA_TEST_LEAK=wanted") {
		t.Errorf("environment:\n%s", environ)
	}
}
