package cli

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// authTexts are the fields of a sign-in that are texts, by their names.
func authTexts(a *domain.Auth) map[string]*string {
	texts := a.Texts()
	texts["provider"], texts["env_token_var"], texts["signing_alg"] = &a.Provider, &a.EnvTokenVar, &a.SigningAlg
	return texts
}

// authPlace finds a field of the sign-in. To set one makes the sign-in; to take the last one away leaves the sign-in,
// which then discovers everything. "auth" alone takes all of it away.
func authPlace(d *domain.Definition, flag, name string) (place, error) {
	had := d.Auth != nil
	a := d.Auth
	if a == nil {
		a = &domain.Auth{Type: domain.AuthOAuth}
	}
	set := func(field func(value string) error) func(string, bool) error {
		return func(value string, _ bool) error {
			d.Auth = a
			return field(value)
		}
	}
	text := func(at *string) place {
		return place{
			set:   set(func(value string) error { *at = value; return nil }),
			unset: func() bool { was := *at != ""; *at = ""; return was },
		}
	}
	if at := authTexts(a)[name]; at != nil {
		return text(at), nil
	}
	if slices.Contains(domain.AuthSecrets(), name) {
		p := variablePlace(&a.Secrets, name)
		return place{set: set(func(value string) error { return p.set(value, true) }), unset: p.unset}, nil
	}
	switch name {
	case "":
		return place{
			set:   set(func(value string) error { a.Type = value; return nil }),
			unset: func() bool { d.Auth = nil; return had },
		}, nil
	case "grant":
		return text((*string)(&a.Grant)), nil
	case "scopes":
		return place{
			set:   set(func(value string) error { a.Scopes = strings.Fields(strings.ReplaceAll(value, ",", " ")); return nil }),
			unset: func() bool { was := len(a.Scopes) > 0; a.Scopes = nil; return was },
		}, nil
	case "pkce":
		return place{
			set:   set(func(value string) error { return flagValue(flag, "auth.pkce", value, func(on bool) { a.PKCE = &on }) }),
			unset: func() bool { was := a.PKCE != nil; a.PKCE = nil; return was },
		}, nil
	case "dpop":
		return place{
			set:   set(func(value string) error { return flagValue(flag, "auth.dpop", value, func(on bool) { a.DPoP = on }) }),
			unset: func() bool { was := a.DPoP; a.DPoP = false; return was },
		}, nil
	}
	return place{}, invalidFlag(flag, quoted("auth."+name)+" is no part of a sign-in", "The parts are: "+strings.Join(authNames(), ", ")+".")
}

func flagValue(flag, key, value string, set func(bool)) error {
	on, err := strconv.ParseBool(value)
	if err != nil {
		return invalidFlag(flag, key+" is true or false, not "+quoted(value), "Write "+key+"=false.")
	}
	set(on)
	return nil
}

func authNames() []string {
	names := append(slices.Collect(maps.Keys(authTexts(&domain.Auth{}))), domain.AuthSecrets()...)
	names = append(names, "grant", "scopes", "pkce", "dpop")
	slices.Sort(names)
	return names
}

// authValues are what is set of a sign-in.
func authValues(a *domain.Auth) []configValue {
	if a == nil {
		return nil
	}
	values := []configValue{{Key: "auth", Value: a.Type}}
	add := func(name, value string) {
		if value != "" {
			values = append(values, configValue{Key: "auth." + name, Value: value})
		}
	}
	texts := authTexts(a)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		add(name, *texts[name])
	}
	add("grant", string(a.Grant))
	add("scopes", strings.Join(a.Scopes, ","))
	if a.PKCE != nil {
		add("pkce", strconv.FormatBool(*a.PKCE))
	}
	if a.DPoP {
		add("dpop", "true")
	}
	for _, v := range a.Secrets {
		values = append(values, configValue{Key: "auth." + v.Name, Secret: true})
	}
	return values
}
