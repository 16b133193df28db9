//go:build unix

package mcptest

import (
	"os/exec"
	"syscall"
)

// detach takes a child out of our process group and session.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
