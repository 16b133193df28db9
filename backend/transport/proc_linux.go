package transport

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// A server and all that descends from it are known by a mark that they inherit, in two forms. One is a variable of the
// environment. A program may write over its own (setproctitle, perl's $0) and start others without it, so that the mark
// is also a number: the soft limit of the CPU time of real-time processes (RLIMIT_RTTIME, getrlimit(2)), at least
// unboundedTime and so without effect. It stays through fork, execve and setsid, and can be read even of a zombie.

// unboundedTime is 2^62 µs, some 146,000 years.
const unboundedTime = 1 << 62

func markNumber(mark string) uint64 {
	sum := sha256.Sum256([]byte(mark))
	return unboundedTime | binary.BigEndian.Uint64(sum[:])>>2
}

// setMark gives a process that was just started the number of its mark, and the children that it may already have. A
// limit that has an effect is left alone; so is a program that is not ours to change.
func setMark(pid int, mark string) {
	var limit unix.Rlimit
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) != nil || limit.Cur < unboundedTime {
		return
	}
	limit.Cur = markNumber(mark)
	_ = unix.Prlimit(pid, unix.RLIMIT_RTTIME, &limit, nil)
	for _, child := range childrenOf(pid) {
		setMark(child, mark)
	}
}

// childrenOf lists the children of a process; none where the kernel was built without such lists.
func childrenOf(pid int) []int {
	lists, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "children")) // the pattern is right
	var children []int
	for _, file := range lists {
		list, _ := os.ReadFile(file) // empty for one that is gone
		for field := range bytes.FieldsSeq(list) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// hasMark reports whether the process carries the mark in one of its forms. What we may not read is not ours.
func hasMark(pid int, mark string) bool { return hasNumber(pid, mark) || hasVariable(pid, mark) }

func hasNumber(pid int, mark string) bool {
	var limit unix.Rlimit
	return unix.Prlimit(pid, unix.RLIMIT_RTTIME, nil, &limit) == nil && limit.Cur == markNumber(mark)
}

func hasVariable(pid int, mark string) bool {
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

// groupAlive reports whether a group has a member that is not a zombie: those of a container whose first process
// reaps nobody stay for ever.
func groupAlive(pgid int) bool {
	if syscall.Kill(-pgid, 0) != nil {
		return false
	}
	for _, pid := range processes() {
		if s, ok := readStat(pid); ok && s.group == pgid && !s.zombie {
			return true
		}
	}
	return false
}

// procStat is what /proc/PID/stat says of a process; see proc_pid_stat(5).
type procStat struct {
	parent, group int
	start         uint64 // in clock ticks since boot; with the pid it tells a process from any other
	zombie        bool
}

// Fields of /proc/PID/stat, counted from the one after the program's name.
const (
	statState  = 0
	statParent = 1
	statGroup  = 2
	statStart  = 19
)

// readStat reads /proc/PID/stat; false when the process is gone. The program's name there is in parentheses and may
// hold anything, spaces and parentheses too.
func readStat(pid int) (procStat, bool) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return procStat{}, false
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) <= statStart {
		return procStat{}, false
	}
	parent, _ := strconv.Atoi(string(fields[statParent])) // the kernel writes numbers
	group, _ := strconv.Atoi(string(fields[statGroup]))
	start, _ := strconv.ParseUint(string(fields[statStart]), 10, 64)
	return procStat{parent: parent, group: group, start: start, zombie: fields[statState][0] == 'Z'}, true
}

// startTime is when a process started, in the words of the ledger; empty when it is gone.
func startTime(pid int) string {
	s, ok := readStat(pid)
	if !ok {
		return ""
	}
	return strconv.FormatUint(s.start, 10)
}
