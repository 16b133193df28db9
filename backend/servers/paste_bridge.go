package servers

import (
	"regexp"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

var pasteHTTP = regexp.MustCompile(`^https?://`)

// pasteUnbridged turns a bridge to a remote server into that server. A bridge in the other direction, or with options
// that are not understood, stays the program it is.
func pasteUnbridged(d domain.Definition) domain.Definition {
	if d.Transport != domain.Stdio {
		return d
	}
	words := append([]string{d.Command}, d.Args...)
	if pasteProgram(words[0]) == "cmd" && len(words) > 2 && strings.EqualFold(words[1], "/c") {
		words = words[2:]
	}
	for i, word := range words {
		if (i == 0 || pasteIsRunner(words[0])) && pasteIsBridge(word) {
			return pasteBridge(d, words[i+1:])
		}
	}
	return d
}

// pasteIsBridge knows the programs that let a client without remote servers reach one through stdio. We need none.
func pasteIsBridge(word string) bool {
	name, _, _ := strings.Cut(pasteProgram(word), "@")
	return name == "mcp-remote" || name == "supergateway" || name == "mcp-proxy"
}

// pasteBridge reads the arguments after the bridge's name.
func pasteBridge(d domain.Definition, args []string) domain.Definition {
	remote := domain.Definition{Name: d.Name, Env: d.Env, TimeoutMS: d.TimeoutMS, BufferSize: d.BufferSize, Roots: d.Roots}
	hint := ""
	for i := 0; i < len(args); i++ {
		next := ""
		if i+1 < len(args) {
			next = args[i+1]
		}
		switch flag := args[i]; {
		case pasteHTTP.MatchString(flag) || strings.HasPrefix(flag, "${") && remote.URL == "" && hint != "":
			remote.URL = flag
		case flag == "--sse", flag == "--streamableHttp", flag == "--transport":
			hint = strings.ToLower(strings.TrimLeft(flag, "-"))
			if flag == "--transport" {
				hint, i = strings.ToLower(next), i+1
			}
		case flag == "--header", flag == "-H", flag == "--headers":
			i += pasteBridgeHeader(&remote, args[i+1:])
		case flag == "--oauth2Bearer":
			remote.Headers = append(remote.Headers, domain.Variable{Name: "Authorization", Value: "Bearer " + next})
			i++
		case flag == "--stdio":
			return d
		}
	}
	if remote.URL == "" {
		return d
	}
	switch {
	case hint == "sse", hint == "sse-only":
		remote.Transport = domain.SSE
	case strings.HasPrefix(hint, "streamablehttp"), hint == "http-only":
		remote.Transport = domain.StreamableHTTP
	default:
		remote.Transport = pasteTransport(remote.URL)
	}
	return remote
}

// pasteBridgeHeader reads "Name: value", or a name and a value in two words, and returns how many words it took.
func pasteBridgeHeader(d *domain.Definition, args []string) int {
	if len(args) == 0 {
		return 0
	}
	if name, value, ok := strings.Cut(args[0], ":"); ok {
		d.Headers = pasteSet(d.Headers, strings.TrimSpace(name), strings.TrimSpace(value), strings.EqualFold)
		return 1
	}
	if len(args) > 1 {
		d.Headers = pasteSet(d.Headers, args[0], args[1], strings.EqualFold)
	}
	return min(2, len(args))
}
