package cli

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

const ownersToken = "the-token"

// runningOwner owns the data folder of p and answers as an owner does.
func runningOwner(t *testing.T, p Program, version string, handler http.Handler) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc(owner.ProofPath, func(w http.ResponseWriter, r *http.Request) {
		writeDocument(t, w, map[string]string{"proof": owner.Proof(ownersToken, r.URL.Query().Get("nonce")), "version": version})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+ownersToken {
			t.Errorf("%s without the token", r.URL.Path)
		}
		handler.ServeHTTP(w, r)
	})
	publish(t, p, mux, version)
}

// publish takes the data folder of p and says that it is served by handler.
func publish(t *testing.T, p Program, handler http.Handler, version string) *owner.Lock {
	t.Helper()
	lock, err := owner.Take(t.Context(), p.Getenv("APOLLIA_HOME"), 0)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.Close()
		_ = lock.Release() // a test may have let go already
	})
	err = lock.Publish(owner.Instance{URL: server.URL, Token: ownersToken, Version: version, PID: 4711})
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestCommandGoesToTheOwner(t *testing.T) {
	p := fakeProgram(t, nil)
	p.OpenLocal = func(context.Context, string) (Local, error) {
		t.Error("the core was opened beside its owner")
		return Local{}, errors.New("no")
	}
	runningOwner(t, p, p.Version, answers(t, map[string]any{
		"GET /api/status": api.Status{Running: true, Instance: api.Instance{PID: 4711, URL: "http://u", Owner: "serve"}, Inbox: 2},
	}))
	got := run(t.Context(), p, "status", "--json")
	if got.exit != 0 || !strings.HasPrefix(got.out, `{"running":true,"pid":4711,"url":"http://u","owner":"serve"`) {
		t.Errorf("%+v", got)
	}
}

func TestTerminalIsSaidOnlyWhereThereIsOne(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		p := fakeProgram(t, nil)
		p.Terminal = terminal
		runningOwner(t, p, p.Version, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if said := r.Header.Get(api.TerminalHeader) == "1"; said != terminal {
				t.Errorf("terminal %t, said %t", terminal, said)
			}
			writeDocument(t, w, api.ServerList{})
		}))
		if got := run(t.Context(), p, "mcp", "list"); got.exit != 0 {
			t.Errorf("%+v", got)
		}
	}
}

func TestOwnerOfAnotherVersionIsNotUsed(t *testing.T) {
	p := fakeProgram(t, nil)
	runningOwner(t, p, "0.9", http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	for _, command := range []string{"status", "stop", "mcp list"} {
		got := run(t.Context(), p, append(strings.Fields(command), "--json")...)
		if got.exit != 1 || got.code(t) != domain.CodeOtherVersion {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// A killed owner leaves its file behind; by the time the next process has the lock, another program may listen there.
func TestImpostorIsWaitedOut(t *testing.T) {
	p := fakeProgram(t, answers(t, map[string]any{"GET /api/servers": api.ServerList{}}))
	freed := false
	var lock *owner.Lock
	lock = publish(t, p, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token was sent to another program")
		}
		writeDocument(t, w, "hello")
		if !freed {
			freed = true
			if err := lock.Release(); err != nil {
				t.Error(err)
			}
		}
	}), p.Version)
	if got := run(t.Context(), p, "mcp", "list", "--json"); got.exit != 0 || got.out != `{"servers":[]}`+"\n" {
		t.Errorf("%+v", got)
	}
}

func TestFasterProcessIsLookedFor(t *testing.T) {
	p := fakeProgram(t, nil)
	p.OpenLocal = func(context.Context, string) (Local, error) {
		runningOwner(t, p, p.Version, answers(t, map[string]any{"GET /api/servers": api.ServerList{}}))
		return Local{}, &domain.Error{Code: domain.CodeFolderBusy, Message: "busy"}
	}
	if got := run(t.Context(), p, "mcp", "list", "--json"); got.exit != 0 {
		t.Errorf("%+v", got)
	}
}

func TestStopWithoutAnOwner(t *testing.T) {
	got := run(t.Context(), fakeProgram(t, nil), "stop", "--json")
	if got.exit != 1 || got.code(t) != domain.CodeNotRunning {
		t.Errorf("%+v", got)
	}
}

func TestStopWaitsForTheEnd(t *testing.T) {
	p := fakeProgram(t, nil)
	var lock *owner.Lock
	mux := http.NewServeMux()
	mux.HandleFunc(owner.ProofPath, func(w http.ResponseWriter, r *http.Request) {
		writeDocument(t, w, map[string]string{"proof": owner.Proof(ownersToken, r.URL.Query().Get("nonce")), "version": p.Version})
	})
	mux.HandleFunc("POST /api/stop", func(http.ResponseWriter, *http.Request) {
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	})
	lock = publish(t, p, mux, p.Version)
	if got := run(t.Context(), p, "stop"); got.exit != 0 || got.out != "stopped\n" {
		t.Errorf("%+v", got)
	}
}

func TestStatusOfAFolderThatIsNotThere(t *testing.T) {
	p := fakeProgram(t, nil)
	p.Getenv = func(name string) string { return map[string]string{"APOLLIA_HOME": "/nowhere/at/all"}[name] }
	got := run(t.Context(), p, "status", "--json")
	if got.exit != 0 || !strings.HasPrefix(got.out, `{"running":false,"pid":0,"url":""`) {
		t.Errorf("%+v", got)
	}
}

func TestStatusOfTheFolderAlone(t *testing.T) {
	p := fakeProgram(t, answers(t, map[string]any{"GET /api/status": api.Status{
		Running: true, Instance: api.Instance{PID: 1, Owner: "command"}, Servers: api.Counts{Total: 3}, Inbox: 2,
	}}))
	got := run(t.Context(), p, "status", "--json")
	if got.exit != 0 || !strings.HasPrefix(got.out, `{"running":false,"pid":0,"url":""`) ||
		!strings.Contains(got.out, `"servers":{"ready":0,"total":3},"inbox":2`) {
		t.Errorf("%+v", got)
	}
}

func TestAwait(t *testing.T) {
	again := notYetError{&domain.Error{Code: domain.CodeFolderBusy, Message: "busy"}}
	tests := []struct {
		name     string
		attempts []error // the last one repeats
		code     domain.Code
	}{
		{"at once", []error{nil}, ""},
		{"after some time", []error{again, again, nil}, ""},
		{"never", []error{again}, domain.CodeFolderBusy},
		{"for good", []error{again, &domain.Error{Code: domain.CodeOtherVersion}}, domain.CodeOtherVersion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				_, err := await(t.Context(), time.Minute, func() (*client, error) {
					err := test.attempts[min(n, len(test.attempts)-1)]
					n++
					return nil, err
				})
				if domain.CodeOf(err) != test.code {
					t.Errorf("%v, want %q", err, test.code)
				}
			})
		})
	}
}

func TestAwaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := await(ctx, time.Hour, func() (*client, error) { return nil, notYetError{errNotReady} })
		if domain.CodeOf(err) != domain.CodeCanceled {
			t.Errorf("%v, want %s", err, domain.CodeCanceled)
		}
	})
}
