package pins

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a part of a text, in bytes.
type span struct{ start, end int }

// word is one word of a text with what it means, or the end of a sentence.
type word struct {
	span
	means mask
	stop  bool
	// unspaced is set for words of scripts that put no spaces between them.
	unspaced bool
	// letter is set for a word of one letter.
	letter string
}

// reader cuts a text into words.
type reader struct {
	lexicon *lexicon
	// tools are the names that the server may speak of: its own tools'; schema are those of the parameters and values.
	tools, schema map[string]bool
	// name says that the text is an identifier, whose parts are words.
	name bool

	text      string
	words     []word
	disguised []span

	chunk strings.Builder
	parts []part // where '_' or '.' or a capital cuts the chunk
	from  int
	looks disguises
	// taken is the end of the last word of a script without spaces.
	taken int
}

// part is a place where a chunk can be cut: in its folded form and in the text.
type part struct{ chunk, text int }

func (r *reader) read(text string) {
	r.text = text
	for i := 0; i < len(text); {
		c, width := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+width:])
		r.take(i, c, next)
		i += width
	}
	r.end(len(text))
	r.joinLetters()
}

func (r *reader) take(i int, c, next rune) {
	switch {
	case isHidden(c):
	case isUnspaced(c):
		r.end(i)
		r.unspaced(i)
	case unicode.IsLetter(c) || unicode.IsDigit(c) || isOrnament(c):
		if r.name && unicode.IsUpper(c) && r.chunk.Len() > 0 {
			r.end(i)
		}
		r.add(i, c)
	case unicode.Is(unicode.Mn, c):
	case c == '_' && r.chunk.Len() > 0 && !r.name:
		r.cut(i, c)
	case c == '.' && unicode.IsLetter(next):
		r.cut(i, c)
	case (c == '\'' || c == '’') && r.chunk.Len() > 0 && (next == 't' || next == 'T') && strings.HasSuffix(r.chunk.String(), "n"):
	case c == '\n' && strings.ContainsRune("\n-*•#", next), strings.ContainsRune(".!?;。！？", c):
		r.end(i)
		r.words = append(r.words, word{span: span{i, i}, stop: true})
	default:
		r.end(i)
	}
}

// longestChunk bounds a word, in bytes: what is longer is none.
const longestChunk = 96

func (r *reader) add(i int, c rune) {
	if r.chunk.Len() == 0 {
		r.from = i
	}
	if r.chunk.Len() < longestChunk {
		r.looks.see(c)
		r.chunk.WriteString(folded(c))
	}
}

// cut takes a mark that may join words or be part of one, such as .env or id_rsa.
func (r *reader) cut(i int, c rune) {
	if r.chunk.Len() == 0 {
		r.from = i
	}
	if r.chunk.Len() < longestChunk {
		r.parts = append(r.parts, part{r.chunk.Len(), i})
		r.chunk.WriteRune(c)
	}
}

// end closes the chunk that ends before byte i.
func (r *reader) end(i int) {
	if r.chunk.Len() == 0 {
		return
	}
	whole, looks, parts := r.chunk.String(), r.looks, r.parts
	r.chunk.Reset()
	r.looks, r.parts = disguises{}, r.parts[:0]
	at := span{r.from, i}
	if looks.disguised() {
		r.disguised = append(r.disguised, at)
	}
	if means := r.lexicon.meaning(whole); means != (mask{}) || len(parts) == 0 {
		r.push(at, whole, means, looks)
		return
	}
	if strings.Contains(whole, "_") {
		r.push(at, whole, r.identifier(r.text[at.start:at.end]), looks)
		return
	}
	for n, from := 0, (part{0, at.start}); n <= len(parts); n++ {
		to := part{len(whole), at.end}
		if n < len(parts) {
			to = parts[n]
		}
		piece := strings.TrimPrefix(whole[from.chunk:to.chunk], ".")
		if dotted := "." + piece; n <= 1 && whole[0] == '.' {
			if means := r.lexicon.meaning(dotted); means != (mask{}) {
				piece = dotted
			}
		}
		if piece != "" {
			r.push(span{from.text, to.text}, piece, r.lexicon.meaning(piece), looks)
		}
		from = to
	}
}

// push keeps a word; one that means nothing as it is written is tried without its disguise.
func (r *reader) push(at span, text string, means mask, looks disguises) {
	if means == (mask{}) && (looks.alike > 0 || looks.digits > 0 && looks.latin > 0) {
		means = r.lexicon.meaning(undisguised(text))
	}
	one := word{span: at, means: means}
	if utf8.RuneCountInString(text) == 1 && looks.digits == 0 {
		one.letter = text
	}
	r.words = append(r.words, one)
}

// identifier says whether a name with underscores is a tool of the server, a word of the schema, or neither.
func (r *reader) identifier(name string) mask {
	switch {
	case r.tools[name]:
		return r.lexicon.own
	case r.schema[name]:
		return mask{}
	default:
		return r.lexicon.foreign
	}
}

// unspaced takes the longest word that the lexicon knows at byte i of a script without spaces. What it does not know
// there is one word together, so that the particles between two words do not part them.
func (r *reader) unspaced(i int) {
	if i < r.taken {
		return
	}
	one := word{span: span{i, i}}
	count := 0
	for n, c := range r.text[i:] {
		if count == r.lexicon.longest || !isUnspaced(c) {
			break
		}
		count++
		if count == 1 {
			r.taken = i + utf8.RuneLen(c)
		}
		end := i + n + utf8.RuneLen(c)
		if means := r.lexicon.words[r.text[i:end]]; means != (mask{}) {
			one.end, one.means, r.taken = end, one.means.with(means), end
		}
	}
	if last := len(r.words) - 1; one.means == (mask{}) && last >= 0 && r.words[last].unspaced && r.words[last].means == (mask{}) {
		r.words[last].end = r.taken
		return
	}
	one.end, one.unspaced = r.taken, true
	r.words = append(r.words, one)
}

// fewestLetters is how many single letters in a row are a word that was spaced out, not a list of names.
const fewestLetters = 8

// joinLetters puts words together whose letters were spaced out, each in the place of its first letter.
func (r *reader) joinLetters() {
	joined := r.words[:0:0]
	for n := 0; n < len(r.words); {
		last := n
		for last < len(r.words) && r.words[last].letter != "" {
			last++
		}
		if last-n < fewestLetters || isAlphabet(r.words[n:last]) {
			last = max(last, n+1)
			joined = append(joined, r.words[n:last]...)
		} else {
			r.disguised = append(r.disguised, span{r.words[n].start, r.words[last-1].end})
			joined = append(joined, r.spacedOut(r.words[n:last])...)
		}
		n = last
	}
	r.words = joined
}

// spacedOut reads single letters as words: wider gaps part them, else the longest words of the lexicon do.
func (r *reader) spacedOut(letters []word) []word {
	var found []word
	for len(letters) > 0 {
		n, one := r.nextSpacedOut(letters[:min(len(letters), longestBeginning)])
		found = append(found, one)
		letters = letters[n:]
	}
	return found
}

// nextSpacedOut takes the first word of spaced letters: as many of them as the lexicon knows, else all up to the next gap.
func (r *reader) nextSpacedOut(letters []word) (taken int, one word) {
	var text strings.Builder
	one = word{span: letters[0].span}
	for n, letter := range letters {
		if n > 0 && letter.start-letters[n-1].end > 1 {
			if taken == 0 {
				taken = n
			}
			return taken, one
		}
		text.WriteString(letter.letter)
		if n > 0 && r.lexicon.knows(text.String()) {
			taken, one.means, one.end = n+1, r.lexicon.meaning(text.String()), letter.end
		}
	}
	return max(taken, 1), one
}

// isAlphabet holds for letters in the order of the alphabet, as in a list of choices.
func isAlphabet(letters []word) bool {
	for n := 1; n < len(letters); n++ {
		if letters[n].letter < letters[n-1].letter {
			return false
		}
	}
	return true
}
