package oauth

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// maxWords bounds what is repeated of a server's own words.
const maxWords = 300

// refusal is an error answer (RFC 6749 section 5.2, RFC 7591 section 3.2.2).
type refusal struct {
	Status      int    `json:"-"`
	Code        string `json:"error"`
	Description string `json:"error_description"`
}

func readRefusal(a answer) refusal {
	var r refusal
	_ = json.Unmarshal(a.body, &r) // what is no JSON says nothing
	r.Status = a.status
	return r
}

// isPassing reports whether a refusal says nothing of what was asked: the server has trouble of its own, or too much to do.
func (r refusal) isPassing() bool {
	return r.Status >= http.StatusInternalServerError || r.Status == http.StatusTooManyRequests ||
		r.Code == "temporarily_unavailable" || r.Code == "server_error" || r.Code == "slow_down"
}

// text repeats what the server says, bounded and as text.
func (r refusal) text() string {
	var parts []string
	for _, part := range []string{r.Code, r.Description} {
		if part = strings.TrimRight(plain(part), "."); part != "" { // it goes on in a sentence of ours
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return "HTTP status " + strconv.Itoa(r.Status) + " " + http.StatusText(r.Status)
	}
	return strings.Join(parts, ": ")
}

// hiding hides what was sent to a server in what that repeats of it, as it is or as in a form.
func hiding(secrets ...string) *strings.Replacer {
	var pairs []string
	for _, secret := range secrets {
		if secret != "" {
			pairs = append(pairs, secret, "[secret]", url.QueryEscape(secret), "[secret]")
		}
	}
	return strings.NewReplacer(pairs...)
}

// plain is a stranger's text without what a terminal or a page could take for more than text.
func plain(text string) string {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
	if runes := []rune(text); len(runes) > maxWords {
		text = string(runes[:maxWords]) + "…"
	}
	return text
}
