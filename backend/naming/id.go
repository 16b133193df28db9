package naming

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// MaxID is the longest server id, in bytes. An id of this length leaves 26 bytes of a wire name to the tool.
const MaxID = 32

// MaxName is the longest name of a server, in characters.
const MaxName = 100

// reasonTooLong says that a name makes too long an id.
const reasonTooLong = "too_long"

// ServerID makes the id of a server from its name: lower case, accents of Latin letters dropped, every other character
// a single "_", none at the ends. It fails with CodeInvalidName when nothing is left or more than MaxID bytes are: an
// id is stored for ever, so it is never cut behind a person's back. A name that would not show as it is, because it is
// longer than MaxName or holds a line break or a mark that turns the direction of writing, is refused too.
func ServerID(name string) (string, error) {
	switch {
	case utf8.RuneCountInString(name) > MaxName:
		start := string([]rune(name)[:MaxName])
		return "", invalidName(start+"…", fmt.Sprintf("is too long: at most %d characters are allowed", MaxName), "Choose a shorter name.")
	case strings.ContainsRune(name, utf8.RuneError): // also what stands for bytes that are not UTF-8
		return "", invalidName(strings.ToValidUTF8(name, "\uFFFD"), "holds a character that cannot be read", "Type the name again.")
	case misleads(name):
		return "", invalidName(name, "holds a character that cannot be seen", "Remove it, or type the name by hand.")
	}
	var b strings.Builder
	gap := false
	for _, r := range name {
		letters := fold(unicode.ToLower(r))
		if letters == "" && unicode.Is(unicode.Mn, r) {
			continue // the accent of a decomposed letter: the letter itself was written already
		}
		if letters == "" {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteString(letters)
	}
	id := b.String()
	switch {
	case id == "":
		return "", invalidName(name, "has no letter or digit that an id can keep", "Use at least one letter from a to z or a digit.")
	case len(id) > MaxID:
		return "", invalidName(name, fmt.Sprintf("is too long: its id %q has %d characters, at most %d are allowed", id, len(id), MaxID),
			"Choose a shorter name.").With("id", id).With("max", strconv.Itoa(MaxID)).With("reason", reasonTooLong)
	}
	return id, nil
}

// misleads reports whether a name holds a character that makes it look like another one on a screen or in a terminal: one
// that turns the direction, or one that shows as nothing. What joins the parts of an emoji shows.
func misleads(name string) bool {
	var before rune
	for _, r := range name {
		joins := (r == '\u200d' || r == '\ufe0f') && (before == '\ufe0f' || unicode.In(before, unicode.So, unicode.Sk))
		if !joins && (unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Cf, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point)) {
			return true
		}
		before = r
	}
	return false
}

func invalidName(name, problem, hint string) *domain.Error {
	return &domain.Error{
		Code:    domain.CodeInvalidName,
		Message: fmt.Sprintf("the name %q %s", name, problem),
		Hint:    hint,
		Args:    map[string]string{"name": name},
	}
}

// ValidID reports whether id is one that ServerID can give: a-z, 0-9 and single "_" between them, 1 to MaxID bytes.
func ValidID(id string) bool {
	if id == "" || len(id) > MaxID || strings.Contains(id, "__") {
		return false
	}
	for i := range len(id) {
		if !isIDByte(id[i]) {
			return false
		}
	}
	return id[0] != '_' && id[len(id)-1] != '_'
}

func isIDByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z'
}
