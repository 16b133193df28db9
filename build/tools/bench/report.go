package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// load is the machine's load average over one minute, as the kernel says it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// text writes a number as fine as it can be told: ratios are close to one another.
func (m measured) text(value float64) string {
	if m.unit == "×" {
		return fmt.Sprintf("%.2f", value)
	}
	return fmt.Sprintf("%.1f", value)
}

func render(results []measured, before, after string) string {
	var text strings.Builder
	text.WriteString("# Performance\n\nWritten by `make bench`; not part of `make test`. Each number is the median of the runs beside it.\n\n")
	fmt.Fprintf(&text, "Machine: %s, %d cores, %s/%s. Load average before %s, after %s.\n\n",
		processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, before, after)
	text.WriteString("| what | median | promised | kept | runs |\n|---|---|---|---|---|\n")
	for _, m := range results {
		kept := "yes"
		if m.median() > m.limit {
			kept = "**no**"
		}
		var runs []string
		for _, value := range m.values {
			runs = append(runs, m.text(value))
		}
		fmt.Fprintf(&text, "| %s | %s %s | ≤ %g %s | %s | %s |\n", m.what, m.text(m.median()), m.unit, m.limit, m.unit, kept, strings.Join(runs, " "))
	}
	text.WriteString(`
How each is measured:

- ` + "`serve`" + ` is ready with its first HTTP answer, whatever its status; its server may still be starting. The answer is asked for every
  millisecond.
- Resident memory is VmRSS of the ` + "`serve`" + ` process alone, once its server is ready; the server is another program.
- The list is asked for over one kept connection; the number of one run is the median of 50 requests.
- A call takes turns with the same call by mcp-go's client, each over a session of its own to the same kind of server: 15 rounds of
  200 calls each. The number of one run is the median of the ratios of the rounds, so that it holds on a busy machine.
- The journal writes three lines for a call that is let through: what is wanted, the verdict, how it ended. The number of one run is
  the processor time of the whole process for 50,000 calls, by the number of calls: encoding, sealing, writing, and in the background
  syncing and remembering the last line.
- The server of the local network is another process on the other end of a pair of links between two network namespaces. It is
  announced by zeroconf, and listed when the search says so.
- The 10,000 tools are those of 25 real servers, again and again under other names; the questions are in English and French. Memory
  is the live heap that is there more afterwards.
- The 100 servers are one compiled program, started 100 times, that answers the handshake after 1 s. The list is asked for every
  10 ms, so the number is that much too high at most.
- The window is painted when its part of a virtual screen shows letters: more than 30 colours where there was one. The screen is read
  about every 10 ms, so the number is that much too high at most. The desktop session runs before the clock starts.
`)
	return text.String()
}
