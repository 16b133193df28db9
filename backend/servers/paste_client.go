package servers

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// pasteFlags walks through the words of a command line.
type pasteFlags struct {
	words []string
	at    int
}

// next returns the next word, with the value of "--flag=value" apart.
func (f *pasteFlags) next() (word, attached string, ok bool) {
	if f.at >= len(f.words) {
		return "", "", false
	}
	word = f.words[f.at]
	f.at++
	if strings.HasPrefix(word, "--") {
		word, attached, _ = strings.Cut(word, "=")
	}
	return word, attached, true
}

// value is the attached value, or the next word.
func (f *pasteFlags) value(attached string) string {
	if attached != "" || f.at >= len(f.words) {
		return attached
	}
	f.at++
	return f.words[f.at-1]
}

func (f *pasteFlags) rest() []string { return f.words[f.at:] }

// pasteClient reads "claude mcp add" and its like in other clients.
func pasteClient(c syntax.Command) (Pasted, error) {
	client := pasteProgram(c.Words[0])
	read := client + " mcp " + c.Words[2]
	a := &pasteAdd{flags: pasteFlags{words: c.Words[3:]}}
	a.parse()
	if c.Words[2] == "add-json" {
		return pasteAddedJSON(c, read, a.positional)
	}
	if len(a.positional) == 0 {
		return Pasted{}, pasteMissing(c, read, "server")
	}
	d := domain.Definition{Name: a.positional[0], Headers: a.headers, Env: a.env, Cwd: c.Dir}
	if a.oauth {
		d.Auth = &domain.Auth{Type: "oauth"}
	}
	reach := slices.Concat(a.positional[1:], a.command)
	if a.url != "" {
		reach = []string{a.url}
	}
	if len(reach) == 0 {
		return Pasted{}, pasteMissing(c, read, "command and no address")
	}
	transport, known := domain.ParseTransport(a.transport)
	if transport == domain.StreamableHTTP || transport == domain.SSE || !known && pasteHTTP.MatchString(reach[0]) && len(a.command) == 0 {
		remote, err := pasteRemote(reach[0], c.Position)
		if err != nil {
			return Pasted{}, err
		}
		d.URL, d.Transport, d.Cwd = remote.URL, remote.Transport, ""
		if known {
			d.Transport = transport
		}
	} else {
		d.Transport, d.Command, d.Args, d.Headers = domain.Stdio, reach[0], reach[1:], nil
	}
	return Pasted{Format: pastedClaude, Read: read, Definitions: []domain.Definition{d}}, nil
}

// pasteAdd are the options of "mcp add".
type pasteAdd struct {
	flags      pasteFlags
	transport  string
	url        string
	env        []domain.Variable
	headers    []domain.Variable
	oauth      bool
	positional []string
	command    []string // what follows "--"
}

func (a *pasteAdd) parse() {
	for {
		word, attached, ok := a.flags.next()
		if !ok {
			return
		}
		switch word {
		case "--":
			a.command = a.flags.rest()
			return
		case "-t", "--transport", "--type":
			a.transport = strings.ToLower(a.flags.value(attached))
		case "-s", "--scope", "--callback-port", "--timeout", "--description":
			a.flags.value(attached)
		case "-e", "--env":
			a.environment(a.flags.value(attached))
		case "-H", "--header":
			a.headers = pasteHeaderLine(a.headers, a.flags.value(attached))
		case "--url":
			a.url = a.flags.value(attached)
		case "--bearer-token-env-var":
			a.headers = pasteSet(a.headers, "Authorization", "Bearer ${"+a.flags.value(attached)+"}", strings.EqualFold)
		case "--client-id":
			a.oauth = true
			a.flags.value(attached)
		case "--client-secret":
			a.oauth = true // the secret itself is asked for, never written
		default:
			a.other(word, attached)
		}
	}
}

// environment takes NAME=value words: the option takes as many as there are.
func (a *pasteAdd) environment(first string) {
	for word := first; ; word = a.flags.value("") {
		if name, value, ok := strings.Cut(word, "="); ok {
			a.env = pasteSet(a.env, name, value, nil)
		}
		rest := a.flags.rest()
		if len(rest) == 0 || strings.HasPrefix(rest[0], "-") || !pasteIsAssignment(rest[0]) {
			return
		}
	}
}

func pasteIsAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Map(pasteWordRune, name) == name
}

// other is a name, an address, a word of the command, or a flag of the command when one has begun.
func (a *pasteAdd) other(word, attached string) {
	if attached != "" {
		word += "=" + attached
	}
	if !strings.HasPrefix(word, "-") || len(a.positional) > 1 {
		a.positional = append(a.positional, word)
	}
}

// pasteAddedJSON reads "claude mcp add-json NAME '{…}'".
func pasteAddedJSON(c syntax.Command, read string, positional []string) (Pasted, error) {
	if len(positional) < 2 {
		return Pasted{}, pasteMissing(c, read, "server and its JSON")
	}
	return pasteQuotedJSON(c, read, positional[0], positional[1])
}

// pasteAddMCP reads "code --add-mcp '{…}'" of VS Code.
func pasteAddMCP(c syntax.Command) (Pasted, error) {
	read := pasteProgram(c.Words[0]) + " --add-mcp"
	at := slices.Index(c.Words, "--add-mcp")
	if at+1 >= len(c.Words) {
		return Pasted{}, pasteMissing(c, read, "server")
	}
	return pasteQuotedJSON(c, read, "", c.Words[at+1])
}

func pasteQuotedJSON(c syntax.Command, read, name, text string) (Pasted, error) {
	root, err := syntax.ParseJSONC([]byte(text))
	if err != nil {
		return Pasted{}, pasteStopped(read, c.Position, "the JSON in this line is broken", "Paste the JSON alone to see where.")
	}
	p, err := pasteSnippet(pastedJSON, root, nil)
	if err != nil {
		return Pasted{}, err
	}
	if name != "" && len(p.Definitions) == 1 {
		p.Definitions[0].Name = name
	}
	p.Format, p.Read = pastedClaude, read
	return p, nil
}

// pasteOwn reads our own "apollia mcp add-server".
func pasteOwn(c syntax.Command) (Pasted, error) {
	d := domain.Definition{Cwd: c.Dir}
	transport := ""
	flags := pasteFlags{words: c.Words[3:]}
	for word, attached, ok := flags.next(); ok; word, attached, ok = flags.next() {
		switch word {
		case "--name":
			d.Name = flags.value(attached)
		case "--transport":
			transport = flags.value(attached)
		case "--url":
			d.URL = flags.value(attached)
		case "--command":
			d.Command = flags.value(attached)
		case "--cwd":
			d.Cwd = flags.value(attached)
		case "--arg":
			d.Args = append(d.Args, flags.value(attached))
		case "--args":
			d.Args = append(d.Args, pasteWords(flags.value(attached))...)
		case "--root":
			d.Roots = append(d.Roots, flags.value(attached))
		case "--env":
			name, value, _ := strings.Cut(flags.value(attached), "=")
			d.Env = pasteSet(d.Env, name, value, nil)
		case "--header":
			name, value, _ := strings.Cut(flags.value(attached), "=")
			d.Headers = pasteSet(d.Headers, name, value, strings.EqualFold)
		case "--timeout", "--buffer-size":
			pasteLimit(&d, word, flags.value(attached))
		}
	}
	known, ok := domain.ParseTransport(transport)
	switch {
	case ok:
		d.Transport = known
	case d.URL != "":
		d.Transport = pasteTransport(d.URL)
	default:
		d.Transport = domain.Stdio
	}
	if d.URL == "" && d.Command == "" {
		return Pasted{}, pasteMissing(c, "apollia mcp add-server", "command and no address")
	}
	return Pasted{Format: pastedClaude, Read: "apollia mcp add-server", Definitions: []domain.Definition{d}}, nil
}

func pasteLimit(d *domain.Definition, flag, value string) {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil:
	case flag == "--timeout" && n > 0 && n*1000 <= maxTimeoutMS:
		d.TimeoutMS = int64(n * 1000)
	case flag == "--buffer-size" && n >= minBuffer && n <= maxBuffer:
		d.BufferSize = int64(n)
	}
}

// pasteBasic is the value of an Authorization header for "user:password" (RFC 7617).
func pasteBasic(credentials string) string {
	if config.HasReference(credentials) {
		return "Basic " + credentials // cannot be encoded before its variables are known
	}
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))
}
