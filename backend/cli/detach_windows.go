package cli

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives the program a process group of its own and no console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.DETACHED_PROCESS}
}
