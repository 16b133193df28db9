package transport

import (
	"runtime"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// markName names the variable that every process we start carries, so that leftovers of a killed core can be told
// from everything else on the machine.
const markName = "APOLLIA_SPAWN"

// baseNames are the variables of ours that every process gets: what programs need to find themselves, their user
// and their language, and nothing that could be a credential. LC_* is added to them.
func baseNames() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TERM", "TMPDIR", "TZ",
		"XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME",
		// A proxy or a private authority that we need, a server needs too.
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
	}
}

// windowsNames are those without which Windows programs do not start.
func windowsNames() []string {
	return []string{
		"SystemRoot", "SystemDrive", "windir", "PATHEXT", "COMSPEC", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME",
		"USERDOMAIN", "HOMEDRIVE", "HOMEPATH", "ProgramData", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432",
		"CommonProgramFiles", "PUBLIC", "TEMP", "TMP", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE", "OS",
	}
}

// PassedVariables lists the variables that a process gets from us without asking for them, as far as we have them
// ourselves; "LC_*" stands for all that begin so.
func PassedVariables() []string {
	names := []string{"LC_*"}
	names = append(names, baseNames()...)
	if runtime.GOOS == "windows" {
		names = append(names, windowsNames()...)
	}
	slices.Sort(names)
	return names
}

func isBase(name, value, goos string) bool {
	if strings.HasSuffix(strings.ToUpper(name), "_PROXY") && strings.Contains(value, "@") {
		return false // it holds a user name and a password
	}
	same := func(base string) bool { return sameName(base, name, goos) }
	if goos == "windows" && slices.ContainsFunc(windowsNames(), same) {
		return true
	}
	return strings.HasPrefix(name, "LC_") || slices.ContainsFunc(baseNames(), same)
}

// sameName compares two variable names as the system does.
func sameName(a, b, goos string) bool {
	if goos == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}

// processEnviron builds the environment of a server: the base set, or everything of ours when the definition says
// so, then what the definition declares, then the mark.
func processEnviron(environ []string, d domain.Definition, mark, goos string) []string {
	var out []string
	for _, pair := range environ {
		name, value, ok := strings.Cut(pair, "=")
		// Windows keeps hidden variables such as "=C:=C:\\dir"; they have no name.
		if !ok || name == "" || sameName(name, markName, goos) {
			continue
		}
		if d.InheritEnv || isBase(name, value, goos) {
			out = append(out, pair)
		}
	}
	for _, v := range d.Env {
		out = setVariable(out, v.Name, v.Value, goos)
	}
	return setVariable(out, markName, mark, goos)
}

func setVariable(environ []string, name, value, goos string) []string {
	environ = slices.DeleteFunc(environ, func(pair string) bool {
		other, _, _ := strings.Cut(pair, "=")
		return sameName(other, name, goos)
	})
	return append(environ, name+"="+value)
}

// variable reads one variable of an environment, empty when it is not set. The last of several wins, as in exec.
func variable(environ []string, name, goos string) string {
	for _, pair := range slices.Backward(environ) {
		if other, value, ok := strings.Cut(pair, "="); ok && sameName(other, name, goos) {
			return value
		}
	}
	return ""
}
