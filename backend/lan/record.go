package lan

import (
	"cmp"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

const (
	maxName     = 100 // letters of a name
	maxString   = 255 // bytes of one string of a record
	maxPath     = maxString - len("path=")
	maxStrings  = 64   // strings of a record
	maxText     = 1300 // bytes of a record: RFC 6763 section 6.2 wants it to fit a packet
	defaultPath = "/mcp"
)

// The faults of an announcement, see domain.NetworkServer.
const (
	reasonTooLong   = "announcement_too_long"
	reasonTransport = "announcement_transport"
	reasonPath      = "announcement_path"
	reasonVersion   = "announcement_version"
	reasonNoAddress = "announcement_no_address"
	reasonDisputed  = "announcement_disputed"
)

// Record is what a server says of itself beyond host and port: the TXT record of RFC 6763 section 6.
type Record struct {
	// Name is for people; empty means the instance's.
	Name string
	// Transport is domain.StreamableHTTP, which empty means too, or domain.SSE.
	Transport domain.Transport
	// Path is that of the endpoint, with its slash; empty means /mcp.
	Path string
	// Auth is what the server asks for: none, token or oauth; empty says nothing.
	Auth string
	// TLS is a server that is reached by https.
	TLS bool
}

// strings are the record as it is sent. docs/network.md explains the keys.
func (r Record) strings() []string {
	text := []string{"v=1", "transport=" + string(cmp.Or(r.Transport, domain.StreamableHTTP)), "path=" + cmp.Or(r.Path, defaultPath)}
	if r.Name != "" {
		text = append(text, "name="+cut(r.Name, maxString-len("name=")))
	}
	if r.Auth != "" {
		text = append(text, "auth="+r.Auth)
	}
	if r.TLS {
		text = append(text, "tls=1")
	}
	for i := range text {
		text[i] = strings.ReplaceAll(text[i], `\`, `\\`) // the library takes the presentation form
	}
	return text
}

// readRecord reads what somebody sent, as far as it can be used, with a fault for each thing that cannot.
func readRecord(text []string) (r Record, faults []string) {
	values, whole := pairs(text)
	if !whole {
		faults = append(faults, reasonTooLong)
	}
	if v := values["v"]; v != "" && v != "1" {
		faults = append(faults, reasonVersion)
	}
	r.Name = values["name"]
	r.TLS = values["tls"] == "1" || values["tls"] == "true"
	if auth := values["auth"]; auth == "none" || auth == "token" || auth == "oauth" {
		r.Auth = auth
	}
	r.Transport = domain.StreamableHTTP
	if named := values["transport"]; named != "" {
		r.Transport, _ = domain.ParseTransport(named)
	}
	if r.Transport != domain.StreamableHTTP && r.Transport != domain.SSE {
		r.Transport = ""
		faults = append(faults, reasonTransport)
	}
	r.Path = defaultPath
	if path := values["path"]; path != "" {
		r.Path = path
	}
	if !UsablePath(r.Path) {
		faults = append(faults, reasonPath)
	}
	return r, faults
}

// readable is how many strings of a record are read.
func readable(text []string) int {
	size := 0
	for i, s := range text {
		size += len(s) + 1
		if i == maxStrings || size > maxText {
			return i
		}
	}
	return len(text)
}

// pairs are the keys and values of a record, and whether all of it was read. Keys are told apart without case, and the first
// of each counts (RFC 6763 section 6.4).
func pairs(text []string) (values map[string]string, whole bool) {
	values = make(map[string]string)
	n := readable(text)
	for _, s := range text[:n] {
		key, value, _ := strings.Cut(unescape(s), "=")
		key = strings.ToLower(key)
		if _, again := values[key]; !again {
			values[key] = value
		}
	}
	return values, n == len(text)
}

// UsablePath reports whether a path leads to the host that the announcement names, and to nothing else. Braces are no part of an
// address (RFC 3986 section 2), and are written for what is filled in on this computer: a stranger gets none of that.
func UsablePath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || len(path) > maxPath || strings.ContainsAny(path, "#\\ {}") || !plain(path) {
		return false
	}
	u, err := url.ParseRequestURI(path)
	return err == nil && u.Host == "" && u.User == nil
}
