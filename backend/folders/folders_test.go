package folders

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestOnlyFoldersBesideTheDataFolderAreAccepted(t *testing.T) {
	top := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	for _, folder := range []string{at("apollia", "audit"), at("notes", "deep")} {
		must(t, os.MkdirAll(folder, 0o700))
	}
	must(t, os.WriteFile(at("file"), nil, 0o600))
	for link, to := range map[string]string{
		"good": at("notes"), "data": at("apollia"), "inside": at("apollia", "audit"), "around": top, "broken": at("nowhere"), "circle": at("circle"),
	} {
		must(t, os.Symlink(to, at(link)))
	}
	must(t, os.Symlink(at("apollia"), at("home")))
	for name, test := range map[string]struct{ folder, reason string }{
		"a folder":                        {at("notes"), ""},
		"a folder in it":                  {at("notes", "deep"), ""},
		"a link to a folder":              {at("good"), ""},
		"a folder whose name only begins": {at("notes") + "/../notes", ""},
		"the data folder":                 {at("apollia"), "root_in_data"},
		"the data folder by its link":     {at("home"), "root_in_data"},
		"a part of the data folder":       {at("apollia", "audit"), "root_in_data"},
		"the folder around it":            {top, "root_in_data"},
		"the root":                        {"/", "root_in_data"},
		"dots that lead to it":            {at("notes") + "/../apollia", "root_in_data"},
		"a link to the data folder":       {at("data"), "root_in_data"},
		"a link into it":                  {at("inside"), "root_in_data"},
		"a link to what holds it":         {at("around"), "root_in_data"},
		"a folder below a link to it":     {at("data", "audit"), "root_in_data"},
		"a link to nothing":               {at("broken"), "root_missing"},
		"a link to itself":                {at("circle"), "root_missing"},
		"nothing":                         {at("nowhere"), "root_missing"},
		"a file":                          {at("file"), "root_no_folder"},
		"below a file":                    {at("file", "more"), "root_missing"},
		"a relative path":                 {"notes", "root_not_full"},
		"an address":                      {"file://" + at("notes"), "root_not_full"},
		"no name":                         {"", "root_not_full"},
		"a zero byte":                     {at("notes") + "\x00", "root_not_full"},
		"a path without end":              {"/" + strings.Repeat("a", maxPath), "root_not_full"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, data := range []string{at("apollia"), at("home")} {
				reason := ""
				if err := Check(data, test.folder); err != nil {
					failure := domain.AsError(err)
					reason = failure.Args["reason"]
					if failure.Code != domain.CodeInvalidInput || failure.Message == "" || failure.Hint == "" {
						t.Errorf("refused with %+v", failure)
					}
				}
				if reason != test.reason {
					t.Errorf("%s beside %s: %q, want %q", test.folder, data, reason, test.reason)
				}
			}
		})
	}
}

func TestALinkThatIsMovedIsSeen(t *testing.T) {
	data, good, link := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(good, link))
	must(t, Check(data, link))
	must(t, os.Remove(link))
	must(t, os.Symlink(data, link))
	if err := Check(data, link); err == nil {
		t.Error("a link into the data folder is accepted once it was good")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
