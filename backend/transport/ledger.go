package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// Ledger keeps one small file for each child that runs, so that what a killed core leaves behind can be ended at the
// next start. A nil Ledger keeps nothing.
type Ledger struct{ dir string }

// child is one file of the ledger.
type child struct {
	Server string `json:"server"`
	PID    int    `json:"pid"`
	// Start is when the process started, in the words of the system; it tells a reused pid.
	Start string `json:"start"`
	Mark  string `json:"mark"`
}

// Leftover is a process of an earlier core that Sweep found alive and ended.
type Leftover struct {
	Server string
	PID    int
}

// NewLedger keeps its files in dir, which is made when the first child is recorded, readable by nobody else.
func NewLedger(dir string) *Ledger { return &Ledger{dir: dir} }

// record notes a child right after its spawn and returns what forgets it. A ledger that cannot be written is worth a
// warning, not a server that does not start.
func (l *Ledger) record(serverID string, pid int, mark string, log *slog.Logger) (forget func()) {
	if l == nil {
		return func() {}
	}
	file := filepath.Join(l.dir, mark+".json")
	raw, err := json.Marshal(child{Server: serverID, PID: pid, Start: startTime(pid), Mark: mark})
	if err == nil {
		err = os.MkdirAll(l.dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(file, raw, 0o600)
	}
	if err != nil {
		log.Warn("child not recorded", "server", serverID, "pid", pid, "err", err)
	}
	return func() {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Warn("child not removed from the ledger", "server", serverID, "pid", pid, "err", err)
		}
	}
}

// Sweep ends what an earlier core left running and empties the ledger. It must run before the first Dial, by the
// owner of the data folder. A process is ended only when its pid, its start time and its mark match the record, with
// its group, and so is every other process that carries the mark or descends from one that does. All leftovers are asked to end at the same time, and
// together they have three seconds before they are killed.
func (l *Ledger) Sweep(ctx context.Context) ([]Leftover, error) {
	ctx, cancel := context.WithTimeout(ctx, termGrace)
	defer cancel()
	return l.sweep(ctx)
}

// sweep is Sweep with its patience as the end of ctx.
func (l *Ledger) sweep(ctx context.Context) ([]Leftover, error) {
	if l == nil {
		return nil, nil
	}
	entries, err := os.ReadDir(l.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read ledger of children: %w", err)
	}
	var files []string
	var ended []Leftover
	var left []remains
	for _, entry := range entries {
		if !strings.HasSuffix(entry.Name(), ".json") {
			continue
		}
		file := filepath.Join(l.dir, entry.Name())
		files = append(files, file)
		c, ok := readChild(file)
		if !ok {
			continue
		}
		if rest := c.remains(); rest.alive() {
			ended = append(ended, Leftover{Server: c.Server, PID: c.PID})
			left = append(left, rest)
		}
	}
	endAll(ctx, left)
	var failures []error
	for _, file := range files {
		failures = append(failures, os.Remove(file))
	}
	return ended, errors.Join(failures...)
}

// readChild reads one record; false for one that proves nothing, so that nothing is ended for it.
func readChild(file string) (child, bool) {
	var c child
	raw, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(raw, &c) != nil {
		return child{}, false
	}
	return c, c.PID > 1 && c.Start != "" && len(c.Mark) >= minMark
}

// remains is what is still there of a recorded child. Its pid counts only while it proves to be the same process.
func (c child) remains() remains {
	r := remains{family: newFamily(c.PID, c.Start, c.Mark)}
	if startTime(c.PID) == c.Start && hasMark(c.PID, c.Mark) {
		r.group = c.PID
	}
	return r
}
