package servers

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/syntax"
	"apollia.fr/connexions/backend/transport"
)

// Bounds of what a person may type: far above real use, far below what would hurt.
const (
	maxArgs      = 200
	maxVariables = 200
	maxAddress   = 8192 // bytes; servers take no longer ones either
	maxTimeoutMS = 3_600_000
	minBuffer    = 64 << 10
	maxBuffer    = 1 << 30
)

// Check looks a draft over without starting anything. editing is the server it is an edit of, or empty.
func (s *Service) Check(d domain.Definition, editing string) (Check, error) {
	check := Check{Errors: []FieldError{}, Variables: []VariableUse{}, Passed: []string{}}
	if err := s.checkName(&check, d.Name, editing); err != nil {
		return check, err
	}
	switch d.Transport {
	case domain.Stdio:
		s.checkProgram(&check, d)
	case domain.StreamableHTTP, domain.SSE:
		checkAddress(&check, d)
	default:
		check.add("transport", invalid("unknown_transport", "the transport must be stdio, streamable_http or sse", "Choose one of the three."))
	}
	s.checkNetwork(&check, d)
	checkVariables(&check, "env", d.Env)
	checkVariables(&check, "headers", d.Headers)
	checkAuth(&check, d)
	checkLimits(&check, d)
	checkCaching(&check, d)
	if err := s.checkRoots(&check, d.Roots, editing); err != nil {
		return check, err
	}
	s.checkReferences(&check, d)
	check.Preview = preview(d)
	return check, nil
}

func (s *Service) checkName(check *Check, name, editing string) error {
	id, err := naming.ServerID(name)
	if err != nil {
		check.add("name", domain.AsError(err))
		return nil
	}
	taken, err := s.taken(id, editing)
	if err != nil {
		return err
	}
	if taken {
		check.add("name", duplicate(name))
	}
	if editing != "" {
		id = editing // an id stays, whatever the server is called later
	}
	check.ID, check.Prefix = id, naming.WirePrefix(id)
	return nil
}

func (c *Check) add(field string, err *domain.Error) {
	c.Errors = append(c.Errors, FieldError{Field: field, Error: err})
}

// invalid is what is wrong with a value. The UI has a sentence of its own for each reason.
func invalid(reason, message, hint string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: message, Hint: hint, Args: map[string]string{"reason": reason},
	}
}

// checkAuth says what is wrong with the sign-in.
func checkAuth(check *Check, d domain.Definition) {
	if d.Auth == nil {
		return
	}
	for _, f := range d.Auth.Faults(d.Transport) {
		check.add("auth."+f.Field, invalid(f.Reason, f.Message, f.Hint))
	}
}

func (s *Service) checkProgram(check *Check, d domain.Definition) {
	check.SearchPath = s.SearchPath()
	check.Passed = transport.PassedVariables()
	if strings.TrimSpace(d.Command) == "" {
		check.add("command", invalid("no_program", "the program is missing", "Give the program to start, such as npx."))
		return
	}
	if len(d.Args) > maxArgs {
		check.add("args", invalid("too_many_arguments", "there are too many arguments", "Give at most 200."))
	}
	if d.Cwd != "" && !filepath.IsAbs(d.Cwd) && !config.HasReference(d.Cwd) {
		check.add("cwd", invalid("folder_not_full", "the working folder must be a full path", "Give a path that starts at the root."))
	}
	if config.HasReference(d.Command) {
		return
	}
	program, err := transport.FindProgram(d.Command, d.Cwd, check.SearchPath)
	if err != nil {
		check.add("command", domain.AsError(err))
		return
	}
	check.Program = program
}

func checkAddress(check *Check, d domain.Definition) {
	if strings.TrimSpace(d.URL) == "" {
		check.add("url", invalid("no_address", "the address is missing", "Give the address of the server, such as https://host/mcp."))
		return
	}
	if len(d.URL) > maxAddress {
		check.add("url", invalid("address_too_long", "the address is too long", "Give at most 8192 characters."))
		return
	}
	if config.HasReference(d.URL) {
		return // only known once its variables are filled in; the test then checks it
	}
	u, err := url.Parse(d.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		check.add("url", invalid("not_an_address", "this is not the address of a server", "It starts with https:// or http://."))
	case !usablePort(u.Port()):
		check.add("url", invalid("address_port", "the address has a port that there is not", "Ports go from 1 to 65535."))
	case u.User != nil:
		check.add("url", invalid("address_with_credentials", "the address holds a user name or password", "Put them into a header instead."))
	case u.Fragment != "":
		check.add("url", invalid("address_with_fragment", "the address has a part after #, which no server ever sees", "Remove it."))
	}
}

// usablePort holds for a port that there is, and for none.
func usablePort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func checkVariables(check *Check, field string, variables []domain.Variable) {
	if len(variables) > maxVariables {
		check.add(field, invalid("too_many_entries", "there are too many entries", "Give at most 200."))
	}
	seen := make(map[string]bool, len(variables))
	for i, v := range variables {
		at := fmt.Sprintf("%s[%d]", field, i)
		name := v.Name
		if field == "headers" {
			name = strings.ToLower(name) // RFC 9110: field names are case-insensitive
		}
		switch {
		case !validName(field, v.Name):
			check.add(at+".name", invalid("unusable_name", "this is not a usable name", "Use letters, digits, - and _."))
		case seen[name]:
			check.add(at+".name", invalid("name_twice", "this name is there twice", "Remove one of them."))
		case field == "headers" && ownHeader(name):
			check.add(at+".name", invalid("own_header", "this header is written with every message, and cannot be set", "Remove it."))
		case strings.ContainsAny(v.Value, "\r\n\x00"):
			check.add(at+".value", invalid("line_break", "the value holds a line break", "Remove it; a pasted key often ends in one."))
		}
		seen[name] = true
	}
}

// ownHeader tells the headers of the connection and of the protocol; name is in lower case. What a person set there would
// be ignored, or break the session.
func ownHeader(name string) bool {
	switch name {
	case "accept", "connection", "content-length", "content-type", "host", "mcp-method", "mcp-name", "mcp-protocol-version",
		"mcp-session-id", "te", "trailer", "transfer-encoding", "upgrade":
		return true
	}
	return false
}

// validName accepts an environment variable's name, or a header's: an RFC 9110 token.
func validName(field, name string) bool {
	if name == "" || len(name) > 256 {
		return false
	}
	extra := "_-.()" // Windows has ProgramFiles(x86)
	if field == "headers" {
		extra = "!#$%&'*+-.^_`|~"
	}
	for _, r := range name {
		alphanumeric := r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
		if !alphanumeric && !strings.ContainsRune(extra, r) {
			return false
		}
	}
	return true
}

func checkLimits(check *Check, d domain.Definition) {
	if d.TimeoutMS < 0 || d.TimeoutMS > maxTimeoutMS {
		check.add("timeout_ms", invalid("timeout_range", "the timeout must be between 0 and 3600 seconds", "The default is 30 seconds."))
	}
	if d.BufferSize != 0 && (d.BufferSize < minBuffer || d.BufferSize > maxBuffer) {
		check.add("buffer_size", invalid("ceiling_range", "the message ceiling must be between 64 KiB and 1 GiB", "The default is 10 MiB."))
	}
}

// checkReferences says of each ${VAR} whether it has a value. Secrets are not opened for it.
func (s *Service) checkReferences(check *Check, d domain.Definition) {
	for _, reference := range config.References(d, s.Environ) {
		check.Variables = append(check.Variables, VariableUse{
			Name: reference.Name, Field: reference.Field, Found: reference.Found, From: reference.From,
		})
		if reference.Found {
			continue
		}
		check.add(reference.Field, &domain.Error{
			Code: domain.CodeVariableUnset, Message: fmt.Sprintf("the variable %s is not set", reference.Name),
			Hint: "Set it before Apollia starts, or write its value here; secrets go to the secret store.",
			Args: map[string]string{"variable": reference.Name, "field": reference.Field},
		})
	}
}

// preview writes what will be started or sent, secrets left out.
func preview(d domain.Definition) string {
	if d.Transport != domain.Stdio {
		lines := []string{"POST " + d.URL}
		for _, h := range d.Headers {
			lines = append(lines, h.Name+": "+shown(h))
		}
		return strings.Join(lines, "\n")
	}
	words := make([]string, 0, len(d.Env)+1)
	for _, v := range d.Env {
		words = append(words, v.Name+"="+shown(v))
	}
	words = append(words, syntax.ShellLine(append([]string{d.Command}, d.Args...)...))
	return strings.Join(words, " ")
}

func shown(v domain.Variable) string {
	if (v.Secret || LooksSecret(v.Name, v.Value)) && !config.HasReference(v.Value) {
		return "••••"
	}
	return syntax.ShellWord(v.Value)
}
