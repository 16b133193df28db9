package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
)

// tool is what a model needs to know of one of MCP's tools. What it does not say, such as the shape of the answer and
// the annotations, is for those who run it.
type tool struct {
	Name        string                     `json:"name"`
	Description string                     `json:"description"`
	InputSchema map[string]json.RawMessage `json:"inputSchema"`
}

func (t tool) chat(where string, names toolNames) (chatTool, error) {
	if t.Name == "" || t.InputSchema == nil {
		return chatTool{}, unfit(where, "its name or its inputSchema is missing")
	}
	put := chatTool{Type: function}
	put.Function.Name, put.Function.Description, put.Function.Parameters = names.sent[t.Name], t.Description, t.InputSchema
	return put, nil
}

// maxToolName is the longest name of a function, in letters.
const maxToolName = 64

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// toolNames are the names of tools as an endpoint takes them, which has room for less than MCP: sent gives them by MCP's
// name, and known gives MCP's back.
type toolNames struct{ sent, known map[string]string }

// newToolNames names all tools of a request, those that are only spoken of too. Names that fit stay.
func newToolNames(r request) toolNames {
	n := toolNames{map[string]string{}, map[string]string{}}
	var all []string
	for _, t := range r.Tools {
		all = append(all, t.Name)
	}
	for _, m := range r.Messages {
		for _, b := range m.Content {
			if b.Type == typeToolUse {
				all = append(all, b.Name)
			}
		}
	}
	var others []string
	for _, name := range all {
		if len(name) > maxToolName || notInName.MatchString(name) {
			others = append(others, name)
			continue
		}
		n.sent[name], n.known[name] = name, name
	}
	for _, name := range others {
		if _, ok := n.sent[name]; !ok {
			n.add(name)
		}
	}
	return n
}

// add gives a name that does not fit one that does, and that no other has.
func (n toolNames) add(name string) {
	base := notInName.ReplaceAllString(name, "_")
	for i := 1; ; i++ {
		end := ""
		if i > 1 {
			end = "_" + strconv.Itoa(i)
		}
		sent := base[:min(len(base), maxToolName-len(end))] + end
		if _, taken := n.known[sent]; !taken {
			n.sent[name], n.known[sent] = sent, name
			return
		}
	}
}

// object is raw without spaces, which must be a JSON object; nothing is an empty one.
func object(raw []byte) (string, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "{}", nil
	}
	var short bytes.Buffer
	if raw[0] != '{' {
		return "", errors.New("it is no object")
	}
	err := json.Compact(&short, raw)
	return short.String(), err
}
