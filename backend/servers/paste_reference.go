package servers

import (
	"regexp"
	"strings"
)

var (
	// ${env:X} of VS Code and Cursor, {env:X} of opencode, with a fallback or not.
	pasteEnvForm = regexp.MustCompile(`\$?\{env:([A-Za-z_]\w*)(:-[^{}]*)?\}`)
	// ${input:x} of VS Code, ${{ secrets.X }} of Continue, {{env.X}} and {{secret.X}} of our app files.
	pasteNamedForm = regexp.MustCompile(`\$\{input:([\w.-]+)\}|\$?\{\{\s*(?:secrets?|inputs|env)\.([\w.-]+)\s*\}\}`)
	// $X of Gemini CLI: alone or after "Bearer ". Elsewhere a dollar sign is more likely part of a password.
	pasteBareForm = regexp.MustCompile(`^((?:\w+\s)?)\$([A-Za-z_]\w*)$`)
)

// pasteReference writes the references of other programs as ours: ${X}.
func pasteReference(text string) string {
	text = pasteEnvForm.ReplaceAllString(text, "$${$1$2}")
	text = pasteNamedForm.ReplaceAllStringFunc(text, func(form string) string {
		names := pasteNamedForm.FindStringSubmatch(form)
		if names[1] != "" {
			return "${" + pasteVariable(names[1]) + "}"
		}
		return "${" + strings.Map(pasteWordRune, names[2]) + "}"
	})
	text = strings.ReplaceAll(text, "${userHome}", "${HOME}")
	return pasteBareForm.ReplaceAllString(text, "$1$${$2}")
}

func pasteWordRune(r rune) rune {
	if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
		return r
	}
	return '_'
}

// pasteVariable makes the name of a variable from a flag, a header or an id: "--api-key" becomes API_KEY.
func pasteVariable(name string) string {
	name = strings.Trim(strings.Map(pasteWordRune, strings.ToUpper(name)), "_")
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		return strings.TrimSuffix("SECRET_"+name, "_")
	}
	return name
}
