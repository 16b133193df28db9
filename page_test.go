package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestPageGoesToTheRightPlace(t *testing.T) {
	product := answers{body: "product"}
	ui := answers{body: "interface"}
	tests := map[string]string{
		"/":                   "interface",
		"/assets/index-12.js": "interface",
		"/apiary":             "interface",
		"/api/servers":        "product",
		"/api/deep/path.json": "product",
	}
	for address, want := range tests {
		t.Run(address, func(t *testing.T) {
			answer := httptest.NewRecorder()
			page(product, ui).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, address, http.NoBody))
			if got := answer.Body.String(); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestAPanicEndsOneRequestOnly(t *testing.T) {
	broken := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") })
	answer := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/api/status", http.NoBody)
	surviving(broken, slog.New(slog.DiscardHandler)).ServeHTTP(answer, request)
	if answer.Code != http.StatusInternalServerError || !strings.Contains(answer.Body.String(), `"code":"internal"`) {
		t.Errorf("got %d %s", answer.Code, answer.Body)
	}
}
