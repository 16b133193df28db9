package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// piped opens a pipe that children inherit with its header, as the web view's answers do.
type piped struct {
	*httptest.ResponseRecorder
	ends [2]int
}

func (p *piped) WriteHeader(status int) {
	if err := syscall.Pipe2(p.ends[:], 0); err != nil {
		panic(err)
	}
	p.ResponseRecorder.WriteHeader(status)
}

func TestNoProgramInheritsAnAnswer(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"with a status": func(w http.ResponseWriter) { w.WriteHeader(http.StatusCreated); fmt.Fprint(w, "added") },
		"without one":   func(w http.ResponseWriter) { fmt.Fprint(w, "added") },
	} {
		t.Run(name, func(t *testing.T) {
			w := &piped{ResponseRecorder: httptest.NewRecorder()}
			keepPipes(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w) })).
				ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", http.NoBody))
			defer func() { _, _ = syscall.Close(w.ends[0]), syscall.Close(w.ends[1]) }()
			var pipe syscall.Stat_t
			if err := syscall.Fstat(w.ends[1], &pipe); err != nil {
				t.Fatal(err)
			}
			files, err := exec.CommandContext(t.Context(), "ls", "-l", "/proc/self/fd").Output()
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(files), fmt.Sprintf("pipe:[%d]", pipe.Ino)) {
				t.Errorf("a program has the answer's pipe:\n%s", files)
			}
			if got := w.Body.String(); got != "added" {
				t.Errorf("got %q", got)
			}
		})
	}
}
