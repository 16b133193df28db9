package domain

import (
	"log/slog"
	"slices"
	"time"
)

// Transport says how a server is reached.
type Transport string

// The three transports of MCP. StreamableHTTP is also spelled "http" and "streamable-http" by people; see ParseTransport.
const (
	Stdio          Transport = "stdio"
	StreamableHTTP Transport = "streamable_http"
	SSE            Transport = "sse"
)

// ParseTransport reads any accepted spelling of a transport and reports whether it knew it.
func ParseTransport(s string) (Transport, bool) {
	switch s {
	case "stdio":
		return Stdio, true
	case "streamable_http", "streamable-http", "http":
		return StreamableHTTP, true
	case "sse":
		return SSE, true
	}
	return "", false
}

// Trust says where a definition came from, and so how far annotations of its tools are believed.
type Trust string

// Only an entry of the built-in catalog may be VerifiedOfficial.
const (
	VerifiedOfficial Trust = "verified_official"
	Community        Trust = "community"
	Custom           Trust = "custom"
)

// Source says where a definition is kept, and so where it is edited.
type Source string

// Definitions from the wizard and the command line live in apollia.db, a person's own in config.toml.
const (
	FromStore  Source = "store"
	FromConfig Source = "config.toml"
)

// Defaults for the limits a definition leaves at zero.
const (
	DefaultTimeout    = 30 * time.Second
	DefaultBufferSize = 10 << 20 // bytes
)

// Variable is one named value of a definition: an environment variable or an HTTP header. The value is a template
// that may hold ${VAR}, ${env:VAR}, ${VAR:-fallback} and ${secret:SERVER_ID/KEY}.
type Variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Secret marks a value that must be moved to the secret store before the definition is saved. In a saved
	// definition Value is then a ${secret:…} reference.
	Secret bool `json:"secret,omitempty"`
}

// LogValue keeps the value of a variable out of logs.
func (v Variable) LogValue() slog.Value { return slog.StringValue(v.String()) }

// String never prints the value: it may be a secret whatever its mark says.
func (v Variable) String() string { return v.Name + "=[secret]" }

// GoString keeps %#v from printing the value.
func (v Variable) GoString() string { return v.String() }

// Definition says how to reach a server and how to treat it: what the wizard fills in and config.toml spells out.
type Definition struct {
	Name      string     `json:"name"`
	Transport Transport  `json:"transport"`
	Command   string     `json:"command,omitempty"`
	Args      []string   `json:"args,omitempty"`
	Env       []Variable `json:"env,omitempty"`
	Cwd       string     `json:"cwd,omitempty"`
	// InheritEnv passes our whole environment to the process instead of the safe base set.
	InheritEnv bool   `json:"inherit_env,omitempty"`
	URL        string `json:"url,omitempty"`
	// Instance is the name on the local network that URL was taken from; empty for an address of other origin. The server is
	// known again by it at another address, which a person then confirms.
	Instance string     `json:"instance,omitempty"`
	Headers  []Variable `json:"headers,omitempty"`
	Auth     *Auth      `json:"auth,omitempty"`
	// TimeoutMS bounds spawn or connect until initialized, in milliseconds; 0 means DefaultTimeout.
	TimeoutMS int64 `json:"timeout_ms,omitempty"`
	// BufferSize is the ceiling of one message, in bytes; 0 means DefaultBufferSize.
	BufferSize int64    `json:"buffer_size,omitempty"`
	Roots      []string `json:"roots,omitempty"`
	// CacheableTools are the tools whose answers may be kept and given again; CacheSeconds is for how long, 0 for as long as
	// the app that calls says. Neither is part of what is started or reached.
	CacheableTools []string `json:"cacheable_tools,omitempty"`
	CacheSeconds   int64    `json:"cache_ttl,omitempty"`
	// DefaultVerdict is what calls get when no rule speaks: Ask (requires_approval, the default) or Allow.
	DefaultVerdict Verdict `json:"default_verdict,omitempty"`
	// Hidden are the secrets that were filled in when the definition was expanded, wherever they stand in it.
	Hidden []string `json:"-"`
}

// String names the definition only: once expanded, its arguments, address and values may hold secrets.
func (d Definition) String() string { return d.Name + " (" + string(d.Transport) + ")" }

// GoString keeps %#v from printing more than String.
func (d Definition) GoString() string { return d.String() }

// LogValue keeps everything but the name out of logs.
func (d Definition) LogValue() slog.Value { return slog.StringValue(d.String()) }

// Variables are the lists of named values in a definition: its environment, its headers, the secrets of its sign-in. To
// change an element changes the definition; Clone before that.
func (d Definition) Variables() [][]Variable {
	lists := [][]Variable{d.Env, d.Headers}
	if d.Auth != nil {
		lists = append(lists, d.Auth.Secrets)
	}
	return lists
}

// Clone is a definition that shares no list with d.
func (d Definition) Clone() Definition {
	d.Env, d.Headers = slices.Clone(d.Env), slices.Clone(d.Headers)
	d.Args, d.Roots, d.CacheableTools = slices.Clone(d.Args), slices.Clone(d.Roots), slices.Clone(d.CacheableTools)
	if d.Auth != nil {
		auth := *d.Auth
		auth.Scopes, auth.Secrets = slices.Clone(auth.Scopes), slices.Clone(auth.Secrets)
		d.Auth = &auth
	}
	return d
}

// Timeout is the time allowed from spawn or connect until initialized.
func (d Definition) Timeout() time.Duration {
	if d.TimeoutMS <= 0 {
		return DefaultTimeout
	}
	return time.Duration(d.TimeoutMS) * time.Millisecond
}

// MaxMessage is the ceiling of one message in bytes.
func (d Definition) MaxMessage() int64 {
	if d.BufferSize <= 0 {
		return DefaultBufferSize
	}
	return d.BufferSize
}

// Server is a definition that was saved, with its identity. It is not the live link; see Status.
type Server struct {
	// ID is made from the name once and never changes; see package naming.
	ID string `json:"id"`
	Definition
	Trust   Trust  `json:"trust"`
	Enabled bool   `json:"enabled"`
	Source  Source `json:"source"`
	// Unconfirmed says that config.toml starts something else than a person confirmed: it does not run before.
	Unconfirmed bool `json:"unconfirmed,omitempty"`
	// Line is where the entry starts in config.toml, counted from 1; 0 for a stored definition.
	Line      int       `json:"line,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}
