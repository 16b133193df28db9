//go:build unix && !linux

package transport

import "syscall"

// groupAlive reports whether a group has a member.
func groupAlive(pgid int) bool { return syscall.Kill(-pgid, 0) == nil }
