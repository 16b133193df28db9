package pool

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// BenchmarkCall measures what a call through the pool costs beside the same call through mcp-go's own client, each with
// a session of its own to the same kind of server. The two take turns, so that the ratio holds on a busy machine.
// The numbers are medians: of the calls in us, and of the ratios of the rounds.
func BenchmarkCall(b *testing.B) {
	b.Run("stdio", func(b *testing.B) { benchmarkCall(b, mcptest.Command(mcptest.Options{})) })
	b.Run("http", func(b *testing.B) {
		benchmarkCall(b, domain.Definition{Transport: domain.StreamableHTTP, URL: fakeOverHTTP(b)})
	})
}

// fakeOverHTTP starts the fake server as a process of its own, as real ones are, and gives its address.
func fakeOverHTTP(b *testing.B) string {
	program := filepath.Join(b.TempDir(), "mcpfake")
	if output, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "../mcptest/mcpfake").CombinedOutput(); err != nil {
		b.Fatalf("build mcpfake: %v\n%s", err, output)
	}
	cmd := exec.CommandContext(context.WithoutCancel(b.Context()), program, "-transport", "http")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(url)
}

const (
	benchRounds = 15
	benchCalls  = 200 // of each side in a round
)

func benchmarkCall(b *testing.B, d domain.Definition) {
	p := newPool(b, nil)
	start(b, p, server("one", d))
	other := directClient(b, d)
	through := func() error {
		_, err := p.Call(b.Context(), toolCall("one", "echo", `{"name":"echo","arguments":{"message":"bonjour"}}`))
		return err
	}
	var request mcp.CallToolRequest
	request.Params.Name = "echo"
	request.Params.Arguments = map[string]string{"message": "bonjour"}
	direct := func() error {
		_, err := other.CallTool(b.Context(), request)
		return err
	}
	for b.Loop() {
		var ratios, pooled, bare []float64
		for range benchRounds {
			bareMedian, poolMedian := medianCall(b, direct), medianCall(b, through)
			ratios = append(ratios, poolMedian/bareMedian)
			pooled, bare = append(pooled, poolMedian), append(bare, bareMedian)
		}
		b.ReportMetric(median(ratios), "ratio")
		b.ReportMetric(median(pooled), "pool-us")
		b.ReportMetric(median(bare), "direct-us")
	}
}

// medianCall is the median of one turn, in us.
func medianCall(b *testing.B, call func() error) float64 {
	times := make([]float64, 0, benchCalls)
	for range benchCalls {
		began := time.Now()
		if err := call(); err != nil {
			b.Fatal(err)
		}
		times = append(times, float64(time.Since(began).Nanoseconds())/1000)
	}
	return median(times)
}

func median(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

// directClient is a session that mcp-go alone keeps.
func directClient(b *testing.B, d domain.Definition) *client.Client {
	var c *client.Client
	var err error
	if d.Transport == domain.Stdio {
		environ := os.Environ()
		for _, v := range d.Env {
			environ = append(environ, v.Name+"="+v.Value)
		}
		c, err = client.NewStdioMCPClient(d.Command, environ, d.Args...)
	} else {
		c, err = client.NewStreamableHttpClient(d.URL)
	}
	if err == nil {
		b.Cleanup(func() { _ = c.Close() })
		err = c.Start(b.Context())
	}
	if err == nil {
		request := mcp.InitializeRequest{}
		request.Params.ProtocolVersion = "2025-11-25"
		_, err = c.Initialize(context.WithoutCancel(b.Context()), request)
	}
	if err != nil {
		b.Fatal(err)
	}
	return c
}
