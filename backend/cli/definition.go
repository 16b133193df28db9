package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// definitionFlags are a server as the flags of add-server spell it.
type definitionFlags struct {
	name, found, transport, url, command, cwd string
	headers, env, roots                       []string
	args                                      []string
	timeout, bufferSize                       int64
}

func (d *definitionFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&d.name, "name", "", "name of the server (required, but with --found)")
	flags.StringVar(&d.found, "found", "", "name of a server of the local network, in place of how to reach it")
	flags.StringVar(&d.transport, "transport", "", "stdio, http (also streamable-http) or sse; guessed from --command and --url")
	flags.StringVar(&d.url, "url", "", "address of an http or sse server")
	flags.StringArrayVar(&d.headers, "header", nil, `header as "Name=value" or "Name: value", or Name alone to be asked; may be repeated`)
	flags.StringVar(&d.command, "command", "", "program of a stdio server")
	flags.Var(wordsFlag{&d.args, splitNothing}, "arg", "one argument of the program, as it is; may be repeated")
	flags.Var(wordsFlag{&d.args, splitWords}, "args", "arguments of the program, split at spaces as a shell does")
	flags.StringArrayVar(&d.env, "env", nil, "environment variable as NAME=value, or NAME alone to be asked; may be repeated")
	flags.StringVar(&d.cwd, "cwd", "", "folder the program runs in (default: this folder)")
	flags.Int64Var(&d.timeout, "timeout", 0, "seconds allowed from start or connect until the server answers (default 30)")
	flags.Int64Var(&d.bufferSize, "buffer-size", 0, "largest message accepted, in bytes (default 10485760)")
	flags.StringArrayVar(&d.roots, "root", nil, "folder the server may know of; may be repeated")
}

// wordsFlag adds to one list whatever flag a word came by, so that --arg and --args keep their order.
type wordsFlag struct {
	words *[]string
	split func(string) ([]string, error)
}

func (w wordsFlag) String() string { return "" }
func (w wordsFlag) Type() string   { return "string" }

// Set adds one value of the flag.
func (w wordsFlag) Set(value string) error {
	words, err := w.split(value)
	*w.words = append(*w.words, words...)
	return err
}

func splitNothing(value string) ([]string, error) { return []string{value}, nil }

// splitWords splits as a shell does. A variable stays a variable: it is filled in when the server starts.
func splitWords(value string) ([]string, error) {
	// Behind a word, nothing of the value is taken for an assignment or a command of the shell.
	commands, err := syntax.ParseShell([]byte("program " + value))
	if err != nil {
		return nil, err
	}
	if len(commands) != 1 {
		return nil, errors.New("this is more than one command: quote what a shell would take for its own")
	}
	return commands[0].Words[1:], nil
}

// definition checks the flags against each other and makes a definition of them. What only the core can know, such as
// whether the name is free, is for the API to check.
// ask gives the value of a variable that stands without one.
func (d *definitionFlags) definition(ask func(flag, name string) (string, error)) (domain.Definition, error) {
	if strings.TrimSpace(d.name) == "" && d.found == "" {
		return domain.Definition{}, invalidFlag("name", "the name is missing", "Give the server a name, such as --name acme-internal.")
	}
	transport, err := d.transportOf()
	if err != nil {
		return domain.Definition{}, err
	}
	made := domain.Definition{
		Name: d.name, Transport: transport, Command: d.command, Args: d.args, URL: d.url,
		TimeoutMS: d.timeout * 1000, BufferSize: d.bufferSize,
	}
	if made.Env, err = variables("env", d.env, "=", ask); err != nil {
		return made, err
	}
	if made.Headers, err = variables("header", d.headers, "=:", ask); err != nil {
		return made, err
	}
	if made.Cwd, err = d.folder(transport); err != nil {
		return made, err
	}
	made.Roots, err = fullPaths("root", d.roots)
	return made, err
}

func (d *definitionFlags) transportOf() (domain.Transport, error) {
	if d.found != "" {
		return d.transportOfFound()
	}
	transport, known := domain.ParseTransport(d.transport)
	switch {
	case d.transport == "" && d.command != "" && d.url == "":
		transport = domain.Stdio
	case d.transport == "" && d.url != "" && d.command == "":
		transport = domain.StreamableHTTP
	case d.transport == "":
		return "", invalidFlag("transport", "how to reach the server is missing", "Give --command for a program, or --url for an address.")
	case !known:
		return "", invalidFlag("transport", "there is no transport "+quoted(d.transport), "Use stdio, http or sse.")
	}
	switch {
	case transport == domain.Stdio && d.url != "":
		return "", invalidFlag("url", "a stdio server has a program, no address", "Give --command, or --transport http.")
	case transport == domain.Stdio && d.command == "":
		return "", invalidFlag("command", "the program is missing", "Give the program to start, such as --command npx.")
	case transport != domain.Stdio && (d.command != "" || len(d.args) > 0):
		return "", invalidFlag("command", "a server reached by an address starts no program", "Give --url, or --transport stdio.")
	case transport != domain.Stdio && d.url == "":
		return "", invalidFlag("url", "the address is missing", "Give the address of the server, such as --url https://host/mcp.")
	}
	return transport, nil
}

// transportOfFound stands in for what a server announces, which is not known before it is looked for.
func (d *definitionFlags) transportOfFound() (domain.Transport, error) {
	switch {
	case d.transport != "" || d.url != "":
		return "", invalidFlag("found", "a server of the network is reached as it announces", "Leave out --transport and --url, or --found.")
	case d.command != "" || len(d.args) > 0 || len(d.env) > 0 || d.cwd != "":
		return "", invalidFlag("found", "a server of the network starts no program here", "Leave out what is for a program, or --found.")
	}
	return domain.StreamableHTTP, nil
}

// folder is where a program runs: where the command was typed, unless the person says otherwise.
func (d *definitionFlags) folder(transport domain.Transport) (string, error) {
	switch {
	case transport != domain.Stdio && d.cwd != "":
		return "", invalidFlag("cwd", "a server reached by an address runs in no folder of this computer", "Leave it out.")
	case transport != domain.Stdio:
		return "", nil
	case strings.Contains(d.cwd, "${"):
		return d.cwd, nil // filled in when the server starts
	case d.cwd != "":
		full, err := filepath.Abs(d.cwd)
		if err != nil {
			return "", invalidFlag("cwd", err.Error(), "Give a full path.")
		}
		return full, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", invalidFlag("cwd", "this folder cannot be found: "+err.Error(), "Give the folder with --cwd.")
	}
	return here, nil
}

// variables reads repeated NAME=value flags. The first separator ends the name, so that values may hold any of them.
func variables(flag string, given []string, separators string, ask func(flag, name string) (string, error)) ([]domain.Variable, error) {
	var read []domain.Variable
	for _, text := range given {
		at := strings.IndexAny(text, separators)
		if at < 0 && isNameAlone(flag, text) {
			value, err := ask(flag, text)
			if err != nil {
				return nil, err
			}
			read = append(read, domain.Variable{Name: text, Value: value, Secret: true})
			continue
		}
		if at < 1 {
			// The text is not repeated: it may be a secret.
			return nil, invalidFlag(flag, "a name and a value are needed", "Write --"+flag+" NAME=value.")
		}
		value := text[at+1:]
		if text[at] == ':' {
			value = strings.TrimSpace(value)
		}
		read = append(read, domain.Variable{Name: strings.TrimSpace(text[:at]), Value: value})
	}
	return read, nil
}

// isNameAlone tells a name as they are usually written from a value whose name was forgotten, which may be a secret and
// must not be repeated.
func isNameAlone(flag, text string) bool {
	const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	usual := capitals + "0123456789_"
	if flag == "header" {
		usual = capitals + strings.ToLower(capitals) + "-"
	}
	return text != "" && strings.Contains(capitals, text[:1]) && strings.Trim(text, usual) == ""
}
