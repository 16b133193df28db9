package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/term"

	"apollia.fr/connexions/backend/domain"
)

// printer writes what a command answers: one JSON document or text on standard output, everything else on standard
// error.
type printer struct {
	out, err io.Writer
	// json is the flag of every command; documents are then the only thing on standard output.
	json bool
	// outTerminal and errTerminal say that a person looks at the stream.
	outTerminal, errTerminal bool
	colour                   bool
	// width is the number of columns of the terminal, 0 when there is none.
	width int
	// answered says that the document of --json was written, so that a second one never follows.
	answered bool
}

func newPrinter(p Program) *printer {
	printer := &printer{out: p.Stdout, err: p.Stderr, outTerminal: IsTerminal(p.Stdout), errTerminal: IsTerminal(p.Stderr)}
	// https://no-color.org: any value that is not empty switches colours off.
	printer.colour = printer.outTerminal && p.Getenv("NO_COLOR") == "" && p.Getenv("TERM") != "dumb"
	if file, ok := p.Stdout.(*os.File); ok && printer.outTerminal {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil {
			printer.width = width
		}
	}
	return printer
}

// IsTerminal reports whether a stream is one that a person sits at.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// show answers with a document under --json, and with text otherwise.
func (p *printer) show(document any, text func()) error {
	if p.json {
		p.answered = true
		return p.document(document)
	}
	text()
	return nil
}

// document writes one line of JSON.
func (p *printer) document(v any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// line writes one line of text to standard output. A reader that went away is no failure of the command.
func (p *printer) line(format string, args ...any) { _, _ = fmt.Fprintf(p.out, format+"\n", args...) }

// say writes a message to standard error.
func (p *printer) say(format string, args ...any) { _, _ = fmt.Fprintf(p.err, format+"\n", args...) }

// note says on standard error what a person should know beside the answer.
func (p *printer) note(text string) { p.say("note: %s", printable(text)) }

// warn says a problem on standard error beside the answer.
func (p *printer) warn(e *domain.Error) {
	text := e.Message
	if e.Hint != "" {
		text = strings.TrimRight(text, ".") + ". " + e.Hint
	}
	p.note(text)
}

// fail tells an error: as the document of --json, or as a sentence, its hint and its proof.
func (p *printer) fail(err error) {
	e := domain.AsError(err)
	if p.json && !p.answered {
		p.answered = true
		// The reader is gone if this fails; the exit code still tells.
		_ = p.document(failure{e})
		return
	}
	p.say("error: %s", printable(e.Message))
	if e.Hint != "" {
		p.say("hint: %s", printable(e.Hint))
	}
	if id := e.Args["request_id"]; id != "" && e.Code != domain.CodeUnknownRequest {
		p.say("request: %s, see apollia inbox show %s", printable(id), printable(id))
	}
	if e.Proof != "" {
		p.say("%s", indent(printable(e.Proof), "  "))
	}
}

// failure is the document of a command that failed.
type failure struct {
	Error *domain.Error `json:"error"`
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+by)
}

// fields writes names and values in two columns, leaving out what is empty.
func (p *printer) fields(pairs ...[2]string) {
	widest := 0
	for _, pair := range pairs {
		if pair[1] != "" {
			widest = max(widest, len(pair[0]))
		}
	}
	for _, pair := range pairs {
		if pair[1] != "" {
			p.line("%-*s  %s", widest, pair[0], printable(pair[1]))
		}
	}
}

// sortedKeys are the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// quoted is a word of the person, as they typed it, inside a sentence.
func quoted(word string) string { return strconv.Quote(word) }

// moment is a time as a person at this machine reads it.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Local().Format(time.DateTime)
}
