package api

import "net/http"

// goneWriter forgets that a caller left before its answer was written: nobody is there to be told. huma would panic,
// which a window, whose requests are cancelled all the time, does not survive.
type goneWriter struct{ http.ResponseWriter }

func (w goneWriter) Write(p []byte) (int, error) {
	if n, err := w.ResponseWriter.Write(p); err == nil {
		return n, nil
	}
	return len(p), nil
}

// Unwrap lets http.ResponseController find what the connection can do; streams see their failures through it.
func (w goneWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
