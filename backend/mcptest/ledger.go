package mcptest

import (
	"errors"
	"os"
	"strings"
)

// enter adds a line to the ledger, in one write that a kill cannot cut.
func (o Options) enter(message string) error {
	if o.Ledger == "" {
		return nil
	}
	file, err := os.OpenFile(o.Ledger, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(message + "\n")
	return errors.Join(err, file.Close())
}

// stumbles says whether the process ends at a call that was entered.
func (o Options) stumbles(message string) bool {
	if !o.is(Stumble) {
		return false
	}
	ran, err := ReadLedger(o.Ledger)
	return err == nil && ran[message] == 1
}

// ReadLedger counts the calls that servers ran with each message.
func ReadLedger(path string) (map[string]int, error) {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	ran := make(map[string]int)
	for line := range strings.Lines(string(content)) {
		ran[strings.TrimSuffix(line, "\n")]++
	}
	return ran, nil
}
