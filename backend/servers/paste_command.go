package servers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// pasteCommands reads one or more command lines, each a server.
func pasteCommands(text string) (Pasted, error) {
	commands, err := syntax.ParseShell([]byte(text))
	if err != nil {
		return Pasted{}, pasteBroken(pastedCommand, err)
	}
	p := Pasted{Format: pastedCommand}
	for _, c := range commands {
		for i := range c.Words {
			c.Words[i] = pasteReference(c.Words[i])
		}
		one, err := pasteCommandLine(c)
		if err != nil {
			return Pasted{}, err
		}
		if p.Read == "" {
			p.Format, p.Read = one.Format, one.Read
		}
		p.Definitions = append(p.Definitions, one.Definitions...)
		p.Warnings = append(p.Warnings, one.Warnings...)
	}
	if len(p.Definitions) == 0 {
		return Pasted{}, pasteStopped(pastedCommand, syntax.Position{Line: 1, Column: 1}, "there is no command here", pasteHint)
	}
	return p, nil
}

// pasteCommandLine tells a program from a line that adds a server to a client, and from curl.
func pasteCommandLine(c syntax.Command) (Pasted, error) {
	words, program := c.Words, pasteProgram(c.Words[0])
	for program == "env" && len(words) > 1 {
		name, value, ok := strings.Cut(words[1], "=")
		if !ok {
			words, program = words[1:], pasteProgram(words[1])
			break
		}
		c.Env = append(c.Env, syntax.Assignment{Name: name, Value: value})
		words = slices.Delete(slices.Clone(words), 1, 2)
	}
	c.Words = words
	switch {
	case program == "curl":
		return pasteCurl(c)
	case len(words) > 2 && words[1] == "mcp" && words[2] == "add-server":
		return pasteOwn(c)
	case len(words) > 2 && words[1] == "mcp" && (words[2] == "add" || words[2] == "add-json"):
		return pasteClient(c)
	case slices.Contains(words, "--add-mcp"):
		return pasteAddMCP(c)
	case !pasteLooksRunnable(c):
		return Pasted{}, pasteStopped(pastedCommand, c.Position, "this is no command line, address or snippet that is known here", pasteHint)
	}
	d := domain.Definition{Transport: domain.Stdio, Command: words[0], Args: words[1:], Cwd: c.Dir, Env: pasteAssigned(c.Env)}
	return Pasted{Format: pastedCommand, Read: program, Definitions: []domain.Definition{d}}, nil
}

var pasteProgramName = regexp.MustCompile(`^[a-z0-9][\w.+@-]*$`)

// pasteLooksRunnable tells a command line from a sentence: a program that is known, has a path, a name that no word
// has, or is given a flag.
func pasteLooksRunnable(c syntax.Command) bool {
	first := c.Words[0]
	switch {
	case first == "":
		return false
	case len(c.Env) > 0, pasteIsRunner(first):
		return true
	case strings.ContainsAny(first, `/\`), pasteProgram(first) != first:
		return true
	case !pasteProgramName.MatchString(first):
		return false
	}
	return len(c.Words) == 1 || strings.ContainsAny(first, "-_.0123456789") || strings.Contains(first, "mcp") ||
		slices.ContainsFunc(c.Words[1:], func(word string) bool { return strings.HasPrefix(word, "-") })
}

func pasteAssigned(env []syntax.Assignment) []domain.Variable {
	var variables []domain.Variable
	for _, a := range env {
		variables = pasteSet(variables, a.Name, pasteReference(a.Value), nil)
	}
	return variables
}

// pasteCurlTakesValue knows the options of curl that take a value, apart from the ones that are read.
func pasteCurlTakesValue(option string) bool {
	switch option {
	case "-X", "--request", "-d", "--data", "--data-raw", "--data-binary", "--data-ascii", "--data-urlencode", "--json", "-o", "--output",
		"-A", "--user-agent", "-b", "--cookie", "-e", "--referer", "-m", "--max-time", "--connect-timeout", "--cacert", "--cert", "-E",
		"--key", "-x", "--proxy", "-w", "--write-out", "-F", "--form", "-D", "--dump-header", "--retry", "-T", "--resolve":
		return true
	}
	return false
}

// pasteIsPassing knows the headers of one request, not of a server: the transport writes its own.
func pasteIsPassing(header string) bool {
	switch strings.ToLower(header) {
	case "accept", "accept-encoding", "cache-control", "connection", "content-length", "content-type", "host", "mcp-protocol-version",
		"mcp-session-id", "mcp-method", "mcp-name", "origin", "user-agent":
		return true
	}
	return false
}

// pasteCurl takes the address and the lasting headers of a request.
func pasteCurl(c syntax.Command) (Pasted, error) {
	address := ""
	var headers []domain.Variable
	for i := 1; i < len(c.Words); i++ {
		word, next := c.Words[i], ""
		if i+1 < len(c.Words) {
			next = c.Words[i+1]
		}
		switch {
		case word == "-H", word == "--header":
			headers, i = pasteHeaderLine(headers, next), i+1
		case strings.HasPrefix(word, "-H"):
			headers = pasteHeaderLine(headers, word[2:])
		case word == "-u", word == "--user":
			headers, i = pasteSet(headers, "Authorization", pasteBasic(next), strings.EqualFold), i+1
		case word == "--url":
			address, i = next, i+1
		case pasteCurlTakesValue(word):
			i++
		case !strings.HasPrefix(word, "-") && address == "":
			address = word
		}
	}
	if !strings.Contains(address, "://") && address != "" {
		address = "http://" + address // as curl does
	}
	d, err := pasteRemote(address, c.Position)
	if err != nil {
		return Pasted{}, err
	}
	d.Headers = headers
	return Pasted{Format: pastedCommand, Read: "curl", Definitions: []domain.Definition{d}}, nil
}

func pasteHeaderLine(headers []domain.Variable, line string) []domain.Variable {
	name, value, ok := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || pasteIsPassing(name) {
		return headers
	}
	return pasteSet(headers, name, strings.TrimSpace(value), strings.EqualFold)
}

func pasteMissing(c syntax.Command, read, what string) error {
	return pasteStopped(read, c.Position, fmt.Sprintf("this line names no %s", what), "Complete it, or fill in the fields below.")
}
