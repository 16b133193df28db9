package httpauth

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// ParamMetadata is the parameter of a challenge that says where the metadata of the server is (RFC 9728 section 5.1).
const ParamMetadata = "resource_metadata"

// maxChallenges bounds how many challenges of one answer are read, and how many parameters of one.
const maxChallenges = 16

// Challenge is one way in which a server wants to be spoken to (RFC 9110 section 11.6.1).
type Challenge struct {
	// Scheme is in lower case, such as "bearer" or "dpop".
	Scheme string
	// Params are by name in lower case; of a name that comes twice the first counts.
	Params map[string]string
}

// ParseChallenges reads the values of WWW-Authenticate. What cannot be read ends the challenge that it is part of; what
// was read before counts.
func ParseChallenges(values []string) []Challenge {
	var all []Challenge
	for _, value := range values {
		p := challengeParser{rest: value}
		for len(all) < maxChallenges {
			c, ok := p.challenge()
			if !ok {
				break
			}
			all = append(all, c)
		}
	}
	return all
}

// Missing are the scopes that a token lacks for what was asked (RFC 6750 section 3.1), as far as they are named; missing
// tells whether that is what the challenge says.
func (c Challenge) Missing() (scopes []string, missing bool) {
	if c.Params["error"] != "insufficient_scope" {
		return nil, false
	}
	return ScopesOf(c.Params["scope"]), true
}

// Without is the challenge but for one parameter.
func (c Challenge) Without(name string) Challenge {
	c.Params = maps.Clone(c.Params)
	delete(c.Params, name)
	return c
}

// With is the challenge with one more parameter.
func (c Challenge) With(name, value string) Challenge {
	params := make(map[string]string, len(c.Params)+1)
	maps.Copy(params, c.Params)
	params[name] = value
	c.Params = params
	return c
}

// ChallengeOf is what an answer says about OAuth: by the first challenge of DPoP where there is one, else of Bearer. What only
// the other one says holds too (RFC 9449 section 7.2).
func ChallengeOf(h http.Header) Challenge {
	var found [2]Challenge
	for _, c := range ParseChallenges(h.Values("WWW-Authenticate")) {
		if i := slices.Index([]string{"dpop", "bearer"}, c.Scheme); i >= 0 && found[i].Scheme == "" {
			found[i] = c
		}
	}
	proof, bearer := found[0], found[1]
	if proof.Scheme == "" {
		return bearer
	}
	all := maps.Clone(bearer.Params)
	if all == nil {
		return proof
	}
	maps.Copy(all, proof.Params)
	return Challenge{Scheme: proof.Scheme, Params: all}
}

type challengeParser struct{ rest string }

// challenge reads a scheme and its parameters. A word that is followed by "=" is a parameter, any other begins the next
// challenge.
func (p *challengeParser) challenge() (Challenge, bool) {
	p.skip(", \t")
	scheme := p.token()
	if scheme == "" {
		return Challenge{}, false
	}
	c := Challenge{Scheme: strings.ToLower(scheme), Params: map[string]string{}}
	for len(c.Params) < maxChallenges {
		before := p.rest
		p.skip(", \t")
		name := strings.ToLower(p.token())
		p.skip(" \t")
		if name == "" || !strings.HasPrefix(p.rest, "=") {
			p.rest = before
			return c, true
		}
		p.rest = p.rest[1:]
		p.skip(" \t")
		value, ok := p.value()
		if !ok {
			p.rest = ""
			return c, true
		}
		if _, twice := c.Params[name]; !twice {
			c.Params[name] = value
		}
	}
	return c, true
}

func (p *challengeParser) skip(set string) { p.rest = strings.TrimLeft(p.rest, set) }

// token reads a token of RFC 9110 section 5.6.2, and the characters that token68 has besides.
func (p *challengeParser) token() string {
	end := strings.IndexFunc(p.rest, func(r rune) bool { return !inToken(r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func inToken(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~/:", r)
}

// value reads a token or a quoted string. Servers send addresses without quotes too, and nothing at all, so that more than a
// token is taken.
func (p *challengeParser) value() (string, bool) {
	if !strings.HasPrefix(p.rest, `"`) {
		end := strings.IndexAny(p.rest, ", \t")
		if end < 0 {
			end = len(p.rest)
		}
		word := p.rest[:end]
		p.rest = p.rest[end:]
		return word, true
	}
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; c {
		case '"':
			p.rest = p.rest[i+1:]
			return b.String(), true
		case '\\':
			i++
			if i == len(p.rest) {
				return "", false
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
