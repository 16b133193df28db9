package audit

import (
	"slices"
	"time"
)

// Sent finds the calls that may have reached their servers since a time, in the order in which that was known: of a call that
// ended its last line; of one that a kill cut off its first, which is among the entries up to a number.
func (l *Log) Sent(since time.Time, upTo uint64) ([]Entry, error) {
	ended := make(map[string]bool)
	var found []Entry
	err := l.now().entries(Query{Since: since}, func(e Entry) bool {
		switch e.Kind { //nolint:exhaustive // nothing else tells of it
		case KindOutcome:
			ended[e.CallID] = true
			if !e.Unsent {
				found = append(found, e)
			}
		case KindIntent:
			if !ended[e.CallID] && e.Seq <= upTo {
				found = append(found, e)
			}
		}
		return true
	})
	slices.Reverse(found)
	return found, err
}
