package cli

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

func TestOwnerThatGoesAwayLeavesOnlyWhatWasSentUnknown(t *testing.T) {
	for status, want := range map[api.CallStatus]domain.Code{
		api.CallWaiting: domain.CodeApprovalNeeded, api.CallRunning: domain.CodeOutcomeUnknown,
	} {
		mux := http.NewServeMux()
		mux.HandleFunc("POST /api/calls", func(w http.ResponseWriter, _ *http.Request) {
			writeDocument(t, w, api.CallView{ID: "c1", Server: "acme", Name: "echo", Status: status, RequestID: "7"})
		})
		mux.HandleFunc("GET /api/calls/c1", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		c := &client{http: &http.Client{Timeout: time.Minute}, base: serve(t, mux), close: func() error { return nil }}
		p := fakeProgram(t, mux)
		p.Stdout, p.Stderr = &bytes.Buffer{}, &bytes.Buffer{}
		in := &invocation{Program: p, printer: newPrinter(p)}
		_, err := in.call(t.Context(), c, api.CallRequest{Server: "acme", Name: "echo"}, time.Minute)
		if got := domain.AsError(err); got.Code != want || want == domain.CodeApprovalNeeded && got.Args["request_id"] != "7" {
			t.Errorf("%s: %+v, want %s", status, got, want)
		}
	}
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

func TestDoingSaysHowFarACallIs(t *testing.T) {
	progress := func(params string) domain.Notice {
		return domain.Notice{Kind: domain.NoticeProgress, Params: json.RawMessage(params)}
	}
	for want, notices := range map[string][]domain.Notice{
		"import":                  {{Kind: domain.NoticeRunning}},
		"import: 3 of 4, reading": {progress(`{"progress":1,"total":4}`), progress(`{"progress":3,"total":4,"message":"reading"}`), {Kind: domain.NoticeRunning}},
		"import: 0.5":             {progress(`{"progress":0.5}`), progress(`{"progress":"much"}`), progress(`[]`), progress(`{}`)},
		"import: task t7 working, half": {
			progress(`{"progress":1}`), {Kind: domain.NoticeTask, Params: json.RawMessage(`{"taskId":"t7","status":"working","statusMessage":"half"}`)},
		},
	} {
		if got := doing("import", notices); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
