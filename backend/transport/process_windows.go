package transport

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup keeps our own Ctrl-C from the child and a console window from the screen.
func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW
	cmd.SysProcAttr.HideWindow = true
}

func ownSession(cmd *exec.Cmd) { ownGroup(cmd) }

// commandLine sets the line that a batch file needs, since exec quotes only for programs.
func commandLine(cmd *exec.Cmd, environ []string) error {
	if !isBatch(cmd.Path) {
		return nil
	}
	comspec := variable(environ, "COMSPEC", "windows")
	line, err := windowsCommandLine(comspec, cmd.Path, cmd.Args[1:])
	if err != nil {
		return err
	}
	cmd.Path = comspec
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: line}
	return nil
}

// signalGroup ends the child. Windows has no way to ask a process without a window.
func signalGroup(p *os.Process, kill bool) { _ = p.Kill() }

func signalPID(int, bool) {}

func groupAlive(int) bool { return false }
