package audit

import (
	"bytes"
	"slices"
	"sync"
	"time"
)

// clockSlack is how far the clock may have been set back within the log, for Since to find every entry.
const clockSlack = time.Hour

// Query says which entries are wanted. Empty fields do not narrow.
type Query struct {
	Kind   Kind
	Server string
	// Caller is the name or the kind of a caller.
	Caller  string
	Verdict string
	Outcome string
	CallID  string
	// Since is the earliest time wanted, Until the first one that no longer is.
	Since time.Time
	Until time.Time
	// Before is the sequence number to continue at: only earlier entries are wanted.
	Before uint64
	// Limit is the most entries wanted; 0 means all.
	Limit int
}

func (q Query) matches(e Entry) bool {
	wanted := func(want, have string) bool { return want == "" || want == have }
	return wanted(string(q.Kind), string(e.Kind)) && wanted(q.Server, e.Server) && wanted(q.Verdict, e.Verdict) && wanted(q.Outcome, e.Outcome) &&
		wanted(q.CallID, e.CallID) && (wanted(q.Caller, e.Caller.Name) || q.Caller == string(e.Caller.Kind)) &&
		(q.Since.IsZero() || !e.At.Before(q.Since)) && (q.Until.IsZero() || e.At.Before(q.Until))
}

// Read finds the wanted entries, newest first. It does not check hashes: see Verify. Lines that cannot be read are left
// out.
func (l *Log) Read(q Query) ([]Entry, error) {
	var found []Entry
	err := l.now().entries(q, func(e Entry) bool {
		found = append(found, e)
		return q.Limit == 0 || len(found) < q.Limit
	})
	return found, err
}

// entries passes the wanted entries on, newest first, until yield returns false.
func (s snapshot) entries(q Query, yield func(Entry) bool) error {
	for line, err := range s.backward() {
		if err != nil {
			return err
		}
		seq, ok := sequenceOf(line)
		if !ok || q.Before != 0 && seq >= q.Before || !bytes.Contains(line, []byte(q.CallID)) {
			continue
		}
		e, err := decode(line)
		if err != nil {
			continue
		}
		if !q.Since.IsZero() && e.At.Before(q.Since.Add(-clockSlack)) {
			return nil
		}
		if q.matches(e) && !yield(e) {
			return nil
		}
	}
	return nil
}

// Last is the number of the last entry, 0 for an empty log.
func (l *Log) Last() uint64 { return l.now().last.seq }

// Unended finds the intents of calls that have no outcome, oldest first, among the entries after one number and up to
// another.
func (l *Log) Unended(after, upTo uint64) ([]Entry, error) {
	ended := make(map[string]bool)
	var found []Entry
	err := l.now().entries(Query{}, func(e Entry) bool {
		switch {
		case e.Seq <= after:
			return false
		case e.Kind == KindOutcome:
			ended[e.CallID] = true
		case e.Kind == KindIntent && e.Seq <= upTo && !ended[e.CallID]:
			found = append(found, e)
		}
		return true
	})
	slices.Reverse(found)
	return found, err
}

// Totals counts calls that have ended.
type Totals struct {
	Calls   int `json:"calls"`
	Refused int `json:"refused"`
	// Failed counts errors of tools and of us, and calls whose outcome is not known.
	Failed int `json:"failed"`
}

func (t *Totals) add(e Entry) {
	if e.Kind != KindOutcome {
		return
	}
	t.Calls++
	switch e.Outcome {
	case OutcomeRefused:
		t.Refused++
	case OutcomeToolError, OutcomeError, OutcomeUnknown:
		t.Failed++
	}
}

// tally is what was counted before.
type tally struct {
	mu     sync.Mutex
	since  time.Time
	seq    uint64 // the last entry that was counted
	totals Totals
}

// Totals counts the calls that ended since a time. Asked again for the same time, it reads only what is new.
func (l *Log) Totals(since time.Time) (Totals, error) {
	t := &l.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.since.Equal(since) {
		t.since, t.seq, t.totals = since, 0, Totals{}
	}
	totals := t.totals
	s := l.now()
	err := s.entries(Query{Since: since}, func(e Entry) bool {
		if e.Seq > t.seq {
			totals.add(e)
		}
		return e.Seq > t.seq
	})
	if err != nil {
		return Totals{}, err
	}
	t.totals, t.seq = totals, s.last.seq
	return totals, nil
}
