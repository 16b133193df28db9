package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/syntax"
)

// Setting is one value that a person can set, in config.toml or by the program; config.toml wins.
type Setting struct {
	// Key names it; the part before the dot is its table in config.toml.
	Key     string
	Default string
	// Values are the only ones allowed; empty when check decides.
	Values []string
	// Secret is one whose value is in the secret store: no file and no list of settings ever has it.
	Secret bool

	check func(value string) error
}

// KnownSettings lists every setting, in the order they are shown.
func KnownSettings() []Setting {
	system := func(values ...string) []string { return append([]string{"system"}, values...) }
	onOff := []string{"true", "false"}
	return []Setting{
		{Key: "server.listen", Default: "127.0.0.1:7433", check: checkListen},
		{Key: "approvals.from_cli", Default: "terminal", Values: []string{"terminal", "always", "never"}},
		// After how many minutes a request that nobody answers is refused; 0 lets it wait.
		{Key: "approvals.wait_minutes", Default: "0", check: whole("minutes", 0, 30*24*60)},
		{Key: "ui.language", Default: "system", Values: system("fr", "en")},
		{Key: "ui.theme", Default: "system", Values: system("light", "dark")},
		{Key: "ui.letter_shortcuts", Default: "true", Values: onOff},
		{Key: "notifications.requests", Default: "true", Values: onOff},
		{Key: "notifications.servers", Default: "true", Values: onOff},
		{Key: "notifications.network", Default: "false", Values: onOff},
		// Seconds until a server is initialized, and bytes of one message, when its definition does not say.
		{Key: "defaults.timeout", Default: seconds(domain.DefaultTimeout.Seconds()), check: between("seconds", 1, maxTimeout)},
		{Key: "defaults.buffer_size", Default: strconv.Itoa(domain.DefaultBufferSize), check: whole("bytes", minBuffer, maxBuffer)},
		// Seconds without progress, and seconds in all, after which a call ends. Waiting for a person does not count.
		{Key: "call_idle_timeout", Default: "60", check: between("seconds", 1, 24*3600)},
		{Key: "call_max_time", Default: "600", check: between("seconds", 1, 24*3600)},
		// For how many days the journal is kept, 0 for ever; and whether it holds the arguments of calls, not only their digest.
		{Key: "audit.keep_days", Default: "365", check: whole("days", 0, 36500)},
		{Key: "audit.arguments", Default: "false", Values: onOff},
		// A PEM file with the certificates of authorities that are trusted besides the system's.
		{Key: "tls.ca_file", check: checkFile},
		// Where the key comes from that protects the secrets in place of the keyring's: ${NAME} or file:PATH, never the key.
		{Key: "server.token_encryption_key", check: checkKeySource},
		// The loopback port that sign-ins come back to; those that registered by themselves register again when it changes.
		{Key: "oauth.callback_port", Default: "8913", check: whole("port", 1, 65535)},
		// The address of our client metadata document; empty does without.
		{Key: "oauth.client_metadata_url", Default: "https://apollia.fr/.well-known/mcp-client-metadata", check: checkHTTPS},
		// The OpenAI-compatible endpoint that answers servers that ask for a text, the model there, and its key. Ollama needs
		// none. Without an address such requests are refused.
		{Key: "model.base_url", check: checkEndpoint},
		{Key: "model.name", check: checkModel},
		{Key: "model.key", Secret: true, check: checkSecret},
		// Whether servers of the local network are looked for, and which of one's own are announced there, by their ids.
		{Key: "network.search", Default: "false", Values: onOff},
		{Key: AnnounceKey, check: checkServerIDs},
		// The folders that agents may read and query in by the modules filesystem and database; none means no such module.
		{Key: "modules.folders", check: checkFolders},
		// How many texts one server may ask for in an hour.
		{Key: "sampling.per_hour", Default: "100", check: whole("texts", 1, 10_000)},
		// How many forms and pages, together, one server may ask of a person in an hour.
		{Key: "elicitation.per_hour", Default: "100", check: whole("questions", 1, 10_000)},
	}
}

func seconds(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// FindSetting finds a setting by its key; CodeUnknownItem when there is none.
func FindSetting(key string) (Setting, error) {
	known := KnownSettings()
	keys := make([]string, len(known))
	for i, s := range known {
		if s.Key == key {
			return s, nil
		}
		keys[i] = s.Key
	}
	return Setting{}, &domain.Error{
		Code: domain.CodeUnknownItem, Message: fmt.Sprintf("there is no setting %q", key),
		Hint: "The settings are: " + strings.Join(keys, ", ") + ".", Args: map[string]string{"setting": key},
	}
}

// Check refuses a value that the setting cannot have, with CodeInvalidInput.
func (s Setting) Check(value string) error {
	reason := s.reason(value)
	if reason == "" {
		return nil
	}
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: s.Key + ": " + reason, Hint: s.hint(),
		Args: map[string]string{"setting": s.Key, "reason": reason, "values": strings.Join(s.Values, ", ")},
	}
}

func (s Setting) hint() string {
	if s.Default == "" {
		return "By default it is not set."
	}
	return "The default is " + s.Default + "."
}

func (s Setting) reason(value string) string {
	if len(s.Values) > 0 {
		if slices.Contains(s.Values, value) {
			return ""
		}
		return "the value must be one of " + strings.Join(s.Values, ", ")
	}
	if err := s.check(value); err != nil {
		return err.Error()
	}
	return ""
}

// checkListen accepts an address of this machine only: what is behind it acts with the person's rights.
func checkListen(value string) error {
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		return errors.New("the value must be a host and a port, such as 127.0.0.1:7433")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(n, 10) != port {
		return errors.New("the port must be a number from 0 to 65535")
	}
	ip, err := netip.ParseAddr(host)
	if host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return errors.New("the host must be one of this machine only: 127.0.0.1, ::1 or localhost")
	}
	return nil
}

// checkFile accepts nothing, or the full path of a file, which need not be there yet.
func checkFile(value string) error {
	if value != "" && !filepath.IsAbs(value) {
		return errors.New("the value must be the full path of a file")
	}
	return nil
}

// maxFolders is how many folders may be opened to the native modules.
const maxFolders = 50

// checkFolders accepts nothing, or full paths, joined as the system joins those of PATH.
func checkFolders(value string) error {
	folders := filepath.SplitList(value)
	if len(folders) > maxFolders || slices.ContainsFunc(folders, func(folder string) bool { return !filepath.IsAbs(folder) }) {
		return fmt.Errorf("the value must be full paths of folders with %q between them, at most %d", string(filepath.ListSeparator), maxFolders)
	}
	return nil
}

// checkKeySource accepts nothing, or where a key is: whoever writes the key itself has put it where anybody may read it.
func checkKeySource(value string) error {
	path, isFile := strings.CutPrefix(value, "file:")
	template, err := parseTemplate(value)
	isVariable := err == nil && len(template) == 1 && template[0].name != "" && !template[0].secret && !template[0].hasFallback
	switch {
	case value == "", isFile && filepath.IsAbs(path), isVariable:
		return nil
	default:
		return errors.New("the value must name where the key is, as ${NAME} or file:/full/path, never the key itself")
	}
}

// checkHTTPS accepts nothing, or an address that begins with https.
func checkHTTPS(value string) error {
	if u, err := url.Parse(value); value != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "") {
		return errors.New("the value must be an address such as https://example.com/client.json")
	}
	return nil
}

// checkEndpoint accepts nothing, or the address of an endpoint. What stands in it is shown and logged, so it holds no key.
func checkEndpoint(value string) error {
	u, err := url.Parse(value)
	if value != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(value, "?#")) {
		return errors.New("the value must be an address such as http://127.0.0.1:11434/v1, without a key in it")
	}
	return nil
}

// ListOf reads the value of a setting that is a list: with commas in between, none for nothing.
func ListOf(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, ",")
}

// AnnounceKey is the setting of which servers are announced on the local network.
const AnnounceKey = "network.announce"

// maxAnnounced is how many servers can be announced.
const maxAnnounced = 20

// checkServerIDs accepts nothing, or ids with commas between them.
func checkServerIDs(value string) error {
	ids := ListOf(value)
	for _, id := range ids {
		if made, err := naming.ServerID(id); err != nil || made != id || len(ids) > maxAnnounced {
			return fmt.Errorf("the value must be ids of servers with commas between them, at most %d", maxAnnounced)
		}
	}
	return nil
}

// maxModel is the longest name of a model, in bytes.
const maxModel = 200

// checkModel accepts nothing, or a name.
func checkModel(value string) error {
	if len(value) > maxModel || strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return fmt.Errorf("the value must be the name of a model, of at most %d letters", maxModel)
	}
	return nil
}

// checkSecret accepts nothing: a secret is kept elsewhere.
func checkSecret(value string) error {
	if value != "" {
		return errors.New("a secret is kept in the secret store only: give it in the window or by apollia settings set, which asks for it")
	}
	return nil
}

func between(unit string, low, high float64) func(string) error {
	return func(value string) error {
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !(low <= n && n <= high) {
			return fmt.Errorf("the value must be a number of %s between %v and %v", unit, low, high)
		}
		return nil
	}
}

func whole(unit string, low, high int64) func(string) error {
	return func(value string) error {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < low || n > high {
			return fmt.Errorf("the value must be a whole number of %s between %d and %d", unit, low, high)
		}
		return nil
	}
}

// settings reads the keys of KnownSettings from the top of the file and from their tables.
func (r *reader) settings(top *table) map[string]Value {
	tables := make(map[string]*table)
	values := make(map[string]Value)
	for _, s := range KnownSettings() {
		section, key, nested := strings.Cut(s.Key, ".")
		t := top
		if !nested {
			key = s.Key
		} else if t = tables[section]; t == nil {
			t = r.section(top, section)
			tables[section] = t
		}
		if v, ok := t.setting(s, key); ok {
			values[s.Key] = v
		}
	}
	for _, t := range tables {
		t.done()
	}
	return values
}

func (r *reader) section(top *table, name string) *table {
	node := top.value(name)
	if node != nil && !node.Is(syntax.Object) {
		top.wrongType(node.Position, name, "a table", node)
		node = nil
	}
	if node == nil {
		node = &syntax.Node{Kind: syntax.Object}
	}
	return &table{reader: r, name: "[" + name + "]", node: node}
}

func (t *table) setting(s Setting, key string) (Value, bool) {
	v := t.value(key)
	if v == nil {
		return Value{}, false
	}
	if !v.Scalar() {
		t.wrongType(v.Position, s.Key, "text", v)
		return Value{}, false
	}
	text := strings.ReplaceAll(v.Text, "_", "")
	if v.Is(syntax.String) {
		text = v.Text
	}
	if reason := s.reason(text); reason != "" {
		t.badAt(v.Position, s.Key, s.Key+": "+reason, s.hint())
		return Value{}, false
	}
	return Value{Text: text, Line: v.Line}, true
}
