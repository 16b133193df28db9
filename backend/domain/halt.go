package domain

import "time"

// Halt says that a person stopped all calls. It holds, over restarts too, until somebody resumes them.
type Halt struct {
	By Caller    `json:"by"`
	At time.Time `json:"at"`
	// Canceled counts the calls that ran, or waited for a person, and were ended by it.
	Canceled int `json:"canceled"`
}
