package config

import (
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// MoveSecrets puts another reference in the place of each ${secret:SERVER_ID/KEY} of a definition. move gets
// SERVER_ID/KEY and gives the whole new reference; its error ends the work. Everything else stays as it is.
// CodeConfigInvalid for a template that cannot be read.
func MoveSecrets(d domain.Definition, move func(ref string) (string, error)) (domain.Definition, error) {
	fields, err := fieldsOf(&d)
	if err != nil {
		return domain.Definition{}, err
	}
	for _, f := range fields {
		if !f.template.holdsSecret() {
			continue
		}
		text, err := f.template.moved(move)
		if err != nil {
			return domain.Definition{}, err
		}
		f.set(text, f.secret)
	}
	return d, nil
}

func (t template) holdsSecret() bool {
	for _, p := range t {
		if p.secret {
			return true
		}
	}
	return false
}

func (t template) moved(move func(ref string) (string, error)) (string, error) {
	var b strings.Builder
	for _, p := range t {
		text := p.String()
		if p.secret {
			var err error
			if text, err = move(p.name); err != nil {
				return "", err
			}
		}
		b.WriteString(text)
	}
	return b.String(), nil
}

// String writes the piece as it is read.
func (p piece) String() string {
	switch {
	case p.name == "":
		return strings.ReplaceAll(p.literal, "${", "$${")
	case p.secret:
		return "${secret:" + p.name + "}"
	case p.hasFallback:
		return "${" + p.name + ":-" + p.fallback + "}"
	default:
		return "${" + p.name + "}"
	}
}
