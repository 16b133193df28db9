package core

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// csp keeps pages to what ships with the program: nothing is loaded from or sent to anywhere else.
const csp = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' data: blob:; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// spa serves the built interface: files as they are, and its page for every address that is a screen of it.
func spa(ui fs.FS) http.Handler {
	files := http.FileServerFS(ui)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", csp)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		_, missing := fs.Stat(ui, name)
		if strings.HasPrefix(name, "assets/") && missing != nil {
			http.NotFound(w, r) // a page of an earlier build asks: another page would be taken for its script
			return
		}
		if strings.HasPrefix(name, "assets/") {
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // their names carry a hash
		} else {
			w.Header().Set("Cache-Control", "no-cache")
		}
		if name == "" || missing != nil {
			http.ServeFileFS(w, r, ui, "index.html")
			return
		}
		files.ServeHTTP(w, r)
	})
}

// UI serves the built interface without the API, for the window, which shows it before the core is open.
func UI(built fs.FS) http.Handler { return spa(built) }
