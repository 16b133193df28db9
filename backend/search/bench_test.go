package search

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

// crowd is so many tools of servers of forty each, made of real ones.
func crowd(b *testing.B, count int) map[string][]Document {
	b.Helper()
	all := facts(b)
	by := make(map[string][]Document)
	for i := range count {
		f := all[i%len(all)]
		server := fmt.Sprint("server", i/40)
		d := Document{
			FQN: fmt.Sprintf("mcp_%s.%s_%d", server, f.Name, i), Server: server, Name: fmt.Sprint(f.Name, "_", i), Description: f.Description, Tags: f.Tags,
		}
		for name := range f.Params {
			d.Parameters = append(d.Parameters, name)
		}
		by[server] = append(by[server], d)
	}
	return by
}

func fill(b *testing.B, by map[string][]Document) *Index {
	b.Helper()
	x := New()
	for server, documents := range by {
		if err := x.Set(server, documents); err != nil {
			b.Fatal(err)
		}
	}
	return x
}

func BenchmarkIndex10000(b *testing.B) {
	by := crowd(b, 10_000)
	var kept *Index
	before := memory()
	for b.Loop() {
		kept = fill(b, by)
	}
	b.ReportMetric(float64(memory()-before)/(1<<20), "MiB")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/index")
	runtime.KeepAlive(kept)
}

func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkQuery(b *testing.B) {
	x := fill(b, crowd(b, 10_000))
	samples := append(written(b, "heldout.tsv"), written(b, "unseen.tsv")...)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		x.Search(samples[i%len(samples)].Query, 8, nil)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
}

func BenchmarkUpdateServer(b *testing.B) {
	by := crowd(b, 10_000)
	x := fill(b, by)
	for b.Loop() {
		if err := x.Set("server7", by["server7"]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/update")
}
