package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/syntax"
)

// setupText is what a person needs to judge an entry of config.toml: what it starts, beside what it started before.
func setupText(r domain.Request, server servers.View) string {
	var change domain.SetupChange
	if json.Unmarshal(r.Params, &change) != nil {
		return "Request " + r.ID + ": config.toml starts something else for " + oneLine(nameOf(r, server)) + "\n" +
			indent(printable(string(r.Params)), "    ")
	}
	after := setupLines(change.After)
	head := "Request " + r.ID + ": config.toml has a new server, " + oneLine(nameOf(r, server)) + ", which does not run before it is confirmed"
	var before []setupLine
	if change.Before != nil {
		head = "Request " + r.ID + ": config.toml starts something else for " + oneLine(nameOf(r, server)) + ", which was stopped"
		before = setupLines(*change.Before)
	}
	lines := []string{head}
	for i, line := range after {
		label := "  " + (line.name + strings.Repeat(" ", 12))[:12]
		if change.Before != nil && before[i].value != line.value {
			lines = append(lines, "- "+label[2:]+allSpaces(before[i].value), "+ "+label[2:]+allSpaces(line.value))
		} else if line.value != "" {
			lines = append(lines, label+allSpaces(line.value))
		}
	}
	if change.Before != nil && slices.Equal(before, after) {
		lines = append(lines, "  Only a value that is not shown changed.")
	}
	return strings.Join(lines, "\n")
}

// allSpaces is text on a single line, with every space of it: two setups that differ must not look the same.
func allSpaces(text string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(printable(text))
}

type setupLine struct{ name, value string }

// setupLines are the parts of a setup, always the same ones in the same order.
func setupLines(s domain.Setup) []setupLine {
	inherits := ""
	if s.InheritEnv {
		inherits = "the whole environment"
	}
	runs := ""
	if s.Command != "" {
		runs = syntax.ShellLine(append([]string{s.Command}, s.Args...)...)
	}
	return []setupLine{
		{"transport", string(s.Transport)},
		{"runs", runs},
		{"in", s.Cwd},
		{"reaches", s.URL},
		{"variables", strings.Join(s.Env, ", ")},
		{"inherits", inherits},
		{"headers", strings.Join(s.Headers, ", ")},
		{"signs in", strings.Join(s.SignIn, ", ")},
	}
}
