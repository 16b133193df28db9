package doctor_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
)

func patient(t *testing.T, environ map[string]string) doctor.Patient {
	t.Helper()
	return doctor.Patient{
		Home: t.TempDir(), SearchPath: t.TempDir(),
		Lookup:  func(name string) (string, bool) { value, ok := environ[name]; return value, ok },
		Secrets: func(context.Context) (string, *domain.Error) { return "keyring", nil },
	}
}

func finding(t *testing.T, p doctor.Patient, check string) doctor.Finding {
	t.Helper()
	for _, f := range doctor.Examine(t.Context(), p) {
		if f.Check == check {
			return f
		}
	}
	t.Fatalf("no finding %q", check)
	return doctor.Finding{}
}

func script(t *testing.T, folder, name, body string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestProgramFoundMissingAndBroken(t *testing.T) {
	p := patient(t, nil)
	script(t, p.SearchPath, "npx", "echo 11.2.0")
	script(t, p.SearchPath, "uvx", "exit 3")
	if f := finding(t, p, "npx"); f.Level != doctor.OK || !strings.HasSuffix(f.Detail, "npx 11.2.0") {
		t.Errorf("npx: %+v", f)
	}
	if f := finding(t, p, "uvx"); f.Error == nil || f.Error.Code != domain.CodeSpawnFailed {
		t.Errorf("uvx: %+v, want %s", f, domain.CodeSpawnFailed)
	}
	if f := finding(t, p, "docker"); f.Error == nil || f.Error.Code != domain.CodeProgramNotFound || f.Error.Hint == "" {
		t.Errorf("docker: %+v, want %s with a hint", f, domain.CodeProgramNotFound)
	}
}

func TestProxyIsShownWithoutItsPassword(t *testing.T) {
	for value, want := range map[string]string{
		"http://me:hush@proxy.example:3128": "http://…@proxy.example:3128",
		"me:hush@proxy.example:3128":        "…@proxy.example:3128",
		"http://me:h/us#h@proxy.example":    "http://…@proxy.example",
		"http://me:hush@x@proxy.example":    "http://…@proxy.example",
		"proxy.example:3128":                "proxy.example:3128",
	} {
		for _, name := range []string{"HTTPS_PROXY", "all_proxy"} {
			if f := finding(t, patient(t, map[string]string{name: value}), "proxy"); f.Detail != name+"="+want {
				t.Errorf("%s=%s is shown as %q", name, value, f.Detail)
			}
		}
	}
}

func TestProgramWhoseChildKeepsTheOutputIsNotWaitedFor(t *testing.T) {
	p := patient(t, nil)
	script(t, p.SearchPath, "npx", "echo 11.2.0; exec 2>&-; sleep 100000 & echo $! >"+filepath.Join(p.Home, "pid"))
	done := make(chan struct{})
	go func() {
		defer close(done)
		doctor.Examine(t.Context(), p)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("the report waits for the child of a program")
	}
	pid, err := os.ReadFile(filepath.Join(p.Home, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		t.Fatal(err)
	}
	child, err := os.FindProcess(id)
	if err == nil {
		err = child.Kill()
	}
	if err != nil {
		t.Errorf("end the child: %v", err)
	}
}

func TestFolderThatIsGone(t *testing.T) {
	p := patient(t, nil)
	p.Home = filepath.Join(p.Home, "gone")
	if f := finding(t, p, "data_folder"); f.Level != doctor.Problem || f.Error.Hint == "" {
		t.Errorf("%+v, want a problem with a hint", f)
	}
}

func TestProblemsOfTheCoreAreFindings(t *testing.T) {
	p := patient(t, nil)
	p.Problems = []*domain.Error{{Code: domain.CodeConfigInvalid, Message: "line 3"}}
	p.Secrets = func(context.Context) (string, *domain.Error) {
		return "file", &domain.Error{Code: domain.CodeCredentialMissing, Message: "no keyring"}
	}
	if f := finding(t, p, string(domain.CodeConfigInvalid)); f.Level != doctor.Problem {
		t.Errorf("%+v, want a problem", f)
	}
	if f := finding(t, p, "keyring"); f.Level != doctor.Note || f.Error == nil {
		t.Errorf("%+v, want a note with its reason", f)
	}
}

func TestEmptySearchPath(t *testing.T) {
	p := patient(t, nil)
	p.SearchPath = ""
	if f := finding(t, p, "path"); f.Level != doctor.Problem {
		t.Errorf("%+v, want a problem", f)
	}
}
