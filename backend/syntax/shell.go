package syntax

import (
	"bytes"
	"errors"
	"regexp"
	"strings"

	shell "mvdan.cc/sh/v3/syntax"
)

// maxShell is the longest text that is read as commands, in bytes: what every system accepts as one command line.
const maxShell = 32 << 10

// Assignment is NAME=value before a command, or one that an earlier line exported.
type Assignment struct {
	Name, Value string
}

// Command is one simple command of a shell text. It is only read: nothing is run or looked up. A variable stands in
// words and values as ${NAME}.
type Command struct {
	Position
	Env   []Assignment
	Words []string
	// Dir is the folder that a "cd" before the command went to.
	Dir string
}

// ParseShell reads the commands of a text as a POSIX shell would, with two liberties: backslashes of Windows paths stay,
// and the line ends of cmd (^) and PowerShell (`) continue a line. A failure is an *Error; so is everything but simple
// commands, one after another: what is inside a pipe or a substitution cannot be known without running it.
func ParseShell(b []byte) ([]Command, error) {
	src, err := newSource(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")))
	if err != nil {
		return nil, err
	}
	if len(src.text) > maxShell {
		return nil, &Error{Position{1, 1}, "this is too long for a command line"}
	}
	if err := src.checkDepth("({", ")}"); err != nil {
		return nil, err
	}
	src.text = continuation.ReplaceAll(src.text, []byte("$1\\\n"))
	file, err := shell.NewParser(shell.Variant(shell.LangBash)).Parse(bytes.NewReader(src.text), "")
	if err != nil {
		return nil, src.shellError(err)
	}
	r := &shellReader{src: src, windows: windowsPath.Match(src.text)}
	for _, stmt := range file.Stmts {
		if err := r.statement(stmt); err != nil {
			return nil, err
		}
	}
	return r.commands, nil
}

var (
	continuation = regexp.MustCompile("([ \t])[\\^`]\n")
	plainParam   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	foreignParam = regexp.MustCompile(`^\$\{(env|input|secret):[\w./-]+\}$`) // forms of other programs' files
	windowsPath  = regexp.MustCompile(`(^|[\s"'=])([A-Za-z]:|\\|\.{1,2}|%\w+%)\\[^\s\\]`)
)

func (s *source) shellError(err error) error {
	if parse, ok := errors.AsType[shell.ParseError](err); ok {
		return s.errorAt(int(parse.Pos.Offset()), "%s", parse.Text)
	}
	if language, ok := errors.AsType[shell.LangError](err); ok {
		return s.errorAt(int(language.Pos.Offset()), "%s cannot be read", language.Feature)
	}
	return &Error{Position{1, 1}, err.Error()}
}

type shellReader struct {
	src      *source
	windows  bool
	env      []Assignment // what earlier lines set
	dir      string
	commands []Command
}

func (r *shellReader) fail(at shell.Pos, message string) error {
	return r.src.errorAt(int(at.Offset()), "%s", message)
}

func (r *shellReader) statement(stmt *shell.Stmt) error {
	if len(stmt.Redirs) > 0 {
		return r.fail(stmt.Redirs[0].Pos(), "only plain commands can be read, without redirections")
	}
	if stmt.Background || stmt.Negated || stmt.Coprocess {
		return r.fail(stmt.Pos(), "only plain commands can be read")
	}
	switch cmd := stmt.Cmd.(type) {
	case *shell.CallExpr:
		return r.call(cmd)
	case *shell.DeclClause:
		return r.export(cmd)
	case *shell.BinaryCmd:
		if cmd.Op != shell.AndStmt {
			return r.fail(cmd.OpPos, "only plain commands can be read, without pipes and alternatives")
		}
		if err := r.statement(cmd.X); err != nil {
			return err
		}
		return r.statement(cmd.Y)
	}
	return r.fail(stmt.Pos(), "only plain commands can be read")
}

func (r *shellReader) export(cmd *shell.DeclClause) error {
	if cmd.Variant.Value != "export" {
		return r.fail(cmd.Pos(), "only plain commands can be read")
	}
	env, err := r.assignments(cmd.Args)
	r.env = append(r.env, env...)
	return err
}

func (r *shellReader) call(call *shell.CallExpr) error {
	env, err := r.assignments(call.Assigns)
	if err != nil {
		return err
	}
	words := make([]string, 0, len(call.Args))
	for _, arg := range call.Args {
		word, err := r.word(arg.Parts, false)
		if err != nil {
			return err
		}
		words = append(words, word)
	}
	switch {
	case len(words) == 0:
		r.env = append(r.env, env...)
	case words[0] == "cd" && len(words) == 2:
		r.dir = words[1]
	default:
		all := append(append([]Assignment{}, r.env...), env...)
		at := r.src.position(int(call.Pos().Offset()))
		r.commands = append(r.commands, Command{Position: at, Env: all, Words: words, Dir: r.dir})
	}
	return nil
}

func (r *shellReader) assignments(assigns []*shell.Assign) ([]Assignment, error) {
	var env []Assignment
	for _, a := range assigns {
		if a.Name == nil || a.Append || a.Index != nil || a.Array != nil {
			return nil, r.fail(a.Pos(), "only NAME=value can be read here")
		}
		if a.Naked {
			continue // "export NAME" passes on what is set anyway
		}
		value := ""
		if a.Value != nil {
			var err error
			if value, err = r.word(a.Value.Parts, false); err != nil {
				return nil, err
			}
		}
		env = append(env, Assignment{a.Name.Value, value})
	}
	return env, nil
}

// word joins the parts of a word as the shell would, with variables left as references.
func (r *shellReader) word(parts []shell.WordPart, quoted bool) (string, error) {
	var b strings.Builder
	for i, part := range parts {
		switch p := part.(type) {
		case *shell.Lit:
			b.WriteString(r.literal(p.Value, quoted, i == 0))
		case *shell.SglQuoted:
			if p.Dollar {
				return "", r.fail(p.Pos(), "text in $'…' cannot be read; use plain quotes")
			}
			b.WriteString(p.Value)
		case *shell.DblQuoted:
			inside, err := r.word(p.Parts, true)
			if err != nil {
				return "", err
			}
			b.WriteString(inside)
		case *shell.ParamExp:
			reference, err := r.reference(p)
			if err != nil {
				return "", err
			}
			b.WriteString(reference)
		default:
			return "", r.fail(part.Pos(), "what is computed inside a command is never run; write its result")
		}
	}
	return b.String(), nil
}

// literal removes escapes: of any character outside quotes, of the four that are special inside double quotes.
func (r *shellReader) literal(text string, quoted, first bool) string {
	if !quoted && first && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = "${HOME}" + text[1:]
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && r.escapes(text[i+1], quoted) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func (r *shellReader) escapes(next byte, quoted bool) bool {
	special := strings.IndexByte("$`\"\\", next) >= 0
	if r.windows {
		return special && next != '\\'
	}
	return special || !quoted
}

func (r *shellReader) reference(p *shell.ParamExp) (string, error) {
	raw := r.src.text[p.Pos().Offset():p.End().Offset()]
	switch {
	case p.Exp != nil && p.Exp.Op == shell.DefaultUnsetOrNull && plainParam.MatchString(p.Param.Value):
		fallback := ""
		if p.Exp.Word != nil {
			var err error
			if fallback, err = r.word(p.Exp.Word.Parts, true); err != nil {
				return "", err
			}
		}
		return "${" + p.Param.Value + ":-" + fallback + "}", nil
	case foreignParam.Match(raw):
		return string(raw), nil
	case p.Exp == nil && p.Param != nil && plainParam.MatchString(strings.Trim(string(raw), "${}")):
		return "${" + p.Param.Value + "}", nil
	}
	return "", r.fail(p.Pos(), "only ${NAME} and ${NAME:-fallback} can be read")
}
