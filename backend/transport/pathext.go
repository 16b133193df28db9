package transport

import (
	"errors"
	"io/fs"
	"strings"
)

const defaultPathExt = ".COM;.EXE;.BAT;.CMD"

// findWindows finds a program as a Windows shell does: with a separator relative to cwd, else along path, and with
// each extension of pathext when the name has none of them. It only looks through exists, so that it can be tested
// anywhere.
func findWindows(command, cwd, path, pathext string, exists func(string) bool) (string, error) {
	if command == "" {
		return "", fs.ErrNotExist
	}
	extensions := splitPathExt(pathext)
	if strings.ContainsAny(command, `\/:`) {
		return firstExisting(joinWindows(cwd, command), extensions, exists)
	}
	for dir := range strings.SplitSeq(path, ";") {
		dir = strings.Trim(dir, `" `)
		if !isAbsWindows(dir) {
			continue
		}
		if file, err := firstExisting(joinWindows(dir, command), extensions, exists); err == nil {
			return file, nil
		}
	}
	return "", fs.ErrNotExist
}

func splitPathExt(pathext string) []string {
	if strings.TrimSpace(pathext) == "" {
		pathext = defaultPathExt
	}
	var extensions []string
	for extension := range strings.SplitSeq(strings.ToLower(pathext), ";") {
		extension = strings.TrimSpace(extension)
		if extension == "" {
			continue
		}
		if extension[0] != '.' {
			extension = "." + extension
		}
		extensions = append(extensions, extension)
	}
	return extensions
}

func firstExisting(file string, extensions []string, exists func(string) bool) (string, error) {
	if hasExtension(file, extensions) && exists(file) {
		return file, nil
	}
	for _, extension := range extensions {
		if exists(file + extension) {
			return file + extension, nil
		}
	}
	return "", fs.ErrNotExist
}

func hasExtension(file string, extensions []string) bool {
	lower := strings.ToLower(file)
	for _, extension := range extensions {
		if strings.HasSuffix(lower, extension) {
			return true
		}
	}
	return false
}

func isAbsWindows(file string) bool {
	return len(file) >= 3 && file[1] == ':' && (file[2] == '\\' || file[2] == '/') || strings.HasPrefix(file, `\\`)
}

func joinWindows(dir, file string) string {
	if isAbsWindows(file) || dir == "" {
		return file
	}
	return strings.TrimRight(dir, `\/`) + `\` + strings.TrimPrefix(strings.TrimPrefix(file, `.\`), "./")
}

// errUnquotable is given for an argument that no quoting gets through cmd.exe unchanged.
var errUnquotable = errors.New("a line break cannot be passed to a batch file")

// isBatch reports whether Windows runs the file through cmd.exe, which has quoting rules of its own.
func isBatch(file string) bool {
	return hasExtension(file, []string{".bat", ".cmd"})
}

// windowsCommandLine builds the command line that starts file with args: as the C runtime reads it for a program,
// and for a batch file as cmd.exe reads it first and the program behind it (npx.cmd hands on %*) after.
func windowsCommandLine(comspec, file string, args []string) (string, error) {
	if !isBatch(file) {
		words := []string{quoteC(file)}
		for _, arg := range args {
			words = append(words, quoteC(arg))
		}
		return strings.Join(words, " "), nil
	}
	words := []string{`"` + file + `"`}
	for _, arg := range args {
		if strings.ContainsAny(arg, "\r\n\x00") {
			return "", errUnquotable
		}
		words = append(words, quoteBatch(arg))
	}
	// /d skips AutoRun, /s strips exactly the outer quotes, /v:off keeps "!" as it is.
	return quoteC(comspec) + ` /d /v:off /s /c "` + strings.Join(words, " ") + `"`, nil
}

// quoteC quotes one argument for CommandLineToArgvW: backslashes double only in front of a quote.
func quoteC(arg string) string {
	if arg != "" && !strings.ContainsAny(arg, " \t\n\v\"") {
		return arg
	}
	var b strings.Builder
	b.WriteByte('"')
	backslashes := 0
	for i := range len(arg) {
		switch c := arg[i]; c {
		case '\\':
			backslashes++
			continue
		case '"':
			b.WriteString(strings.Repeat(`\`, 2*backslashes+1))
		default:
			b.WriteString(strings.Repeat(`\`, backslashes))
		}
		backslashes = 0
		b.WriteByte(arg[i])
	}
	b.WriteString(strings.Repeat(`\`, 2*backslashes))
	b.WriteByte('"')
	return b.String()
}

// quoteBatch quotes one argument for cmd.exe. Inside quotes its operators are plain text; a quote is doubled, which
// both cmd.exe and the C runtime read as one; and %cd:~,% expands to nothing, which keeps "%NAME%" from expanding.
func quoteBatch(arg string) string {
	var b strings.Builder
	b.WriteByte('"')
	backslashes := 0
	for i := range len(arg) {
		c := arg[i]
		if c == '\\' {
			backslashes++
			b.WriteByte(c)
			continue
		}
		switch c {
		case '"':
			b.WriteString(strings.Repeat(`\`, backslashes) + `""`)
		case '%':
			b.WriteString("%%cd:~,%")
		default:
			b.WriteByte(c)
		}
		backslashes = 0
	}
	b.WriteString(strings.Repeat(`\`, backslashes) + `"`)
	return b.String()
}
