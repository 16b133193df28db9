// Command bench measures what docs/performance.md promises, on the programs as they are built, and rewrites it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// patience ends a measurement that will never come; it is no limit on what is measured.
const patience = 2 * time.Minute

func main() {
	root := flag.String("root", ".", "the repository")
	report := flag.String("report", "", "the Markdown file to write; without it the report goes to standard output")
	runs := flag.Int("runs", 7, "runs of each measurement, at least 5")
	only := flag.String("only", "", "measure only this")
	flag.Parse()
	if err := run(*root, *report, *only, max(*runs, 5)); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// promise is one line of the report.
type promise struct {
	name  string
	what  string
	limit float64
	unit  string
	// once measures one time, in unit. It leaves nothing behind.
	once func(ctx context.Context) (float64, error)
}

// measured is a promise with what was found.
type measured struct {
	promise
	values []float64
}

func (m measured) median() float64 {
	sorted := slices.Sorted(slices.Values(m.values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

func promises(root string) []promise {
	p := programs{root: root, apollia: filepath.Join(root, "build/bin/apollia"), window: filepath.Join(root, "build/bin/apollia-desktop")}
	return []promise{
		{"version", "`apollia version`, from start to end", 20, "ms", p.version},
		{"serve-ready", "`serve` with one server, from exec to the first HTTP answer", 60, "ms", p.serveReady},
		{"serve-rss", "`serve` with one server that is ready, resident memory", 30, "MiB", p.serveRSS},
		{"list-100", "API list of 100 servers, one request", 5, "ms", p.list100},
		{"pool-stdio", "a call through the pool beside one through mcp-go's own client, stdio, p50", 1.3, "×", p.callRatio("stdio")},
		{"pool-http", "the same over Streamable HTTP", 1.3, "×", p.callRatio("http")},
		{"recorded-call", "the journal of a call that is let through, processor time", 20, "µs", p.recordedCall},
		{"network-announced", "a server of the local network, from its announcement until it is listed", 3000, "ms", p.appear("announced")},
		{"network-searched", "one that is there already, from the beginning of the search", 3000, "ms", p.appear("searched")},
		{"search-index", "the tools of 250 servers, 10,000 together, made findable", 500, "ms", p.search("^BenchmarkIndex10000$", "5x", "ms/index")},
		{"search-memory", "what that takes", 30, "MiB", p.search("^BenchmarkIndex10000$", "1x", "MiB")},
		{"search-query", "one question among them, p95", 5, "ms", p.search("^BenchmarkQuery$", "1000x", "ms-p95")},
		{"search-update", "one server among them that lists its tools again", 20, "ms", p.search("^BenchmarkUpdateServer$", "200x", "ms/update")},
		{"start-100", "100 stdio servers that need 1 s each, from exec of `serve` until all are ready", 1800, "ms", p.startHundred},
		{"start-hole", "the same beside a server that takes the connection and never answers", 1800, "ms", p.startBesideHole},
		{"window-painted", "window, from exec to painted", 1200, "ms", p.windowPainted},
	}
}

func run(root, report, only string, runs int) error {
	absolute, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	var results []measured
	before := load()
	for _, p := range promises(absolute) {
		if only != "" && only != p.name {
			continue
		}
		m := measured{promise: p}
		for range runs {
			value, err := measure(p)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			m.values = append(m.values, value)
		}
		fmt.Fprintf(os.Stderr, "bench: %s: median %s %s, promised %g\n", p.name, m.text(m.median()), p.unit, p.limit)
		results = append(results, m)
	}
	text := render(results, before, load())
	if report == "" || only != "" {
		fmt.Print(text)
		return nil
	}
	return os.WriteFile(report, []byte(text), 0o644)
}

func measure(p promise) (float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return p.once(ctx)
}
