package servers

import (
	"encoding/base64"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
)

var (
	// Prefixes that issuers of keys use so that leaked ones can be recognised, and the schemes of HTTP authentication.
	knownSecret = regexp.MustCompile(`^(?:gh[opusr]_|github_pat_|glpat-|xox[a-z]-|sk[-_]|rk[-_]|pk_live_|ntn_|secret_|lin_api_|hf_|npm_|figd_|` +
		`dop_v1_|shpat_|pat-|SG\.|AKIA|AIza)[\w.-]{8,}$|^eyJ[\w-]+\.eyJ|^(?i:bearer|basic|token)\s+\S{4,}$`)
	secretWord = regexp.MustCompile(`^(?:auth|authorization|bearer|credentials?|cookie|passphrase|pwd|pat|apikey)$|(?:key|token|secret|password|passwd)$`)
	// A name that ends so says where or what a secret is, and does not hold one.
	aboutSecret = regexp.MustCompile(`^(?:file|path|dir|folder|url|uri|id|name|mode|type|method|ttl|timeout|header|prefix|env|var|` +
		`endpoint|expiry|enabled|region|algorithm)$`)
	notSecret = regexp.MustCompile(`^(?i:true|false|yes|no|on|off|none|null)$`)
	wordEdge  = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// LooksSecret reports whether a value must go to the secret store: by the name it is given under, by a known prefix, or
// because it is an address with a password. A value that refers to a variable or a secret is none itself.
func LooksSecret(name, value string) bool {
	value = strings.TrimSpace(value)
	if value == "" || config.HasReference(value) || notSecret.MatchString(value) {
		return false
	}
	if knownSecret.MatchString(value) || holdsPassword(value) {
		return true
	}
	words := nameWords(name)
	if len(words) == 0 || aboutSecret.MatchString(words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words, secretWord.MatchString)
}

func holdsPassword(value string) bool {
	if !strings.Contains(value, "://") {
		return false
	}
	u, err := url.Parse(value)
	if err != nil || u.User == nil {
		return false
	}
	password, ok := u.User.Password()
	return ok && password != ""
}

// nameWords splits API_KEY, x-api-key and apiKey into lower-case words.
func nameWords(name string) []string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && unicode.IsLower(runes[i-1]) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(wordEdge.ReplaceAllString(b.String(), " "))
}

// LiftSecrets marks the variables and headers that look like secrets, and moves those in arguments and in the address
// into variables, so that a ${NAME} stands in their place and the value can go to the secret store.
func LiftSecrets(d domain.Definition) domain.Definition {
	d = d.Clone()
	for _, variables := range d.Variables() {
		for i := range variables {
			v := &variables[i]
			v.Secret = v.Secret || LooksSecret(v.Name, v.Value)
		}
	}
	if d.Auth != nil {
		for i := range d.Auth.Secrets {
			d.Auth.Secrets[i].Secret = true
		}
	}
	liftArguments(&d)
	liftAddress(&d)
	return d
}

// lift adds a secret variable and returns the reference to it.
func lift(d *domain.Definition, name, value string) string {
	name = pasteVariable(name)
	if name == "PWD" {
		name = "SECRET_PWD" // PWD is where a program believes to be
	}
	taken := make(map[string]int, len(d.Env))
	for i, v := range d.Env {
		taken[v.Name] = i
	}
	for n := 1; ; n++ {
		unique := name
		if n > 1 {
			unique += "_" + strconv.Itoa(n)
		}
		at, ok := taken[unique]
		if !ok {
			d.Env = append(d.Env, domain.Variable{Name: unique, Value: value, Secret: true})
			return "${" + unique + "}"
		}
		if d.Env[at].Value == value {
			d.Env[at].Secret = true
			return "${" + unique + "}"
		}
	}
}

// liftArguments finds "--token x", "--token=x", "TOKEN=x", "Authorization: x" and values that are secrets by themselves.
func liftArguments(d *domain.Definition) {
	for i, arg := range d.Args {
		if name, value, ok := strings.Cut(arg, "="); ok && !strings.ContainsAny(name, " /:") && LooksSecret(name, value) {
			d.Args[i] = name + "=" + lift(d, name, value)
			continue
		}
		if name, value, ok := strings.Cut(arg, ":"); ok && !strings.HasPrefix(value, "//") && wordEdge.ReplaceAllString(name, "") != "" &&
			!strings.ContainsAny(name, ` /\`) && LooksSecret(name, value) {
			trimmed := strings.TrimLeft(value, " ")
			d.Args[i] = name + ":" + value[:len(value)-len(trimmed)] + lift(d, name, trimmed)
			continue
		}
		flag := ""
		if i > 0 && strings.HasPrefix(d.Args[i-1], "-") && !strings.Contains(d.Args[i-1], "=") {
			flag = d.Args[i-1]
		}
		if !strings.HasPrefix(arg, "-") && LooksSecret(flag, arg) {
			d.Args[i] = lift(d, flag, arg)
		}
	}
}

// liftAddress moves a password before the host into a header, and secrets of the path and the query into variables. The
// rest of the address keeps every character.
func liftAddress(d *domain.Definition) {
	u, err := url.Parse(d.URL)
	if err != nil || d.URL == "" {
		return
	}
	if u.User != nil {
		liftUser(d, u)
	}
	base, query, hasQuery := strings.Cut(d.URL, "?")
	segments := strings.Split(base, "/")
	for i := 3; i < len(segments); i++ { // after "https:", "" and the host
		if LooksSecret("", segments[i]) {
			segments[i] = lift(d, "url_secret", segments[i])
		}
	}
	d.URL = strings.Join(segments, "/")
	if !hasQuery {
		return
	}
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok && LooksSecret(name, value) {
			pairs[i] = name + "=" + lift(d, name, value)
		}
	}
	d.URL += "?" + strings.Join(pairs, "&")
}

// liftUser writes the user and password of an address as the header they stand for (RFC 7617), unless there is one.
func liftUser(d *domain.Definition, u *url.URL) {
	password, _ := u.User.Password()
	if config.HasReference(d.URL) && config.HasReference(u.User.Username()+password) {
		return // only known once its variables are filled in
	}
	has := slices.ContainsFunc(d.Headers, func(h domain.Variable) bool { return strings.EqualFold(h.Name, "Authorization") })
	if !has {
		credentials := base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password))
		d.Headers = append(d.Headers, domain.Variable{Name: "Authorization", Value: "Basic " + credentials, Secret: true})
	}
	scheme, rest, _ := strings.Cut(d.URL, "://")
	end := len(rest)
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		end = at
	}
	if at := strings.LastIndex(rest[:end], "@"); at >= 0 {
		d.URL = scheme + "://" + rest[at+1:]
	}
}
