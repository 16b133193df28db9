// Command mcpfake is a fake MCP server for test suites that cannot start one of their own.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"

	"apollia.fr/connexions/backend/mcptest"
)

func main() {
	mcptest.ServeIfAsked()
	transport := flag.String("transport", "stdio", "stdio, http or sse")
	address := flag.String("addr", "127.0.0.1:0", "where http and sse listen; the URL is printed")
	secure := flag.Bool("tls", false, "http and sse speak TLS, with a certificate that nobody vouches for")
	options := mcptest.Flags(flag.CommandLine)
	flag.Parse()
	os.Exit(run(*transport, *address, *secure, *options))
}

func run(transport, address string, secure bool, o mcptest.Options) int {
	var handler http.Handler
	switch transport {
	case "stdio":
		return mcptest.ServeStdio(o, os.Stdin, os.Stdout, os.Stderr)
	case "http":
		handler = mcptest.NewHTTP(o)
	case "sse":
		handler = mcptest.NewSSE(o)
	default:
		fmt.Fprintln(os.Stderr, "mcpfake: -transport is stdio, http or sse")
		return 2
	}
	if err := serve(address, "/"+map[string]string{"http": "mcp", "sse": "sse"}[transport], secure, handler); err != nil {
		fmt.Fprintln(os.Stderr, "mcpfake:", err)
		return 1
	}
	return 0
}

// serve prints the URL and answers until the process is ended.
func serve(address, path string, secure bool, handler http.Handler) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	if !secure {
		fmt.Println("http://" + listener.Addr().String() + path)
		return http.Serve(listener, handler)
	}
	server := httptest.NewUnstartedServer(handler)
	_ = server.Listener.Close() // its own, in place of ours
	server.Listener = listener
	server.StartTLS()
	fmt.Println(server.URL + path)
	select {}
}
