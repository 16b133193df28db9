//go:build unix

package transport

import (
	"os"
	"syscall"
)

// exitSignal names the signal that ended a process, empty when it ended by itself.
func exitSignal(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
