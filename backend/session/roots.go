package session

import (
	"encoding/json"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// roots is the result of roots/list: the folders that a person named for this server.
func (s *Session) roots() json.RawMessage {
	type root struct {
		URI  string `json:"uri"`
		Name string `json:"name"`
	}
	list := struct {
		Roots []root `json:"roots"`
	}{Roots: []root{}}
	for _, folder := range s.options.Roots {
		list.Roots = append(list.Roots, root{URI: fileURI(folder), Name: path.Base(filepath.ToSlash(folder))})
	}
	return encoded(list)
}

// fileURI is a path as RFC 8089 writes it; a Windows drive becomes the first element.
func fileURI(folder string) string {
	slashed := strings.ReplaceAll(folder, `\`, "/")
	if filepath.Separator == '/' {
		slashed = folder
	}
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}
