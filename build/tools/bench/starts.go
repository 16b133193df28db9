package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
)

const hundred = 100

// startHundred is the time from exec until all servers are ready, each of which takes a second for the handshake.
func (p programs) startHundred(ctx context.Context) (float64, error) {
	return p.untilHundredReady(ctx, p.slowServers())
}

// startBesideHole is the same with a server more, which takes connections and never says a word.
func (p programs) startBesideHole(ctx context.Context) (_ float64, err error) {
	hole, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, hole.Close()) }()
	first := fmt.Sprintf("[[mcp_servers]]\nname = \"hole\"\ntransport = \"streamable_http\"\nurl = \"http://%s/mcp\"\n", hole.Addr())
	return p.untilHundredReady(ctx, first+p.slowServers())
}

func (p programs) slowServers() string {
	program := filepath.Join(p.root, "build/cache/bin/mcpfake")
	var text strings.Builder
	for i := range hundred {
		fmt.Fprintf(&text, "[[mcp_servers]]\nname = \"slow %d\"\ntransport = \"stdio\"\ncommand = %q\n", i, program)
		text.WriteString("args = [\"-behave\", \"slow-init\", \"-delay\", \"1s\"]\n")
	}
	return text.String()
}

func (p programs) untilHundredReady(ctx context.Context, config string) (float64, error) {
	s, err := p.serve(ctx, config)
	if err != nil {
		return 0, err
	}
	err = s.untilReady(ctx, hundred)
	return since(s.start), errors.Join(err, s.end())
}
