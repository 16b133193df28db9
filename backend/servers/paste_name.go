package servers

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// pasteIsRunner knows the programs that start other programs: their first words are not the server's name, and a
// snippet that has them with arguments in one text means a command line.
func pasteIsRunner(command string) bool {
	switch strings.ToLower(pasteProgram(command)) {
	case "npx", "bunx", "pnpx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "bun", "deno", "node", "python", "python3", "py", "ruby",
		"php", "java", "dotnet", "go", "cargo", "docker", "podman", "cmd", "sh", "bash", "powershell", "pwsh", "env", "wsl", "nix":
		return true
	}
	return false
}

// pasteProgram is the bare name of a program: no folder, no extension of Windows.
func pasteProgram(command string) string {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		if len(name) > len(extension) && strings.EqualFold(name[len(name)-len(extension):], extension) {
			return name[:len(name)-len(extension)]
		}
	}
	return name
}

// pasteGuessName names a server after its host, its package, its image or its program.
func pasteGuessName(d domain.Definition) string {
	if d.Transport != domain.Stdio {
		return pasteHostName(d.URL)
	}
	program := pasteProgram(d.Command)
	if !pasteIsRunner(program) {
		return pasteShortName(program)
	}
	if program == "docker" || program == "podman" {
		return pasteShortName(pasteImage(d.Args))
	}
	for i, arg := range d.Args {
		switch {
		case strings.HasPrefix(arg, "-"), strings.HasPrefix(arg, "/") && len(arg) == 2: // a flag, of cmd too
		case slices.Contains([]string{"run", "dlx", "exec", "x", "tool"}, arg), pasteIsRunner(arg):
		case i > 0 && slices.Contains([]string{"--directory", "--from", "--project", "--with", "--python"}, d.Args[i-1]):
		default:
			return pasteShortName(arg)
		}
	}
	return pasteShortName(program)
}

// pasteImage is the image of a "docker run": the last word that looks like one, since flags take values.
func pasteImage(args []string) string {
	image := "docker"
	for i, arg := range args {
		if strings.HasPrefix(arg, "-") || strings.ContainsAny(arg, "=,") {
			continue
		}
		if strings.Contains(arg, "/") && !strings.HasPrefix(arg, "/") && !strings.HasPrefix(arg, ".") || i == len(args)-1 && image == "docker" {
			image = arg
		}
	}
	return image
}

var (
	pasteVersion = regexp.MustCompile(`(.)(@|==|:)[^/]*$`)
	pasteAffix   = regexp.MustCompile(`(?i)^(mcp-server-|server-|mcp-)|(-mcp-server|-mcp|-server|_mcp_server|_mcp|_server)$`)
)

// pasteShortName strips scope, version, extension and the words that every server has in its name.
func pasteShortName(name string) string {
	name = strings.TrimRight(strings.ReplaceAll(name, `\`, "/"), "/")
	if strings.Contains(name, "://") {
		name = strings.TrimSuffix(name, ".git")
	}
	name = path.Base(pasteVersion.ReplaceAllString(name, "$1"))
	if extension := path.Ext(name); len(extension) > 1 && len(extension) < len(name) && len(extension) <= 5 {
		name = strings.TrimSuffix(name, extension)
	}
	if short := pasteAffix.ReplaceAllString(name, ""); short != "" {
		return short
	}
	return name
}

// pasteHostName is the part of a host that names its owner: "sentry" of mcp.sentry.dev.
func pasteHostName(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "server"
	}
	labels := strings.Split(u.Hostname(), ".")
	if len(labels) < 2 || strings.Trim(u.Hostname(), "0123456789.") == "" {
		return u.Hostname()
	}
	labels = labels[:len(labels)-1] // the top-level domain
	for len(labels) > 1 && slices.Contains([]string{"www", "api", "mcp", "app", "server", "remote", "gateway"}, labels[0]) {
		labels = labels[1:]
	}
	return labels[0]
}
