package transport

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf16"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

const masked = "[secret]"

// A shorter value would blot out half of every line, and is no secret worth the name. One that is only guessed to be a
// secret, by its name, must be longer: "true" is none.
const (
	minSecret  = 4
	minGuessed = 8
)

var secretName = regexp.MustCompile(`(?i)authorization|cookie|token|secret|passw|api[-_]?key|apikey|credential|private[-_]?key`)

// Mask replaces the secrets of one definition by a fixed word. Its zero value hides nothing. Copies of a mask learn
// together; it is safe for concurrent use.
type Mask struct{ secrets *secrets }

// secrets are what a mask hides.
type secrets struct {
	known []string // the spellings of what the definition holds

	mu     sync.Mutex
	tokens []string // the newest ones that went out, as they were; at most maxTokens
	hiding atomic.Pointer[hiding]
}

// hiding is how secrets are hidden at one moment.
type hiding struct {
	replacer *strings.Replacer // nil hides nothing
	longest  int
}

// maxTokens is how many tokens of a session are hidden: a server may repeat the last one for a while.
const maxTokens = 4

// NewMask hides the values of d that are marked secret, those whose name says so, those that were filled in as secrets,
// and the password and the secret-looking query values of its URL, as they are and as JSON or URLs spell them.
func NewMask(d domain.Definition) Mask {
	var values []string
	for _, v := range slices.Concat(d.Env, d.Headers) {
		if v.Secret || secretName.MatchString(v.Name) && len(v.Value) >= minGuessed {
			values = append(values, spellings(v.Value)...)
		}
	}
	for _, v := range d.Hidden {
		values = append(values, spellings(v)...)
	}
	m := Mask{secrets: &secrets{known: append(values, urlSecrets(d.URL)...)}}
	m.secrets.hiding.Store(hide(m.secrets.known))
	return m
}

// hide makes the way to hide values.
func hide(values []string) *hiding {
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return len(v) < minSecret })
	// The longest first: a Replacer takes the first of its pairs that matches.
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	values = slices.Compact(values)
	if len(values) == 0 {
		return &hiding{}
	}
	pairs := make([]string, 0, 2*len(values))
	for _, v := range values {
		pairs = append(pairs, v, masked)
	}
	return &hiding{replacer: strings.NewReplacer(pairs...), longest: len(values[0])}
}

// learn hides one more token, such as one that a sign-in gave while the link lives.
func (m Mask) learn(token string) {
	s := m.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == "" || slices.Contains(s.tokens, token) {
		return
	}
	s.tokens = append(s.tokens, token)
	s.tokens = s.tokens[max(0, len(s.tokens)-maxTokens):]
	values := slices.Clone(s.known)
	for _, t := range s.tokens {
		values = append(values, spellings(t)...)
	}
	s.hiding.Store(hide(values))
}

// learner has a mask learn the token of each request before it goes out.
type learner struct {
	mask Mask
	next http.RoundTripper
}

// RoundTrip sends a request.
func (l learner) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mask.learn(r.Header.Get("Authorization"))
	return l.next.RoundTrip(r)
}

func (m Mask) now() hiding {
	if m.secrets == nil {
		return hiding{}
	}
	return *m.secrets.hiding.Load()
}

func (m Mask) isEmpty() bool { return m.now().replacer == nil }

// longest is the length of the longest spelling of a secret.
func (m Mask) longest() int { return m.now().longest }

// Hide returns s with every secret replaced.
func (m Mask) Hide(s string) string { return m.now().hide(s) }

func (h hiding) hide(s string) string {
	if h.replacer == nil {
		return s
	}
	return h.replacer.Replace(s)
}

// beginning returns at most limit bytes of a text, its secrets hidden, and whether there is more. It is cut before it is
// masked, so that a large one costs little; a secret that the cut splits is lost with the rest.
func (m Mask) beginning(raw []byte, limit int) (text string, cut bool) {
	h := m.now()
	if len(raw) <= limit {
		return h.hide(string(raw)), false
	}
	window := limit + h.longest
	if len(raw) <= window {
		text = h.hide(string(raw))
		return text[:min(len(text), limit)], true
	}
	text = h.hide(string(raw[:window]))
	// What the window ends with may be the first half of a secret.
	return text[:min(max(0, len(text)-h.longest), limit)], true
}

// spellings lists the forms in which a value can turn up in a line or a frame.
func spellings(value string) []string {
	value = strings.TrimSpace(value)
	quoted := inJSON(value, false)
	forms := []string{
		value, url.QueryEscape(value), url.PathEscape(value), quoted, inJSON(value, true), inASCII(quoted),
		strings.ReplaceAll(quoted, "/", `\/`),
	}
	forms = append(forms, inJSON(quoted, false), inJSON(inJSON(value, true), true))
	for _, escaped := range []string{forms[1], forms[2]} {
		slashed := strings.ReplaceAll(escaped, "%2F", "/")
		forms = append(forms, slashed, lowerHex(escaped), lowerHex(slashed))
	}
	forms = append(forms, inBase64(value)...)
	// "Bearer abc" turns up as "abc" too, and a value of many lines one line at a time.
	if _, token, ok := strings.Cut(value, " "); ok && len(token) >= minGuessed {
		forms = append(forms, token)
	}
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= minGuessed {
			forms = append(forms, line)
		}
	}
	return forms
}

var percentHex = regexp.MustCompile(`%[0-9A-F]{2}`)

func lowerHex(escaped string) string {
	return percentHex.ReplaceAllStringFunc(escaped, strings.ToLower)
}

// inBase64 is the value as base64 spells it, alone and inside of something longer, such as "user:value": of that only
// the characters that no neighbour has a part in.
func inBase64(value string) []string {
	var forms []string
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		whole := encoding.EncodeToString([]byte(value))
		forms = append(forms, whole, strings.TrimRight(whole, "="))
		for before := range 3 {
			text := encoding.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, before), value...))
			from := (before*8 + 5) / 6
			to := (before + len(value)) * 8 / 6
			if to-from >= minGuessed {
				forms = append(forms, text[from:to])
			}
		}
	}
	return forms
}

// inJSON is the value inside the quotes of a JSON string; some programs escape <, > and & too.
func inJSON(value string, escapeHTML bool) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(escapeHTML)
	if err := encoder.Encode(value); err != nil {
		return value
	}
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), `"`), "\"\n")
}

// inASCII spells what is inside a JSON string as programs do that write ASCII only.
func inASCII(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func urlSecrets(address string) []string {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	var values []string
	if password, ok := u.User.Password(); ok {
		values = append(values, spellings(password)...)
	}
	for name, all := range u.Query() {
		if !secretName.MatchString(name) && !strings.EqualFold(name, "key") {
			continue
		}
		for _, v := range all {
			values = append(values, spellings(v)...)
		}
	}
	return values
}
