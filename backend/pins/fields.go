package pins

import (
	"bytes"
	"encoding/json"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// field is one text of a definition with where it stands.
type field struct {
	path, text string
	kind       kind
}

// kind says what a text is for.
type kind int

const (
	prose     kind = iota // words about the thing itself
	name                  // an identifier
	parameter             // words about one parameter
)

// most is how much of a definition is read, in bytes of text. A model that is given more than that has no room left to
// work, so that the rest is a finding by itself.
const most = 64 << 10

// Definition is the texts of one thing that a server says to models, as far as most goes. Its makers are Of and the name
// of the thing; a Scanner reads it.
type Definition struct {
	// name is what the other texts of its server may call it; empty for the instructions.
	name   string
	fields []field
	left   int
	// schema are the words a description may name: parameters and values. wide says that those of the whole server may be
	// named, too.
	schema map[string]bool
	wide   bool
}

// OfTool is what a tool says of itself.
func OfTool(tool domain.Tool) *Definition {
	d := &Definition{name: tool.Name, left: most, schema: map[string]bool{}}
	d.add("name", tool.Name, name)
	d.add("title", tool.Title, prose)
	d.add("description", tool.Description, prose)
	d.walk("annotations", tool.Annotations())
	d.walk("input_schema", tool.InputSchema)
	d.walk("output_schema", tool.OutputSchema)
	return d
}

// OfPrompt is what a prompt says of itself and of its arguments.
func OfPrompt(prompt domain.Prompt) *Definition {
	d := ofNamed(prompt.Name, prompt.Title, prompt.Description)
	for _, argument := range prompt.Arguments {
		d.schema[strings.ToLower(argument.Name)] = true
		path := "arguments." + argument.Name
		d.add(path+".name", argument.Name, name)
		d.add(path+".title", argument.Title, parameter)
		d.add(path+".description", argument.Description, parameter)
	}
	return d
}

// OfResource is what a resource or a resource template says of itself.
func OfResource(resource domain.Resource) *Definition {
	return ofNamed(resource.Name, resource.Title, resource.Description)
}

// OfInstructions is what a server tells every model that uses it.
func OfInstructions(text string) *Definition {
	d := ofNamed("", "", "")
	d.add("instructions", text, prose)
	return d
}

func ofNamed(called, title, description string) *Definition {
	d := &Definition{name: called, left: most, schema: map[string]bool{}, wide: true}
	d.add("name", called, name)
	d.add("title", title, prose)
	d.add("description", description, prose)
	return d
}

// whole says that all of the definition was read.
func (d *Definition) whole() bool { return d.left > 0 }

func (d *Definition) add(path, text string, k kind) {
	if text == "" || d.left <= 0 {
		return
	}
	if len(text) > d.left {
		text = text[:d.left]
		d.left = 0
	}
	d.left -= len(text) + 1
	text = readable(text)
	d.fields = append(d.fields, field{path, text, k})
}

// walk takes the names and strings of a JSON text. What is no JSON is read as words.
func (d *Definition) walk(path string, raw json.RawMessage) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := d.value(decoder, path); err != nil && decoder.InputOffset() == 0 {
		d.add(path, string(raw), prose)
	}
}

func (d *Definition) value(decoder *json.Decoder, path string) error {
	token, err := decoder.Token()
	if err != nil || !d.whole() {
		return err
	}
	switch token := token.(type) {
	case string:
		if !strings.ContainsAny(token, " \n\t") {
			d.schema[strings.ToLower(token)] = true
		}
		d.add(path, token, kindAt(path))
	case json.Delim:
		return d.inside(decoder, path, token)
	}
	return nil
}

func (d *Definition) inside(decoder *json.Decoder, path string, opening json.Delim) error {
	for decoder.More() && d.whole() {
		below := path
		if opening == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			member, _ := key.(string)
			d.schema[strings.ToLower(member)] = true
			below = path + "." + member
			d.add(below, member, name)
		}
		if err := d.value(decoder, below); err != nil {
			return err
		}
	}
	if !d.whole() {
		return nil
	}
	_, err := decoder.Token()
	return err
}

// kindAt says what a string at a path is for: below a schema it tells of a parameter, elsewhere of the tool.
func kindAt(path string) kind {
	if strings.HasPrefix(path, "input_schema") {
		return parameter
	}
	return prose
}
