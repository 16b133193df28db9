package transport

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// marked lists the live processes whose environment carries the mark, zombies left out.
func marked(mark string) []int {
	var found []int
	for _, pid := range processes() {
		if pid != os.Getpid() && hasMark(pid, mark) {
			found = append(found, pid)
		}
	}
	return found
}

func processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// hasMark reports whether the process carries the mark. What we may not read is not ours.
func hasMark(pid int, mark string) bool {
	environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "environ"))
	if err != nil {
		return false
	}
	want := []byte(markName + "=" + mark)
	for pair := range bytes.SplitSeq(environ, []byte{0}) {
		if bytes.Equal(pair, want) {
			return true
		}
	}
	return false
}

// groupAlive reports whether a group has a member that is not a zombie: those of a container whose first process
// reaps nobody stay for ever.
func groupAlive(pgid int) bool {
	if syscall.Kill(-pgid, 0) != nil {
		return false
	}
	group := []byte(strconv.Itoa(pgid))
	for _, pid := range processes() {
		stat := statFields(pid)
		if len(stat) > statGroup && bytes.Equal(stat[statGroup], group) && stat[statState][0] != 'Z' {
			return true
		}
	}
	return false
}

// Fields of /proc/PID/stat, counted from the one after the program's name; see proc_pid_stat(5).
const (
	statState = 0
	statGroup = 2
	statStart = 19
)

// statFields reads what follows the program's name in /proc/PID/stat; empty when the process is gone. The name is in
// parentheses and may hold anything, spaces and parentheses too.
func statFields(pid int) [][]byte {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return nil
	}
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}

// startTime is when a process started, in clock ticks since boot; empty when it is gone.
func startTime(pid int) string {
	stat := statFields(pid)
	if len(stat) <= statStart {
		return ""
	}
	return string(stat[statStart])
}
