package main

import "net/http"

// keepPipes keeps the pipes of the page's answers from the programs that the product starts.
//
// Wails gives WebKit each answer through a pipe that a child process inherits. A server started in that moment would
// hold the pipe open, and the page would wait for the end of an answer that it has in full.
func keepPipes(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&keeper{ResponseWriter: w}, r)
	})
}

// keeper is an answer whose pipe, made with its header, is ours alone before anything can be started.
type keeper struct {
	http.ResponseWriter
	headed bool
}

func (k *keeper) WriteHeader(status int) {
	if k.headed {
		return
	}
	k.headed = true
	withoutChildren(func() { k.ResponseWriter.WriteHeader(status) })
}

func (k *keeper) Write(body []byte) (int, error) {
	if !k.headed {
		if k.Header().Get("Content-Type") == "" {
			k.Header().Set("Content-Type", http.DetectContentType(body))
		}
		k.WriteHeader(http.StatusOK)
	}
	return k.ResponseWriter.Write(body) //nolint:wrapcheck // the answer's own error
}
