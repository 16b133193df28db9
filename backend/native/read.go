package native

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"
)

// Bounds of what is read of one file.
const (
	usualLines  = 2000
	mostLines   = 10_000
	maxLine     = 32 << 10 // bytes of one line that are shown
	maxWhole    = 3 << 20  // bytes of a file that comes whole
	sniffed     = 8 << 10  // bytes that decide what a file is
	readPortion = 64 << 10 // bytes between two looks at the context
)

type readArguments struct {
	Path   string `json:"path"`
	Offset count  `json:"offset"`
	Limit  count  `json:"limit"`
}

// readFacts say what was read of a text.
type readFacts struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	// FirstLine is counted from 1.
	FirstLine int `json:"first_line"`
	Lines     int `json:"lines"`
	// NextOffset is where to read on; absent at the end.
	NextOffset int `json:"next_offset,omitempty"`
	// CutLines are the lines of which only the beginning is there.
	CutLines []int `json:"cut_lines,omitempty"`
	// Replaced says that bytes that are no UTF-8 were replaced.
	Replaced bool `json:"replaced,omitempty"`
}

func (f *Filesystem) read(ctx context.Context, wanted readArguments) (answer, error) {
	at, err := f.allowed.open(wanted.Path)
	if err != nil {
		return answer{}, err
	}
	defer at.Close()
	file, info, err := at.openFile(at.name)
	if err != nil {
		return answer{}, err
	}
	defer file.Close()
	buffered := bufio.NewReaderSize(file, readPortion)
	start, err := buffered.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return answer{}, at.named(at.name, err)
	}
	if kind := http.DetectContentType(start); isBinary(start) || strings.HasPrefix(kind, "image/") {
		return whole(ctx, at, file, buffered, kind)
	}
	return readText(ctx, buffered, readFacts{
		Path: strings.ToValidUTF8(at.full(at.name), "\uFFFD"), Size: info.Size(), FirstLine: wanted.Offset.within(1, 1<<50),
	}, wanted.Limit.within(usualLines, mostLines))
}

// isBinary takes a file for text unless it has a zero byte early on, as grep does.
func isBinary(start []byte) bool { return bytes.IndexByte(start, 0) >= 0 }

// whole gives a file that cannot be cut.
func whole(ctx context.Context, at *place, file *os.File, buffered *bufio.Reader, kind string) (answer, error) {
	content, err := io.ReadAll(io.LimitReader(&patient{ctx, buffered}, maxWhole+1))
	if err != nil {
		return answer{}, at.named(at.name, err)
	}
	if len(content) > maxWhole {
		size := int64(len(content))
		if info, err := file.Stat(); err == nil {
			size = max(size, info.Size())
		}
		return answer{}, refuse("%s is no text (%s) and has %d bytes, more than the %d that fit into a result.", at.full(at.name), kind, size, maxWhole)
	}
	data := base64.StdEncoding.EncodeToString(content)
	facts := map[string]any{"path": strings.ToValidUTF8(at.full(at.name), "\uFFFD"), "size": len(content), "mime_type": kind}
	family, _, _ := strings.Cut(kind, "/")
	switch family {
	case "image", "audio":
		return answer{blocks: []block{{Type: family, Data: data, MIMEType: kind}}, structured: facts}, nil
	}
	embedded := &resource{URI: addressOf(at.full(at.name)), MIMEType: kind, Blob: data}
	return answer{blocks: []block{{Type: "resource", Resource: embedded}}, structured: facts}, nil
}

// patient is a reader that ends with its context.
type patient struct {
	ctx    context.Context //nolint:containedctx // io.Reader has no room for it; it lives for one call
	reader io.Reader
}

// Read reads unless the context is over.
func (p *patient) Read(into []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.reader.Read(into)
}

func readText(ctx context.Context, reader *bufio.Reader, facts readFacts, limit int) (answer, error) {
	lines := lineReader{ctx: ctx, reader: reader, keep: maxLine}
	for range facts.FirstLine - 1 {
		if _, err := lines.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return answer{}, err
		}
	}
	var text strings.Builder
	for {
		line, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return answer{}, err
		}
		if facts.Lines == limit || text.Len()+len(line.text) > maxAnswer {
			facts.NextOffset = lines.number
			break
		}
		if line.cut() {
			facts.CutLines = append(facts.CutLines, lines.number)
			line.text = append(wholeRunes(line.text), '\n')
		}
		facts.Replaced = facts.Replaced || !utf8.Valid(line.text)
		text.Write(line.text)
		facts.Lines++
	}
	if facts.Lines == 0 && facts.FirstLine > 1 {
		return answer{}, refuse("%s has only %d lines, so there is none from line %d on.", facts.Path, lines.number, facts.FirstLine)
	}
	return say(text.String(), facts, facts.notes()...), nil
}

// wholeRunes drops a character that was cut in two at the end.
func wholeRunes(text []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-i]
			}
			break
		}
	}
	return text
}

func (f readFacts) notes() []string {
	var notes []string
	if f.NextOffset > 0 {
		notes = append(notes, fmt.Sprintf("[There is more: these are the lines %d to %d. Read on with offset %d.]", f.FirstLine, f.NextOffset-1, f.NextOffset))
	}
	if len(f.CutLines) > 0 {
		notes = append(notes, fmt.Sprintf("[Of %d lines only the first %d bytes are shown; the first of them is line %d.]",
			len(f.CutLines), maxLine, f.CutLines[0]))
	}
	if f.Replaced {
		notes = append(notes, "[Bytes that are no UTF-8 were replaced by \uFFFD.]")
	}
	return notes
}

// lineReader reads lines of any length in bounded memory.
type lineReader struct {
	ctx    context.Context //nolint:containedctx // as for patient
	reader *bufio.Reader
	keep   int
	// number is that of the last line, counted from 1; bytes is how many were read in all.
	number int
	bytes  int64
}

// line is the beginning of one line, with its end of line unless it was cut.
type line struct {
	text []byte
	size int
}

func (l line) cut() bool { return len(l.text) < l.size }

// next gives the next line, io.EOF after the last. The text is the caller's.
func (r *lineReader) next() (line, error) {
	var found line
	for {
		if err := r.ctx.Err(); err != nil {
			return line{}, err
		}
		part, err := r.reader.ReadSlice('\n')
		found.size += len(part)
		r.bytes += int64(len(part))
		found.text = append(found.text, part[:min(len(part), r.keep-len(found.text))]...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && found.size > 0, err == nil:
			r.number++
			return found, nil
		default:
			return line{}, err
		}
	}
}
