package native

import "strings"

// alone gives the only statement of a text, without the semicolon at its end, or says why there is none or several. It
// splits the text as SQLite's sqlite3_complete does. Nothing rests on it but that a caller knows what ran: the guard
// judges each statement by itself.
func alone(text string) (string, error) {
	if len(text) > maxSQL {
		return "", refuse("The statement is longer than %d bytes.", maxSQL)
	}
	if strings.ContainsRune(text, 0) {
		return "", refuse("The statement has a zero byte in it.")
	}
	s := scanner{text: text}
	end := s.statement()
	if s.words == 0 {
		return "", refuse("There is no statement in the text.")
	}
	rest := scanner{text: text, at: s.at}
	for rest.next() {
		if rest.token != ";" {
			return "", refuse("The text has more than one statement. Give them one by one.")
		}
	}
	return text[:end], nil
}

// scanner goes through SQL token by token.
type scanner struct {
	text  string
	at    int
	token string // the last one: a word in lower case, or one character; "x" for anything quoted
	words int
}

// statement goes to the end of the first statement, after its semicolon, and gives where it ends, before the semicolon.
// A trigger holds statements: it ends with END between semicolons.
func (s *scanner) statement() (end int) {
	trigger, before, last, head := false, "", "", ""
	for s.next() {
		if s.token == ";" {
			if s.words == 0 {
				continue // a semicolon before everything
			}
			if !trigger || last == "end" && before == ";" {
				return s.at - 1
			}
		} else {
			s.words++
		}
		if s.words <= longestHead {
			head += s.token + " "
			trigger = trigger || makesTrigger(head)
		}
		before, last = last, s.token
	}
	return len(s.text)
}

// longestHead is how many words EXPLAIN QUERY PLAN CREATE TEMP TRIGGER has.
const longestHead = 6

// makesTrigger says whether a statement that begins so makes a trigger.
func makesTrigger(head string) bool {
	head = strings.TrimPrefix(strings.TrimPrefix(head, "explain "), "query plan ")
	return head == "create trigger " || head == "create temp trigger " || head == "create temporary trigger "
}

// next goes to the next token. Comments and white space are none.
func (s *scanner) next() bool {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case strings.ContainsRune(" \t\n\f\r", rune(c)):
			s.at++
		case strings.HasPrefix(rest, "--"):
			s.skip(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*") && len(rest) > 2:
			s.skip(rest, 2, "*/")
		case c == '\'' || c == '"' || c == '`':
			s.skip(rest, 1, string(c)) // two in a row are read as two strings, which ends at the same place
			s.token = "x"
			return true
		case c == '[':
			s.skip(rest, 1, "]")
			s.token = "x"
			return true
		case isWord(c):
			n := 1
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
			s.token = strings.ToLower(rest[:n])
			s.at += n
			return true
		default:
			s.token = rest[:1]
			s.at++
			return true
		}
	}
	return false
}

// skip goes behind the next end mark, or to the end of the text.
func (s *scanner) skip(rest string, from int, mark string) {
	if i := strings.Index(rest[from:], mark); i >= 0 {
		s.at += from + i + len(mark)
		return
	}
	s.at = len(s.text)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
