package oauth

import (
	"bytes"
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// answer brings the answer of a token endpoint into the form of RFC 6749 section 5.1, which x/oauth2 reads by the letter: a
// JSON object with the person's own token at the top and a whole number of seconds. People see its words, so that secrets in
// them are hidden. What is nothing of the kind stays.
func (s style) answer(resp *http.Response, body []byte, hide *strings.Replacer) []byte {
	members := membersOf(resp.Header.Get("Content-Type"), body)
	if members == nil {
		return body
	}
	var own map[string]json.RawMessage
	if s.Nested != "" && json.Unmarshal(members[s.Nested], &own) == nil && own["access_token"] != nil {
		maps.Copy(members, own)
	}
	if life, said := members["expires_in"]; said {
		seconds, err := strconv.ParseFloat(strings.Trim(string(life), `"`), 64)
		if err != nil || !(seconds >= 1 && seconds <= maxLifetime.Seconds()) { // not a number is neither
			delete(members, "expires_in")
		} else {
			members["expires_in"] = strconv.AppendInt(nil, int64(seconds), 10)
		}
	}
	for name, said := range members {
		var text string
		if !strings.HasPrefix(strings.ToLower(name), "error") || json.Unmarshal(said, &text) != nil {
			continue
		}
		if hidden, err := json.Marshal(hide.Replace(text)); err == nil {
			members[name] = hidden
		}
	}
	raw, err := json.Marshal(members)
	if err != nil {
		return body
	}
	resp.Header.Set("Content-Type", "application/json")
	return raw
}

// membersOf reads an object, or a form as some servers send it. Some call their JSON plain text.
func membersOf(kind string, body []byte) map[string]json.RawMessage {
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		var members map[string]json.RawMessage
		if json.Unmarshal(body, &members) != nil {
			return nil
		}
		return members
	}
	media, _, _ := mime.ParseMediaType(kind) // without one, it is no form
	if media != "application/x-www-form-urlencoded" && media != "text/plain" {
		return nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil
	}
	members := make(map[string]json.RawMessage, len(form))
	for name := range form {
		if text, err := json.Marshal(form.Get(name)); err == nil {
			members[name] = text
		}
	}
	return members
}
