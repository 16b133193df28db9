//go:build unix

package transport

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup gives the child a process group, so that all it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// job is what other systems need to end the descendants of a child; here there are groups and marks.
type job struct{}

func adopt(*os.Process) job { return job{} }

func (job) end() {}

// ownSession gives the child a session, so that it neither reads from our terminal nor is stopped by it.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

func commandLine(*exec.Cmd, []string) error { return nil }

func signalGroup(p *os.Process, kill bool) { signalPID(-p.Pid, kill) }

// signalPID signals a process, or with a negative number a group. One that is gone is what we want.
func signalPID(pid int, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(pid, signal)
}
