package lan

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/lantest"
)

// BenchmarkAppear measures how long a server of the network takes until it is listed: one that begins to announce itself
// while we search, and one that is there when the search begins.
func BenchmarkAppear(b *testing.B) {
	if !lantest.Alone(b) {
		return
	}
	p := inNetwork(b)
	for b.Loop() {
		first := browse(b)
		first.sees(0)
		began := time.Now()
		p.Do(files("path=/files"))
		first.sees(1)
		b.ReportMetric(time.Since(began).Seconds()*1000, "ms-announced")
		first.end()
		began = time.Now()
		browse(b).sees(1)
		b.ReportMetric(time.Since(began).Seconds()*1000, "ms-searched")
	}
}
