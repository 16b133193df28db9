package native

import (
	"context"

	"apollia.fr/connexions/backend/domain"
)

// Filesystem reads files within allowed folders. It never writes.
type Filesystem struct {
	toolset
	allowed allowed
}

// NewFilesystem makes the module filesystem. Folders are full paths; check says why one may not be used (folders.Check)
// and is asked again before each use. Its error is that of the check.
func NewFilesystem(folders []string, check func(folder string) error) (*Filesystem, error) {
	within, err := allow(folders, check)
	if err != nil {
		return nil, err
	}
	f := &Filesystem{allowed: within}
	f.toolset = toolset{id: "filesystem", tools: []tool{
		reading("read", "Read a file", "Reads one file. Text comes by lines, from \"offset\" on; images, sound and other files come whole, up to 3 MiB.",
			`{"type":"object","properties":{
				"path":{"type":"string","description":"Full path, or path below the only allowed folder"},
				"offset":{"type":"integer","minimum":1,"default":1,"description":"First line, counted from 1"},
				"limit":{"type":"integer","minimum":1,"maximum":10000,"default":2000,"description":"Number of lines"}
			},"required":["path"],"additionalProperties":false}`, f.read),
		reading("ls", "List a folder", "Lists what is in one folder, by name, with kind, size in bytes and time of the last change.",
			`{"type":"object","properties":{
				"path":{"type":"string","default":".","description":"Full path, or path below the only allowed folder"},
				"offset":{"type":"integer","minimum":1,"default":1,"description":"First entry, counted from 1"},
				"limit":{"type":"integer","minimum":1,"maximum":5000,"default":1000,"description":"Number of entries"}
			},"additionalProperties":false}`, f.list),
		reading("find", "Find files by name", "Finds files and folders by a glob: * and ? stay within a name, ** spans folders, "+
			"[a-z] is a class. A pattern without / is looked for in every folder. Links are not followed.",
			`{"type":"object","properties":{
				"pattern":{"type":"string","minLength":1,"maxLength":1024,"description":"For example *.go or docs/**/*.md"},
				"path":{"type":"string","default":".","description":"Folder to look in"},
				"limit":{"type":"integer","minimum":1,"maximum":2000,"default":200,"description":"Most paths to give"}
			},"required":["pattern"],"additionalProperties":false}`, f.find),
		reading("grep", "Find text in files", "Finds the lines that match a regular expression (RE2), in one file or in a folder and all below. "+
			"Binary files are left out, links are not followed.",
			`{"type":"object","properties":{
				"pattern":{"type":"string","minLength":1,"maxLength":4096,"description":"Regular expression"},
				"path":{"type":"string","default":".","description":"File or folder to look in"},
				"glob":{"type":"string","maxLength":1024,"description":"Only files whose path matches, as in find"},
				"ignore_case":{"type":"boolean","default":false},
				"context":{"type":"integer","minimum":0,"maximum":10,"default":0,"description":"Lines to show before and after each match"},
				"limit":{"type":"integer","minimum":1,"maximum":1000,"default":100,"description":"Most matching lines to give"}
			},"required":["pattern"],"additionalProperties":false}`, f.grep),
	}}
	return f, nil
}

// reading makes a tool that changes nothing.
func reading[T any](name, title, description, input string, run func(context.Context, T) (answer, error)) tool {
	return tool{name: name, title: title, description: description, input: input, effect: domain.Reads, idempotent: true, run: typed(run)}
}
