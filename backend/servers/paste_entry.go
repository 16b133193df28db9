package servers

import (
	"math"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// pasteAddressKeys are the spellings of the address: ours and most others, Windsurf, Gemini CLI, Goose.
func pasteAddressKeys() []string { return []string{"url", "serverUrl", "httpUrl", "uri"} }

// pasteEntryReader reads one server in the shape of any client into one definition.
type pasteEntryReader struct {
	n        *syntax.Node
	d        domain.Definition
	warnings []*domain.Error
}

// pasteEntry reads an entry. Who may call without asking, what is switched off and what is trusted stays the other
// program's business: those keys are not taken over.
func pasteEntry(name string, n *syntax.Node) (domain.Definition, []*domain.Error) {
	r := &pasteEntryReader{n: n}
	r.d.Name = name
	if name == "" {
		r.d.Name = pasteText(n.Get("name"))
	}
	r.command()
	r.environment()
	r.address()
	r.headers()
	r.d.Cwd = pasteReference(pasteText(n.Get("cwd"), n.Get("working_directory"), n.Get("workingDirectory")))
	r.limits()
	r.d.Transport = r.transport()
	if r.d.Transport == domain.Stdio {
		r.d.URL = ""
	} else {
		r.d.Command, r.d.Args, r.d.Cwd, r.d.InheritEnv = "", nil, "", false
	}
	return r.d, r.warnings
}

func (r *pasteEntryReader) command() {
	command := r.n.Get("command")
	if command == nil {
		command = r.n.Get("cmd")
	}
	args := r.n.Get("args")
	switch {
	case command.Is(syntax.Array): // opencode
		r.d.Args = append(r.d.Args, r.texts(command)...)
	case command.Is(syntax.Object): // earlier Zed
		r.d.Args = append(r.d.Args, pasteReference(pasteText(command.Get("path"))))
		r.d.Args = append(r.d.Args, r.texts(command.Get("args"))...)
		r.variables(command.Get("env"))
	case command.Scalar() && args == nil:
		r.d.Args = append(r.d.Args, pasteOneText(command.Text)...)
	case command.Scalar():
		r.d.Args = append(r.d.Args, command.Text)
	}
	if args.Is(syntax.String) {
		r.d.Args = append(r.d.Args, pasteWords(args.Text)...)
	}
	r.d.Args = append(r.d.Args, r.texts(args)...)
	if len(r.d.Args) > 0 {
		r.d.Command, r.d.Args = pasteReference(r.d.Args[0]), r.d.Args[1:]
	}
	for i := range r.d.Args {
		r.d.Args[i] = pasteReference(r.d.Args[i])
	}
}

// pasteOneText splits a whole command line that was written as "command". Only a known runner at its start says that
// it is one: a path may hold spaces.
func pasteOneText(command string) []string {
	first, _, more := strings.Cut(command, " ")
	if !more || !pasteIsRunner(first) {
		return []string{command}
	}
	return pasteWords(command)
}

func pasteWords(text string) []string {
	commands, err := syntax.ParseShell([]byte(text))
	if err != nil || len(commands) != 1 {
		return strings.Fields(text)
	}
	return commands[0].Words
}

func (r *pasteEntryReader) texts(list *syntax.Node) []string {
	if list == nil {
		return nil
	}
	texts := make([]string, 0, len(list.Items))
	for _, item := range list.Items {
		if item.Scalar() {
			texts = append(texts, item.Text)
		} else {
			r.warnings = append(r.warnings, pasteWarning(item, "a value that is no text was left out"))
		}
	}
	return texts
}

func (r *pasteEntryReader) environment() {
	for _, key := range []string{"env", "envs", "environment"} {
		r.variables(r.n.Get(key))
	}
	for _, key := range []string{"env_vars", "env_keys"} { // Codex passes them on, Goose has them in its keyring
		for _, name := range r.texts(r.n.Get(key)) {
			r.set(name, "${"+name+"}")
		}
	}
	if file := r.n.Get("envFile"); file.Scalar() {
		r.warnings = append(r.warnings, pasteWarning(file, "the variables of the file in \"envFile\" were not read"))
	}
	r.d.InheritEnv, _ = r.n.Get("inherit_env").Bool()
}

// variables reads a table of names and values, or a list of NAME=value or of name and value.
func (r *pasteEntryReader) variables(n *syntax.Node) {
	if n == nil {
		return
	}
	for _, m := range n.Members {
		if m.Value.Scalar() {
			r.set(m.Key, pasteReference(m.Value.Text))
		}
	}
	for _, item := range n.Items {
		name, value, ok := strings.Cut(pasteText(item), "=")
		if !ok {
			name, value = pasteText(item.Get("name")), pasteText(item.Get("value"))
		}
		if name != "" {
			r.set(name, pasteReference(value))
		}
	}
}

func (r *pasteEntryReader) set(name, value string) {
	r.d.Env = pasteSet(r.d.Env, name, value, nil)
}

// pasteSet adds a variable, or changes the one whose name is the same: exactly when same is nil. Of too many it keeps
// one more than is allowed, for Paste to refuse.
func pasteSet(variables []domain.Variable, name, value string, same func(a, b string) bool) []domain.Variable {
	if len(variables) > maxVariables {
		return variables
	}
	for i := range variables {
		if variables[i].Name == name || same != nil && same(variables[i].Name, name) {
			variables[i].Value = value
			return variables
		}
	}
	return append(variables, domain.Variable{Name: name, Value: value})
}

func (r *pasteEntryReader) address() {
	for _, key := range pasteAddressKeys() {
		if r.d.URL == "" {
			r.d.URL = strings.TrimSpace(pasteReference(pasteText(r.n.Get(key))))
		}
	}
}

func (r *pasteEntryReader) headers() {
	tables := []*syntax.Node{r.n.Get("headers"), r.n.Get("http_headers"), r.n.Get("requestOptions", "headers")}
	for _, table := range tables {
		if table == nil {
			continue
		}
		for _, m := range table.Members {
			if m.Value.Scalar() {
				r.header(m.Key, pasteReference(m.Value.Text))
			}
		}
	}
	if named := r.n.Get("env_http_headers"); named != nil {
		for _, m := range named.Members {
			r.header(m.Key, "${"+pasteText(m.Value)+"}")
		}
	}
	if name := pasteText(r.n.Get("bearer_token_env_var")); name != "" {
		r.header("Authorization", "Bearer ${"+name+"}")
	}
}

func (r *pasteEntryReader) header(name, value string) {
	r.d.Headers = pasteSet(r.d.Headers, name, value, strings.EqualFold)
}

func (r *pasteEntryReader) limits() {
	if v, ok := r.n.Get("timeout").Number(); ok && v >= 1000 {
		r.milliseconds(v) // Gemini CLI and opencode count milliseconds; no server needs as many seconds to start
	} else if ok {
		r.milliseconds(v * 1000)
	}
	if v, ok := r.n.Get("startup_timeout_sec").Number(); ok {
		r.milliseconds(v * 1000)
	}
	if v, ok := r.n.Get("startup_timeout_ms").Number(); ok {
		r.milliseconds(v)
	}
	if v, ok := r.n.Get("buffer_size").Int(); ok && v >= minBuffer && v <= maxBuffer {
		r.d.BufferSize = v
	}
	for _, root := range r.texts(r.n.Get("roots")) {
		r.d.Roots = append(r.d.Roots, pasteReference(root))
	}
	if pasteText(r.n.Get("auth"), r.n.Get("auth", "type")) == "oauth" {
		r.d.Auth = &domain.Auth{Type: "oauth"}
	}
}

func (r *pasteEntryReader) milliseconds(v float64) {
	if v > 0 && v <= maxTimeoutMS {
		r.d.TimeoutMS = int64(math.Round(v))
	}
}

// transport takes the word of the entry where it fits what the entry has, and tells the rest from the address.
func (r *pasteEntryReader) transport() domain.Transport {
	switch word := strings.ToLower(pasteText(r.n.Get("transport"), r.n.Get("type"))); {
	case r.d.URL == "":
		return domain.Stdio
	case word == "sse":
		return domain.SSE
	case word == "streamablehttp", word == "http", word == "streamable-http", word == "streamable_http", r.n.Get("httpUrl") != nil:
		return domain.StreamableHTTP
	case r.d.Command != "" && word != "remote":
		return domain.Stdio
	}
	return pasteTransport(r.d.URL)
}
