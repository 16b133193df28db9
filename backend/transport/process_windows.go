package transport

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

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

// job holds the child and everything it starts: when its last handle closes, by us or because we die, Windows ends all
// of them. Its zero value holds nothing.
type job struct{ handle windows.Handle }

// adopt puts a child into a job of its own. What it starts before that, in its first instants, stays outside. A child
// that cannot be put into one runs without.
func adopt(p *os.Process) job {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return job{}
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = assign(handle, uint32(p.Pid))
	}
	if err != nil {
		_ = windows.CloseHandle(handle)
		return job{}
	}
	return job{handle: handle}
}

func assign(handle windows.Handle, pid uint32) error {
	child, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(child) }()
	return windows.AssignProcessToJobObject(handle, child)
}

// end ends whatever is left in the job. It is called once.
func (j job) end() {
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, 1)
		_ = windows.CloseHandle(j.handle)
	}
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
