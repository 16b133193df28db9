package cli_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"apollia.fr/connexions/backend/lantest"
	"apollia.fr/connexions/backend/mcptest"
)

// TestNetworkScripts runs the scripts about the local network in one of their own, with another computer on it.
func TestNetworkScripts(t *testing.T) {
	if !lantest.Alone(t) {
		return
	}
	peer := lantest.Connect(t, "here", "10.99.7.1/24", "10.99.7.2/24")
	params := scripts("testdata/network")
	params.Cmds["neighbour"] = func(ts *testscript.TestScript, neg bool, args []string) { neighbour(ts, peer, neg, args) }
	params.Cmds["listening"] = listening
	params.Cmds["greeting"] = greeting
	testscript.Run(t, params)
}

// neighbour has the other computer announce a server, take it back, or look for one: register NAME HOST PORT ADDRESS
// [KEY=VALUE...], leave NAME, find NAME.
func neighbour(ts *testscript.TestScript, peer *lantest.Peer, neg bool, args []string) {
	if neg || len(args) < 2 || args[0] == "register" && len(args) < 5 {
		ts.Fatalf("usage: neighbour register|leave|find NAME ...")
	}
	order := lantest.Order{Do: args[0], Name: args[1]}
	if args[0] == "register" {
		port, err := strconv.Atoi(args[3])
		ts.Check(err)
		order.Host, order.Port, order.Addresses, order.Text = args[2], port, strings.Split(args[4], ","), args[5:]
	}
	_, err := fmt.Fprintln(ts.Stdout(), peer.Do(order))
	ts.Check(err)
}

// listening NAME ADDRESS starts an MCP server on one or all addresses of this computer and sets a variable to its port.
func listening(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: listening NAME ADDRESS")
	}
	listener := listenAs(ts, args[0], args[1])
	server := &http.Server{Handler: mcptest.NewHTTP(mcptest.Options{Name: "notes"}), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	ts.Defer(func() { _ = server.Close() })
}

// listenAs listens at an address of this computer, on a port to which it sets a variable.
func listenAs(ts *testscript.TestScript, name, address string) net.Listener {
	listener, err := net.Listen("tcp4", net.JoinHostPort(address, "0"))
	ts.Check(err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	ts.Check(err)
	ts.Setenv(name, port)
	return listener
}

// greeting NAME WORDS starts a program that is no MCP server: whoever connects gets the words, and then it waits for more, as
// SSH does. Sets a variable to its port.
func greeting(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: greeting NAME WORDS")
	}
	listener := listenAs(ts, args[0], "0.0.0.0")
	ts.Defer(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = fmt.Fprint(conn, args[1]+"\r\n")
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			}()
		}
	}()
}
