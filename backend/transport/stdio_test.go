package transport

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestBannersAreKeptApart(t *testing.T) {
	o := testOptions()
	l := dial(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Banner}, Text: "hello from the banner"}), o)
	initialize(t, l)
	if got := callText(t, l, `{"name":"echo","arguments":{"message":"a\nb"}}`); got != "a\nb" {
		t.Errorf("echo = %q", got)
	}
	if lines := o.Log.Tail(StreamStdout, 10); len(lines) < 2 || lines[0] != "hello from the banner" {
		t.Errorf("kept %q", lines)
	}
}

func TestNothingButBannersIsNoServer(t *testing.T) {
	o := testOptions()
	heard := make(chan struct{}, 10)
	o.Log = NewLog(nil, func() { heard <- struct{}{} })
	l := dial(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Garbage}, Text: "listening on port 3000"}), o)
	ctx, cancel := context.WithCancelCause(mcptest.Within(t))
	failed := make(chan error, 1)
	go func() {
		_, err := l.Request(ctx, "initialize", json.RawMessage(`{}`))
		failed <- err
	}()
	for range 3 { // that it started, its banner, and what it answers with
		<-heard
	}
	cancel(context.DeadlineExceeded)
	e := wantCode(t, <-failed, domain.CodeNotJSONRPC)
	if !strings.HasPrefix(e.Proof, "listening on port 3000") {
		t.Errorf("proof %q", e.Proof)
	}
}

func TestProgramThatOnlyPrintsIsNoServer(t *testing.T) {
	l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "echo", Args: []string{"usage: thing"}}, testOptions())
	_, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`))
	if e := wantCode(t, err, domain.CodeNotJSONRPC); e.Proof != "usage: thing" {
		t.Errorf("proof %q", e.Proof)
	}
}

func TestServerThatDiesAtStartShowsWhy(t *testing.T) {
	l := dial(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}, Text: "cannot find API key"}), testOptions())
	_, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`))
	e := wantCode(t, err, domain.CodeServerExited)
	if e.Args["exit_code"] != "3" || e.Proof != "cannot find API key" {
		t.Errorf("error %+v", e)
	}
	<-l.Done()
}

func TestServerThatIsKilledNamesTheSignal(t *testing.T) {
	l := dial(t, mcptest.Command(mcptest.Options{}), testOptions())
	initialize(t, l)
	process, err := os.FindProcess(l.PID())
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	<-l.Done()
	if e := wantCode(t, l.Err(), domain.CodeServerExited); e.Args["signal"] != "killed" {
		t.Errorf("error %+v", e)
	}
	_, err = l.Request(mcptest.Within(t), "ping", nil)
	if !errors.Is(err, domain.ErrUnsent) {
		t.Errorf("a request after the end: %v", err)
	}
}

func TestSecretsStayOutOfTheLogAndTheTraffic(t *testing.T) {
	d := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Banner}, Text: "token is hush-hush-42"})
	d.Env = append(d.Env, domain.Variable{Name: "THING", Value: "hush-hush-42", Secret: true})
	o := testOptions()
	l := dial(t, d, o)
	initialize(t, l)
	callText(t, l, `{"name":"echo","arguments":{"message":"hush-hush-42"}}`)
	for _, line := range o.Log.After(0, 0) {
		if strings.Contains(line.Text, "hush-hush") {
			t.Errorf("the log says %q", line.Text)
		}
	}
	frames := o.Traffic.After(0, 0)
	if len(frames) != 5 { // initialize and its answer, initialized, the call and its answer
		t.Errorf("%d frames", len(frames))
	}
	for _, frame := range frames {
		if strings.Contains(frame.Text, "hush-hush") {
			t.Errorf("the traffic says %q", frame.Text)
		}
	}
}

func TestMessageOverTheLimitFailsOnlyItsCall(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		d.BufferSize = 1 << 20
		l := dial(t, d, testOptions())
		initialize(t, l)
		if got := callText(t, l, `{"name":"huge","arguments":{"bytes":900000}}`); len(got) != 900000 {
			t.Errorf("below the limit: %d bytes", len(got))
		}
		_, err := l.Request(mcptest.Within(t), "tools/call", json.RawMessage(`{"name":"huge","arguments":{"bytes":3000000}}`))
		e := wantCode(t, err, domain.CodeMessageTooLarge)
		if e.Args["setting"] != "buffer_size" || e.Args["limit"] != strconv.Itoa(1<<20) {
			t.Errorf("error %+v", e)
		}
		if got := callText(t, l, `{"name":"echo","arguments":{"message":"still here"}}`); got != "still here" {
			t.Errorf("echo = %q", got)
		}
	})
}

func TestSixMegabytesInOneMessage(t *testing.T) {
	mcptest.EachTransport(t, mcptest.Options{}, func(t *testing.T, d domain.Definition) {
		l := dial(t, d, testOptions())
		initialize(t, l)
		if got := callText(t, l, `{"name":"huge","arguments":{"bytes":6291456}}`); len(got) != 6291456 {
			t.Errorf("%d bytes", len(got))
		}
	})
}

func TestSpawnFailuresAreNamed(t *testing.T) {
	script := t.TempDir() + "/script"
	if err := os.WriteFile(script, []byte("not a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		d    domain.Definition
		code domain.Code
		hint string
	}{
		{"unknown command", domain.Definition{Command: "npx-that-is-not-there"}, domain.CodeProgramNotFound, "spelling"},
		{"missing folder", domain.Definition{Command: "echo", Cwd: "/no/such/folder"}, domain.CodeSpawnFailed, "folder"},
		{"no program at all", domain.Definition{Command: script}, domain.CodeSpawnFailed, "#!"},
	}
	for _, test := range tests {
		test.d.Transport = domain.Stdio
		_, err := Dial(mcptest.Within(t), "fake", test.d, testOptions(), nil)
		if e := wantCode(t, err, test.code); !strings.Contains(e.Hint, test.hint) {
			t.Errorf("%s: hint %q", test.name, e.Hint)
		}
	}
}

func TestServerThatDoesNotReadHoldsNobody(t *testing.T) {
	l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "sleep", Args: []string{"1000"}}, testOptions())
	big := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	params := json.RawMessage(`{"a":` + string(big) + `}`)
	ctx, cancel := context.WithCancel(mcptest.Within(t))
	failed := make(chan error, 2)
	for range 2 { // the first fills the pipe, the second cannot even begin
		go func() {
			_, err := l.Request(ctx, "tools/call", params)
			failed <- err
		}()
	}
	cancel()
	for range 2 {
		wantCode(t, <-failed, domain.CodeCanceled)
	}
	process, err := os.FindProcess(l.PID())
	if err == nil {
		err = process.Kill() // spares the test the two seconds of grace
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnyNumberOfBannersIsCountedAndEndsNothing(t *testing.T) {
	const banners = 20000
	script := "yes banner | head -n " + strconv.Itoa(banners) + `; read line; printf '{"jsonrpc":"2.0","id":1,"result":{}}\n'; read line`
	o := testOptions()
	l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script}}, o)
	if _, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`)); err != nil {
		t.Fatalf("initialize: %v", err)
	}
	if n := l.StrayLines(); n != banners {
		t.Errorf("counted %d lines, want %d", n, banners)
	}
	if kept := o.Log.Tail(StreamStdout, banners); len(kept) == 0 || len(kept) > logLines {
		t.Errorf("the log keeps %d lines, want at most %d", len(kept), logLines)
	}
}

func TestServerThatClosesItsInputIsNotReady(t *testing.T) {
	o := testOptions()
	heard := make(chan struct{}, 10)
	o.Log = NewLog(nil, func() { heard <- struct{}{} })
	script := "exec 0<&-; echo out of order >&2; exec sleep 1000"
	l := dial(t, domain.Definition{Transport: domain.Stdio, Command: "sh", Args: []string{"-c", script}}, o)
	for range 2 { // that it started, and that its input is closed
		<-heard
	}
	_, err := l.Request(mcptest.Within(t), "initialize", json.RawMessage(`{}`))
	if e := wantCode(t, err, domain.CodeConnClosed); e.Proof != "out of order" {
		t.Errorf("proof %q", e.Proof)
	}
}
