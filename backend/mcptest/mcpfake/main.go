// Command mcpfake is a fake MCP server for test suites that cannot start one of their own.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"

	"apollia.fr/connexions/backend/mcptest"
)

func main() {
	mcptest.ServeIfAsked()
	transport := flag.String("transport", "stdio", "stdio, http or sse")
	address := flag.String("addr", "127.0.0.1:0", "where http and sse listen; the URL is printed")
	options := mcptest.Flags(flag.CommandLine)
	flag.Parse()
	os.Exit(run(*transport, *address, *options))
}

func run(transport, address string, o mcptest.Options) int {
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
	listener, err := net.Listen("tcp", address)
	if err == nil {
		fmt.Println("http://" + listener.Addr().String() + "/" + map[string]string{"http": "mcp", "sse": "sse"}[transport])
		err = http.Serve(listener, handler)
	}
	fmt.Fprintln(os.Stderr, "mcpfake:", err)
	return 1
}
