//go:build unix

package native

import "syscall"

// withoutWaiting keeps the opening of a pipe that nobody writes to from waiting for a writer.
const withoutWaiting = syscall.O_NONBLOCK
