package servers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/syntax"
)

// Bounds of a paste: the settings of another client fit, a disk image does not.
const (
	maxPasted        = 256 << 10 // bytes
	maxPastedServers = 200
)

// Formats that Paste recognises.
const (
	pastedCommand = "command"
	pastedURL     = "url"
	pastedJSON    = "json"
	pastedTOML    = "toml"
	pastedYAML    = "yaml"
	pastedClaude  = "claude" // a line that adds a server to another client, such as "claude mcp add"
)

// Pasted is what a pasted text was recognised as.
type Pasted struct {
	Format string `json:"format" enum:"command,url,json,toml,yaml,claude"`
	// Read names what the servers were found in: a key such as "mcpServers", a command such as "claude mcp add".
	Read string `json:"read"`
	// Definitions are the servers in the order of the text, ready to edit. Nothing of them was run or reached.
	Definitions []domain.Definition `json:"definitions"`
	// Secrets counts the values that look like secrets; each is an Env or Headers entry with Secret set.
	Secrets int `json:"secrets"`
	// Warnings name what was there and could not be taken over.
	Warnings []*domain.Error `json:"warnings,omitempty"`
}

// Paste reads what a person pasted to describe a server: a command line, an address, a line that adds a server to
// another client, or a snippet of JSON, TOML or YAML in any client's shape. It runs and fetches nothing. A text that is
// none of these fails with CodeInvalidInput; Args say what was read ("read") and where it stopped ("line", "column").
func Paste(text string) (Pasted, error) {
	if len(text) > maxPasted {
		return Pasted{}, pasteStopped("text", syntax.Position{Line: 1, Column: 1},
			fmt.Sprintf("the text is longer than %d KiB", maxPasted>>10), "Paste only the part that describes the server.")
	}
	text = pasteUndecorated(text)
	format := pasteFormat(text)
	p, err := pasteRead(format, text)
	if err != nil {
		return Pasted{}, err
	}
	if len(p.Definitions) > maxPastedServers {
		return Pasted{}, pasteStopped(format, syntax.Position{Line: 1, Column: 1},
			fmt.Sprintf("there are more than %d servers here", maxPastedServers), "Paste only the part that you need.")
	}
	names := make(map[string]bool, len(p.Definitions))
	for i := range p.Definitions {
		d := &p.Definitions[i]
		if fault := pasteUnusable(*d); fault != "" {
			return Pasted{}, pasteStopped(format, syntax.Position{Line: 1, Column: 1}, fault, pasteHint)
		}
		*d = LiftSecrets(pasteUnbridged(*d))
		d.Headers = slices.DeleteFunc(d.Headers, func(h domain.Variable) bool { return ownHeader(strings.ToLower(h.Name)) })
		d.Name = pasteName(*d, names)
		p.Secrets += pasteCountSecrets(*d)
	}
	return p, nil
}

// pasteUnusable says why a server of the paste cannot be one, or is larger than any is; empty when it can.
func pasteUnusable(d domain.Definition) string {
	switch {
	case d.Command == "" && d.URL == "":
		return "there is a server without a command or an address"
	case len(d.Args) > maxArgs:
		return fmt.Sprintf("there is a server with more than %d arguments", maxArgs)
	case len(d.Env) > maxVariables, len(d.Headers) > maxVariables:
		return fmt.Sprintf("there is a server with more than %d variables or headers", maxVariables)
	case len(d.URL) > maxAddress:
		return fmt.Sprintf("there is an address of more than %d characters", maxAddress)
	}
	return ""
}

func pasteRead(format, text string) (Pasted, error) {
	switch format {
	case pastedCommand:
		return pasteCommands(text)
	case pastedURL:
		return pasteURL(text)
	case pastedJSON:
		return pasteJSON(text)
	case pastedTOML:
		return pasteTOML(text)
	case pastedYAML:
		return pasteYAML(text)
	}
	return Pasted{}, pasteStopped("text", syntax.Position{Line: 1, Column: 1}, "there is nothing to read", pasteHint)
}

const pasteHint = "Paste a command line, an address, a JSON, TOML or YAML snippet, or a line such as: claude mcp add …"

// pasteStopped is the error of a text that cannot be read. It never quotes the text, which may hold secrets.
func pasteStopped(read string, at syntax.Position, message, hint string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: fmt.Sprintf("line %d, column %d: %s", at.Line, at.Column, message), Hint: hint,
		Args: map[string]string{
			"read": read, "line": strconv.Itoa(at.Line), "column": strconv.Itoa(at.Column), "reason": message,
		},
	}
}

// pasteBroken is pasteStopped for an error of package syntax.
func pasteBroken(read string, err error) *domain.Error {
	var located *syntax.Error
	if !errors.As(err, &located) {
		located = &syntax.Error{Position: syntax.Position{Line: 1, Column: 1}, Message: err.Error()}
	}
	as := strings.ToUpper(read)
	if read == pastedCommand {
		as = "a command line"
	}
	return pasteStopped(read, located.Position, located.Message, "It was read as "+as+". Correct it there, or paste something else.")
}

var (
	pasteFence  = regexp.MustCompile("(?m)^[ \t]*```[ \\w-]*\r?$")
	pastePrompt = regexp.MustCompile(`(?m)^[ \t]*(?:[$%>❯][ \t]+|PS [^>\n]*>[ \t]*|[A-Za-z]:\\[^>\n]*>)`)
)

// pasteUndecorated blanks out what a page puts around a snippet: code fences, back quotes, prompts. Every other
// character keeps its line and column.
func pasteUndecorated(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	blank := func(s string) string {
		return regexp.MustCompile(`[^\r\n]`).ReplaceAllString(s, " ")
	}
	text = pasteFence.ReplaceAllStringFunc(text, blank)
	text = pastePrompt.ReplaceAllStringFunc(text, blank)
	inner := strings.TrimSpace(text)
	if len(inner) > 2 && strings.Count(inner, "`") == 2 && inner[0] == '`' && inner[len(inner)-1] == '`' {
		text = strings.ReplaceAll(text, "`", " ")
	}
	return text
}

const pasteHost = `(localhost|\d+\.\d+\.\d+\.\d+|[\w-]+(\.[\w-]+)*\.[A-Za-z]{2,})`

var (
	pasteTOMLHeader   = regexp.MustCompile(`^\[{1,2}\s*[\w-]+(\s*\.\s*("[^"]*"|'[^']*'|[\w-]+))*\s*\]{1,2}\s*(#.*)?$`)
	pasteTOMLKey      = regexp.MustCompile(`^[\w."-]+\s*=`)
	pasteTOMLSpaced   = regexp.MustCompile(`^[\w."-]+(\s+=|=\s)`)
	pasteYAMLKey      = regexp.MustCompile(`^(-\s+)*("[^"]*"|'[^']*'|[\w.@/-]+)\s*:(\s|$)`)
	pasteJSONFragment = regexp.MustCompile(`^"(\\.|[^"\\])*"\s*:`)
	pasteAddress      = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*://\S+|` + pasteHost + `(:\d+)?(/\S*)|localhost:\d+)$`)
)

// pasteFormat tells by its first line what a text is meant to be, so that a mistake in it can be shown at its place.
func pasteFormat(text string) string {
	whole := strings.TrimSpace(text)
	line := pasteFirstLine(whole)
	switch {
	case whole == "":
		return ""
	case strings.HasPrefix(line, "{"), strings.HasPrefix(whole, "//"), strings.HasPrefix(whole, "/*"), pasteJSONFragment.MatchString(whole):
		return pastedJSON
	case pasteTOMLHeader.MatchString(line):
		return pastedTOML
	case strings.HasPrefix(line, "["):
		return pastedJSON
	case pasteAddress.MatchString(whole):
		return pastedURL
	case pasteYAMLKey.MatchString(line), strings.HasPrefix(line, "---"):
		return pastedYAML
	case pasteTOMLKey.MatchString(line):
		return pasteAssignment(text, line)
	}
	return pastedCommand
}

// pasteAssignment tells key = "value" of TOML from NAME=value before a command.
func pasteAssignment(text, line string) string {
	if _, err := syntax.ParseTOML([]byte(text)); err == nil || pasteTOMLSpaced.MatchString(line) {
		return pastedTOML
	}
	return pastedCommand
}

// pasteFirstLine is the first line that is neither empty nor a comment of TOML, YAML or a shell.
func pasteFirstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return ""
}

func pasteCountSecrets(d domain.Definition) int {
	count := 0
	for _, variables := range d.Variables() {
		for _, v := range variables {
			if v.Secret {
				count++
			}
		}
	}
	return count
}

// pasteName makes the name usable and unlike the others of the paste.
func pasteName(d domain.Definition, taken map[string]bool) string {
	name := strings.TrimSpace(d.Name)
	if name == "" {
		name = pasteGuessName(d)
	}
	if runes := []rune(name); len(runes) > naming.MaxName {
		name = string(runes[:naming.MaxName])
	}
	for {
		id, err := naming.ServerID(name)
		runes := []rune(name)
		switch {
		case err == nil && !taken[id]:
			taken[id] = true
			return name
		case err == nil:
			name = pasteNumbered(id, taken)
		case len(runes) > naming.MaxID/2:
			name = strings.TrimRight(string(runes[:len(runes)-1]), " -_.") // too long: a letter less until it fits
		default:
			name = "server"
		}
	}
}

func pasteNumbered(id string, taken map[string]bool) string {
	for n := 2; ; n++ {
		suffix := "_" + strconv.Itoa(n)
		numbered := strings.TrimRight(id[:min(len(id), naming.MaxID-len(suffix))], "_") + suffix
		if !taken[numbered] {
			return numbered
		}
	}
}
