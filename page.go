package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"apollia.fr/connexions/backend/api"
)

// page sends the API to the product and everything else to the built interface.
func page(product, ui http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			product.ServeHTTP(w, r)
			return
		}
		ui.ServeHTTP(w, r)
	})
}

// surviving keeps one request from ending the window: Wails, unlike net/http, lets a panic through.
func surviving(h http.Handler, logger *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				logger.Error("answer the page", "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				api.WriteError(w, fmt.Errorf("answer the page: %v", p))
			}
		}()
		h.ServeHTTP(w, r)
	})
}

// memory takes an answer that never leaves the process.
type memory struct {
	header http.Header
	body   bytes.Buffer
}

func answerOf(h http.Handler, r *http.Request) *memory {
	m := &memory{header: http.Header{}}
	h.ServeHTTP(m, r)
	return m
}

func (m *memory) Header() http.Header { return m.header }

func (m *memory) WriteHeader(int) {}

func (m *memory) Write(p []byte) (int, error) { return m.body.Write(p) }
