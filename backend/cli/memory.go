package cli

import (
	"bytes"
	"io"
	"net/http"
)

// memory carries requests to a handler in this process.
type memory struct{ handler http.Handler }

// RoundTrip runs the handler on the caller's goroutine; it ends early when the request's context does.
func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	answer := &memoryAnswer{header: http.Header{}, status: http.StatusOK}
	m.handler.ServeHTTP(answer, r)
	if err := r.Body.Close(); err != nil {
		return nil, err
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		Status: http.StatusText(answer.status), StatusCode: answer.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()), Request: r,
	}, nil
}

type memoryAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *memoryAnswer) Header() http.Header            { return a.header }
func (a *memoryAnswer) WriteHeader(status int)         { a.status = status }
func (a *memoryAnswer) Write(data []byte) (int, error) { return a.body.Write(data) }
