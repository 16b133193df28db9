package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestRequestsWaitUntilTheProductIsOpen(t *testing.T) {
	release := make(chan struct{})
	h := openHouse(t.Context(), func(context.Context) (product, error) {
		<-release
		return answers{body: "hello"}, nil
	})
	if h.get() != nil {
		t.Error("there is a product before it is open")
	}
	answered := make(chan string)
	go func() { answered <- ask(h) }()
	close(release)
	if got := <-answered; got != "hello" {
		t.Errorf("got %q", got)
	}
}

func TestAProductThatDoesNotOpenSaysWhy(t *testing.T) {
	h := openHouse(t.Context(), func(context.Context) (product, error) {
		return nil, &domain.Error{Code: domain.CodeDBNewer, Message: "the database is newer", Hint: "Update Apollia."}
	})
	got := ask(h)
	for _, part := range []string{`"error"`, string(domain.CodeDBNewer), "Update Apollia."} {
		if !strings.Contains(got, part) {
			t.Errorf("%s is missing from %s", part, got)
		}
	}
	if err := h.close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestAPageThatLeavesIsNotWaitedFor(t *testing.T) {
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	h := openHouse(t.Context(), func(context.Context) (product, error) {
		<-never
		return nil, errors.New("too late")
	})
	ctx, leave := context.WithCancel(t.Context())
	leave()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/status", http.NoBody))
}

func ask(h http.Handler) string {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/api/servers", http.NoBody))
	return answer.Body.String()
}
