// Package doctor checks the machine for what servers, sign-in and secrets need, and says what is missing.
package doctor

import (
	"context"
	"crypto/x509"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// probeLife bounds each program that is asked for its version.
const probeLife = 5 * time.Second

// Level says how much a finding matters.
type Level string

// OK needs nothing, a Note is worth knowing, a Problem stops something from working.
const (
	OK      Level = "ok"
	Note    Level = "note"
	Problem Level = "problem"
)

// Finding is one line of the report.
type Finding struct {
	// Check is a stable name, such as "npx", "keyring" or "proxy".
	Check  string        `json:"check"`
	Level  Level         `json:"level" enum:"ok,note,problem"`
	Detail string        `json:"detail,omitempty"`
	Error  *domain.Error `json:"error,omitempty"`
}

// Patient is the machine as the core sees it.
type Patient struct {
	Home string
	// SearchPath is the PATH that servers are looked for in.
	SearchPath string
	// Lookup reads a variable of our environment.
	Lookup func(string) (string, bool)
	// Secrets says where secrets live, with the reason when that is not the keyring.
	Secrets func(context.Context) (place string, reason *domain.Error)
	// Problems are what the core knows to be wrong.
	Problems []*domain.Error
}

// runners are the programs that start most servers, with what to do when one is missing.
func runners() map[string]string {
	return map[string]string{
		"npx":    "Install Node.js 22 or newer; most published servers start with npx.",
		"uvx":    "Install uv; servers written in Python start with uvx.",
		"docker": "Install Docker or Podman only if a server you use comes as a container.",
	}
}

// Examine looks everything over. The checks run side by side; the report keeps their order.
func Examine(ctx context.Context, p Patient) []Finding {
	checks := []func(context.Context, Patient) []Finding{
		dataFolder, known, secretsPlace, search, proxy, certificates,
	}
	hints := runners()
	for _, name := range slices.Sorted(maps.Keys(hints)) {
		checks = append(checks, func(ctx context.Context, p Patient) []Finding {
			return []Finding{program(ctx, p, name, hints[name])}
		})
	}
	reports := make([][]Finding, len(checks))
	var wg sync.WaitGroup
	for i, check := range checks {
		wg.Go(func() { reports[i] = check(ctx, p) })
	}
	wg.Wait()
	findings := []Finding{}
	for _, report := range reports {
		findings = append(findings, report...)
	}
	return findings
}

func dataFolder(_ context.Context, p Patient) []Finding {
	probe, err := os.CreateTemp(p.Home, ".doctor-*")
	if err != nil {
		return []Finding{{Check: "data_folder", Level: Problem, Detail: p.Home, Error: &domain.Error{
			Code: domain.CodeReadOnly, Message: "nothing can be written to the data folder " + p.Home,
			Hint: "Free some space, or give the folder back to yourself.", Args: map[string]string{"folder": p.Home}, Cause: err,
		}}}
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	if info, err := os.Stat(p.Home); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return []Finding{openFolder(p.Home, info.Mode().Perm())}
	}
	return []Finding{{Check: "data_folder", Level: OK, Detail: p.Home}}
}

// openFolder is a data folder that other users may enter: those who may write to it can take rules away.
func openFolder(home string, mode os.FileMode) Finding {
	f := Finding{Check: "data_folder", Level: Note, Detail: home, Error: &domain.Error{
		Code: domain.CodeFolderOpen, Message: "other users of this computer may look into the data folder " + home,
		Hint: "Keep it to yourself with: chmod 700 " + home, Args: map[string]string{"path": home, "reason": "read"},
	}}
	if mode&0o022 != 0 {
		f.Level = Problem
		f.Error.Message = "other users of this computer may change the data folder " + home
		f.Error.Args["reason"] = "write"
	}
	return f
}

func known(_ context.Context, p Patient) []Finding {
	findings := make([]Finding, 0, len(p.Problems))
	for _, problem := range p.Problems {
		findings = append(findings, Finding{Check: string(problem.Code), Level: Problem, Error: problem})
	}
	return findings
}

func secretsPlace(ctx context.Context, p Patient) []Finding {
	place, reason := p.Secrets(ctx)
	if reason == nil {
		return []Finding{{Check: "keyring", Level: OK, Detail: place}}
	}
	level := Note
	switch reason.Code {
	case domain.CodeSecretKeyMissing, domain.CodeKeyringDown, domain.CodeConfigInvalid:
		level = Problem // no call goes through: the journal is sealed with the same key
	}
	return []Finding{{Check: "keyring", Level: level, Detail: place, Error: reason}}
}

func search(_ context.Context, p Patient) []Finding {
	if p.SearchPath == "" {
		return []Finding{{Check: "path", Level: Problem, Error: &domain.Error{
			Code: domain.CodeProgramNotFound, Message: "PATH is empty, so no program can be found",
			Hint: "Start Apollia from a terminal or set PATH for your desktop session.",
		}}}
	}
	return []Finding{{Check: "path", Level: OK, Detail: p.SearchPath}}
}

// proxy reports the proxies in use without their passwords.
func proxy(_ context.Context, p Patient) []Finding {
	var said []string
	for _, name := range []string{
		"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
	} {
		value, ok := p.Lookup(name)
		if !ok || value == "" {
			continue
		}
		said = append(said, name+"="+withoutUser(value))
	}
	if len(said) == 0 {
		return []Finding{{Check: "proxy", Level: OK}}
	}
	return []Finding{{Check: "proxy", Level: Note, Detail: strings.Join(said, " ")}}
}

// withoutUser cuts the user and the password out of a proxy's address. A proxy is often given without a scheme, and a
// password may hold any character, so nothing is made of what stands before the last @.
func withoutUser(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		return "…" + address[at:]
	}
	return scheme + "://…" + address[at:]
}

func certificates(context.Context, Patient) []Finding {
	if _, err := x509.SystemCertPool(); err != nil {
		return []Finding{{Check: "certificates", Level: Problem, Error: &domain.Error{
			Code: domain.CodeTLSFailed, Message: "the system's certificates cannot be read",
			Hint: "Install the package ca-certificates.", Cause: err,
		}}}
	}
	return []Finding{{Check: "certificates", Level: OK}}
}

func program(ctx context.Context, p Patient, name, hint string) Finding {
	found := find(name, p.SearchPath)
	if found == "" {
		return Finding{Check: name, Level: Note, Error: &domain.Error{
			Code: domain.CodeProgramNotFound, Message: name + " was not found", Hint: hint,
			Args: map[string]string{"program": name},
		}}
	}
	bounded, cancel := context.WithTimeout(ctx, probeLife)
	defer cancel()
	cmd := exec.CommandContext(bounded, found, "--version")
	cmd.WaitDelay = time.Second // a child of its own may keep the output open for ever
	out, err := cmd.Output()
	if err != nil {
		return Finding{Check: name, Level: Note, Detail: found, Error: &domain.Error{
			Code: domain.CodeSpawnFailed, Message: fmt.Sprintf("%s is there but does not start", name), Hint: hint,
			Args: map[string]string{"program": name}, Cause: err,
		}}
	}
	version, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return Finding{Check: name, Level: OK, Detail: found + " " + version}
}

func find(name, searchPath string) string {
	endings := []string{""}
	if runtime.GOOS == "windows" {
		endings = []string{".exe", ".cmd", ".bat"}
	}
	for _, folder := range filepath.SplitList(searchPath) {
		for _, ending := range endings {
			candidate := filepath.Join(folder, name+ending)
			info, err := os.Stat(candidate)
			if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return candidate
			}
		}
	}
	return ""
}
