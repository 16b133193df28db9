package pipeline

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
)

// Bounds of what is told of one result. A server wrote it, and agents of other servers read it: nothing in it has room for a
// sentence.
const (
	maxRead   = 1 << 20 // bytes of a result that is read for it at all
	maxIDs    = 10
	maxURLs   = 5
	maxURL    = 300 // bytes
	maxNested = 8
)

// references are those of one result while they are collected.
type references struct {
	domain.Reference
	secret func(name, value string) bool
}

// referencesIn finds identifiers and addresses in a result; none or one.
func referencesIn(call domain.Call, raw json.RawMessage, secret func(name, value string) bool) []domain.Reference {
	if len(raw) > maxRead {
		return nil
	}
	var said struct {
		Structured json.RawMessage `json:"structuredContent"`
		Content    []struct {
			Text     string
			URI      string
			Resource struct{ URI, Text string }
		}
	}
	_ = json.Unmarshal(raw, &said) // what cannot be read is about nothing
	r := references{Reference: domain.Reference{Tool: naming.FQN(call.Target.Server.ID, call.Name)}, secret: secret}
	r.document(said.Structured)
	for _, block := range said.Content {
		for _, text := range []string{block.Text, block.URI, block.Resource.URI, block.Resource.Text} {
			r.document([]byte(text))
			r.addresses(text)
		}
	}
	if len(r.IDs)+len(r.URLs) == 0 {
		return nil
	}
	return []domain.Reference{r.Reference}
}

// document reads what is a JSON document, and passes over what is not.
func (r *references) document(text []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) == nil {
		r.value("", value, maxNested)
	}
}

// value takes what is found in a JSON value: of an object first what it says itself, then what is in it.
func (r *references) value(name string, value any, depth int) {
	if depth == 0 || len(r.IDs) == maxIDs && len(r.URLs) == maxURLs {
		return
	}
	switch v := value.(type) {
	case string:
		r.item(name, v)
		r.addresses(v)
	case json.Number:
		r.item(name, v.String())
	case []any:
		for _, one := range v {
			r.value(name, one, depth-1)
		}
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		nested := func(name string) bool {
			switch v[name].(type) {
			case map[string]any, []any:
				return true
			}
			return false
		}
		for _, deep := range []bool{false, true} {
			for _, name := range names {
				if nested(name) == deep {
					r.value(name, v[name], depth-1)
				}
			}
		}
	}
}

// Names of identifiers, their values, and addresses.
var (
	identifier = regexp.MustCompile(`^(?:(?i:id|ids|iid|uuid|guid|sha|number|slug)|[A-Za-z0-9_-]{1,40}(?:[_-](?i:id|ids|uuid|number)|I[dD]s?))$`)
	plainValue = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:/@#+=~-]{0,99}$`)
	webAddress = regexp.MustCompile(`https?://[^\s"'<>()\[\]{}\\|^` + "`" + `]+`)
	sessionID  = regexp.MustCompile(`(?i)session|auth|access|csrf|nonce|state`)
)

func (r *references) item(name, value string) {
	item := domain.Item{Name: name, Value: value}
	switch {
	case len(r.IDs) == maxIDs, !identifier.MatchString(name), !plainValue.MatchString(value), strings.Contains(value, "://"):
	case sessionID.MatchString(name), r.secret(name, value), slices.Contains(r.IDs, item):
	default:
		r.IDs = append(r.IDs, item)
	}
}

func (r *references) addresses(text string) {
	for _, found := range webAddress.FindAllString(text, 2*maxURLs) {
		address, ok := r.harmless(strings.TrimRight(found, ".,;:!?"))
		if ok && len(r.URLs) < maxURLs && !slices.Contains(r.URLs, address) {
			r.URLs = append(r.URLs, address)
		}
	}
}

// harmless is an address without what may be a secret. One with a secret in its path is none.
func (r *references) harmless(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "", false
	}
	for segment := range strings.SplitSeq(u.Path, "/") {
		if r.secret("", segment) {
			return "", false
		}
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		query = nil
	}
	maps.DeleteFunc(query, func(name string, values []string) bool {
		return sessionID.MatchString(name) || slices.ContainsFunc(values, func(value string) bool { return r.secret(name, value) }) ||
			slices.Contains([]string{"code", "sig", "signature"}, strings.ToLower(name)) || strings.HasPrefix(strings.ToLower(name), "x-amz-")
	})
	u.User, u.Fragment, u.RawFragment, u.RawQuery = nil, "", "", query.Encode()
	address = u.String()
	return address, len(address) <= maxURL
}
