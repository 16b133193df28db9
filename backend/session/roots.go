package session

import (
	"context"
	"encoding/json"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// rootsCapability is announced even where no folder is named yet: the server can then be told of one later, and may ask
// until then, for an empty list. Only the earlier revisions have a notification of changes (2025-11-25, client/roots);
// in the stateless one a server asks anew in each call (2026-07-28, basic/utilities/mrtr).
func rootsCapability(stateless bool) json.RawMessage {
	if stateless {
		return json.RawMessage(`{}`)
	}
	return json.RawMessage(`{"listChanged":true}`)
}

// RootsChanged tells the server that it may be told of other folders now, where its revision knows of that.
func (s *Session) RootsChanged(ctx context.Context) error {
	if s.greeting.IsStateless() {
		return nil
	}
	return s.link.Notify(ctx, "notifications/roots/list_changed", nil)
}

// roots is the result of roots/list: the folders that a person named for this server.
func (s *Session) roots(ctx context.Context) json.RawMessage {
	type root struct {
		URI  string `json:"uri"`
		Name string `json:"name"`
	}
	list := struct {
		Roots []root `json:"roots"`
	}{Roots: []root{}}
	for _, folder := range s.options.Roots(ctx) {
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
