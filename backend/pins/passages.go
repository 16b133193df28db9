package pins

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// shapes are passages that are told by how they are written, not by their words. Each is tried where one may begin.
type shapes struct {
	markup, poses, escapes *regexp.Regexp
}

func newShapes() shapes {
	return shapes{
		// Comments with words in them, styles that hide, references and pictures that a page does not show.
		markup: regexp.MustCompile(`(?is)^(?:<!--.{0,200}?\pL{3}|\[(?://|comment)\]:\s*#|<[a-z]+\s[^>]{0,200}?(?:\bhidden\b|display\s*:\s*none|` +
			`visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0\b|color\s*:\s*(?:white|transparent|#fff\b|#ffffff))|` +
			`!\[[^\]]{0,200}\]\(\s*(?:https?:)?//|<(?:img|iframe|script)\b)`),
		// Tags and headings that only a system prompt, a chat template or a loud forger writes.
		poses: regexp.MustCompile(`(?i)^(?:<\s*/?\s*(?:important|system|secret|hidden|instructions?|critical|admin|assistant|override|` +
			`internal|mandatory|urgent|developer)(?:[_\s-][^>]{0,80})?>|<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|` +
			`\s*(?:#{1,6}\s*|\*\*)system\b|\[\s*(?:system|hidden|admin|internal|important)\b[^\]]{0,40}[\]:]|` +
			`\s*(?:system|assistant|human)\s*:\s)`),
		escapes: regexp.MustCompile(`(?i)^(?:(?:%[0-9a-f]{2}){8,}|(?:\\x[0-9a-f]{2}){8,}|(?:\\u[0-9a-f]{4}){6,}|(?:&#x?[0-9a-f]{2,5};){6,}|` +
			`(?:[01]{8}\s?){6,}|(?:0x[0-9a-f]{2}[\s,]*){8,})`),
	}
}

// find tells the passages of a text that have a suspicious shape.
func (s shapes) find(text string, tell func(domain.FindingCode, span)) {
	for _, at := range hiddenRuns(text) {
		tell(domain.HiddenCharacters, at)
	}
	s.findMarks(text, tell)
	for at := range runsOf(text, isBase64) {
		if isEncoded(text[at.start:at.end]) {
			tell(domain.EncodedText, at)
		}
	}
	for at := range runsOf(text, isBlank) {
		if at.end < len(text) && pushesAway(text[at.start:at.end]) {
			tell(domain.OutOfSight, at)
		}
	}
}

// A shape is at most this long, in bytes, and may begin at so many places of a text; a text with more marks than that
// is markup to get lost in.
const (
	longestShape = 320
	mostMarks    = 1000
)

func (s shapes) findMarks(text string, tell func(domain.FindingCode, span)) {
	marks := 0
	for i := 0; i < len(text); i++ {
		if !beginsShape(text, i) {
			continue
		}
		marks++
		if marks > mostMarks {
			tell(domain.HiddenMarkup, span{i, len(text)})
			return
		}
		ahead := text[i:min(len(text), i+longestShape)]
		end := 0
		for _, shape := range []struct {
			code domain.FindingCode
			is   *regexp.Regexp
		}{{domain.HiddenMarkup, s.markup}, {domain.PosesAsSystem, s.poses}, {domain.EncodedText, s.escapes}} {
			if at := shape.is.FindStringIndex(ahead); at != nil {
				tell(shape.code, span{i, i + at[1]})
				end = max(end, at[1])
			}
		}
		i += max(end-1, 0)
	}
}

// beginsShape says that a suspicious shape may begin at byte i: at a mark, at a line of its own, or at a number.
func beginsShape(text string, i int) bool {
	switch text[i] {
	case '<', '[', '!', '%', '\\', '&':
		return true
	case '#', '*', 's', 'S', 'a', 'A', 'h', 'H':
		if strings.HasPrefix(text[i:], "SYSTEM") {
			return true
		}
		before := strings.TrimRight(text[max(0, i-8):i], " \t")
		return before == "" || before[len(before)-1] == '\n'
	case '0', '1':
		return i == 0 || text[i-1] == ' ' || text[i-1] == '\n'
	}
	return false
}

// mostPassages bounds how many passages of a kind are counted in one text.
const mostPassages = 100

// runsOf gives the longest parts of a text whose runes all have a property.
func runsOf(text string, has func(rune) bool) func(yield func(span) bool) {
	return func(yield func(span) bool) {
		start := -1
		for i, r := range text {
			switch inside := has(r); {
			case inside && start < 0:
				start = i
			case !inside && start >= 0:
				if !yield(span{start, i}) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(span{start, len(text)})
		}
	}
}

func isBase64(r rune) bool {
	return r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+/-_=", r))
}

// Encoded text of at least shortestEncoded bytes that decodes to words is a message; blobs of unclear content have to be
// longer, since keys, digests and addresses look the same.
const (
	shortestEncoded = 20
	longestOpaque   = 160
)

func isEncoded(run string) bool {
	if len(run) < shortestEncoded {
		return false
	}
	if len(run) > 4*longestOpaque {
		run = run[:4*longestOpaque]
	}
	if decoded, err := hex.DecodeString(run[:len(run)&^1]); err == nil {
		return isWords(decoded)
	}
	plain := strings.TrimRight(run, "=")
	plain = plain[:len(plain)&^3]
	for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if decoded, err := alphabet.DecodeString(plain); err == nil && isWords(decoded) {
			return true
		}
	}
	return len(run) >= longestOpaque && strings.ContainsFunc(run, unicode.IsDigit) && strings.ContainsFunc(run, unicode.IsUpper) &&
		strings.ContainsFunc(run, unicode.IsLower)
}

// isWords says that decoded bytes are text: printable, nearly all of it letters and spaces.
func isWords(decoded []byte) bool {
	if !utf8.Valid(decoded) {
		return false
	}
	letters, all := 0, 0
	for _, r := range string(decoded) {
		if !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			return false
		}
		all++
		if unicode.IsLetter(r) || r == ' ' {
			letters++
		}
	}
	return all > 0 && letters*10 >= all*6
}

func isBlank(r rune) bool { return unicode.IsSpace(r) || r == 0x2800 || r == 0x3164 || isHidden(r) }

// Blank space pushes what follows out of view with this many lines, or this many characters in a row.
const (
	mostBlankLines = 12
	mostBlanks     = 120
)

func pushesAway(blank string) bool {
	return strings.Count(blank, "\n") >= mostBlankLines || utf8.RuneCountInString(blank) >= mostBlanks
}
