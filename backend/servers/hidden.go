package servers

import (
	"slices"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
)

// hidden stands in a view for a value that is not shown.
const hidden = "[secret]"

// withoutSecrets is a definition as it is shown: a value that stands in config.toml in clear, and looks like a secret, is
// left out.
func withoutSecrets(d domain.Definition) domain.Definition {
	d = LiftSecrets(d)
	for _, variables := range d.Variables() {
		for i := range variables {
			if v := &variables[i]; v.Secret && !config.HasReference(v.Value) {
				v.Value = hidden
			}
		}
	}
	return d
}

// withSecrets puts back what withoutSecrets left out of from, in a definition that is a copy of it. CodeInvalidInput when
// there is a value that from does not have.
func (s *Service) withSecrets(d domain.Definition, from string) (domain.Definition, error) {
	left := func(v domain.Variable) bool { return v.Value == hidden }
	if !slices.ContainsFunc(slices.Concat(d.Variables()...), left) {
		return d, nil
	}
	var original domain.Definition
	if from != "" {
		server, err := s.find(from)
		if err != nil {
			return d, err
		}
		original = LiftSecrets(server.Definition)
	}
	d = d.Clone()
	if original.Auth == nil {
		original.Auth = &domain.Auth{}
	}
	originals := original.Variables()
	for i, variables := range d.Variables() {
		if err := fillIn(variables, originals[i], left); err != nil {
			return d, err
		}
	}
	return d, nil
}

func fillIn(variables, originals []domain.Variable, left func(domain.Variable) bool) error {
	for i, v := range variables {
		if !left(v) {
			continue
		}
		at := slices.IndexFunc(originals, func(o domain.Variable) bool { return o.Name == v.Name })
		if at < 0 {
			return invalid("value_left_out", "the value of "+v.Name+" was left out", "Give it again here.").With("name", v.Name)
		}
		variables[i].Value = originals[at].Value
	}
	return nil
}
