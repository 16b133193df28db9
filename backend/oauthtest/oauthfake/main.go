// Command oauthfake is a fake MCP server behind sign-in, for test suites that cannot start one of their own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/signal"
	"syscall"

	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/oauthtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "oauthfake:", err)
		os.Exit(1)
	}
}

// announcement is the line that tells where the servers are.
type announcement struct {
	MCP     string `json:"mcp_url"`
	Issuer  string `json:"issuer"`
	Control string `json:"control_url"` // of oauthtest.Options.Control; below it are state, expire and revoke
	PID     int    `json:"pid"`
}

// run serves until the context or the input ends.
func run(ctx context.Context, args []string, input io.Reader, output io.Writer) error {
	set := flag.NewFlagSet("oauthfake", flag.ContinueOnError)
	options, tools := oauthtest.Flags(set), mcptest.Flags(set)
	client := clientFlags(set)
	if err := set.Parse(args); err != nil {
		return err
	}
	options.Control = true
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	authorization, err := oauthtest.Start(*options, listener)
	if err != nil {
		return err
	}
	defer authorization.Close()
	if client.ID != "" {
		authorization.AddClient(*client)
	}
	server := httptest.NewServer(authorization.Guard(mcptest.NewHTTP(*tools)))
	defer server.Close()
	defer server.CloseClientConnections() // those that listen would hold it up
	announced := announcement{
		MCP: server.URL + "/mcp", Issuer: authorization.Issuer(), Control: authorization.URL() + "/control", PID: os.Getpid(),
	}
	if options.ResourceMetadata == oauthtest.PlaceNone {
		announced.Issuer = server.URL
	}
	if err := json.NewEncoder(output).Encode(announced); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { // lasts as long as the input does; the process does not wait for it
		defer close(ended)
		_, _ = io.Copy(io.Discard, input)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
	return nil
}

// clientFlags describe a client that is registered beforehand.
func clientFlags(set *flag.FlagSet) *oauthtest.Client {
	client := &oauthtest.Client{}
	set.StringVar(&client.ID, "client-id", "", "id of a client that is registered beforehand")
	set.StringVar(&client.Name, "client-name", "", "its name")
	set.StringVar(&client.Secret, "client-secret", "", "its secret")
	set.StringVar(&client.AuthMethod, "client-auth", "none", "how it authenticates: none, client_secret_basic or client_secret_post")
	set.Func("client-redirect", "its redirect URI; may be repeated", func(redirect string) error {
		client.RedirectURIs = append(client.RedirectURIs, redirect)
		return nil
	})
	return client
}
