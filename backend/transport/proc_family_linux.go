package transport

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// reapCheck is how long an orphan that ended may stay a zombie while its server runs.
const reapCheck = time.Second

// adoptOrphans makes us the parent of the descendants of our servers whose own parents end, instead of the first
// process of the system: nothing of a server is out of sight, and it is for us to take their exit status. What else
// this process starts sends its orphans here too; they are no family of a server and are left alone.
func adoptOrphans() {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // before Linux 3.4 the first process does as ever
}

// family is a server with all that descends from it: what carries its mark, and the children of those that do. It is
// safe for concurrent use.
type family struct {
	head int // the server itself
	mark string
	born uint64 // when the head started: what is older does not descend from it

	mu    sync.Mutex
	known map[int]uint64 // those of the last look, by pid, and when they started
}

// newFamily is the family of a process that started at start. It is taken for its head only if it carries the mark.
func newFamily(head int, start, mark string) *family {
	born, _ := strconv.ParseUint(start, 10, 64) // 0 for one that is gone: anybody may descend from it
	return &family{head: head, mark: mark, born: born, known: make(map[int]uint64)}
}

// foundFamily starts the family of a child that was just started, and gives it its mark.
func foundFamily(pid int, mark string) *family {
	setMark(pid, mark)
	f := newFamily(pid, startTime(pid), mark)
	f.known[pid] = f.born
	return f
}

// look finds the members that are there now and remembers them, since an orphan no longer tells whose it was. Those that
// ended are reaped on the way.
func (f *family) look() map[int]procStat {
	f.mu.Lock()
	defer f.mu.Unlock()
	table := make(map[int]procStat)
	members := make(map[int]procStat)
	for _, pid := range processes() {
		s, ok := readStat(pid)
		if !ok || s.start < f.born || pid == os.Getpid() {
			continue
		}
		table[pid] = s
		if start, known := f.known[pid]; known && start == s.start || hasMark(pid, f.mark) {
			members[pid] = s
		}
	}
	addChildren(members, table)
	clear(f.known)
	for pid, s := range members {
		f.known[pid] = s.start
	}
	maps.DeleteFunc(members, func(pid int, s procStat) bool { return s.zombie && !f.awaits(pid, s.parent) })
	return members
}

// awaits reports whether a zombie still has to be reaped by us: its threads may not all have ended, or it comes to us
// only when its parent, a member as well, ends.
func (f *family) awaits(pid, parent int) bool {
	if parent == os.Getpid() {
		return pid != f.head && !f.reap(pid)
	}
	_, member := f.known[parent]
	return member
}

// addChildren adds the descendants of the members.
func addChildren(members, table map[int]procStat) {
	for added := true; added; {
		added = false
		for pid, s := range table {
			_, is := members[pid]
			if _, born := members[s.parent]; born && !is {
				members[pid], added = s, true
			}
		}
	}
}

// reap takes the exit status of a member that is an orphan of ours and a zombie. That of the head is for os/exec, which
// started it and no other member.
func (f *family) reap(pid int) bool {
	if pid == f.head {
		return false
	}
	got, err := unix.Wait4(pid, nil, unix.WNOHANG, nil)
	return err == nil && got == pid
}

// reapUntil reaps the orphans of the family until ended is closed.
func (f *family) reapUntil(ended <-chan struct{}) {
	tick := time.NewTicker(reapCheck)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			f.reapOrphans()
		case <-ended:
			return
		}
	}
}

// reapOrphans looks at nothing while no child of ours is a zombie, which is nearly always.
func (f *family) reapOrphans() {
	f.mu.Lock()
	defer f.mu.Unlock()
	var zombie unix.Siginfo
	err := unix.Waitid(unix.P_ALL, 0, &zombie, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	if err != nil || zombie.Signo == 0 {
		return
	}
	for _, pid := range processes() {
		if hasNumber(pid, f.mark) {
			f.reap(pid)
		}
	}
}

func (f *family) alive() bool { return f.seesKnown() || len(f.look()) > 0 }

// seesKnown spares alive the look at all processes while one that it knows is there.
func (f *family) seesKnown() bool {
	f.mu.Lock()
	known := maps.Clone(f.known)
	f.mu.Unlock()
	return slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(pid int) bool {
		s, ok := readStat(pid)
		return ok && s.start == known[pid] && !s.zombie
	})
}

// signal asks the members to end, or kills them. The handle is taken before the look at the start time, so that a
// process that got the pid of a member meanwhile is not hit.
func (f *family) signal(kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	for pid, member := range f.look() {
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if s, ok := readStat(pid); ok && s.start == member.start {
			_ = p.Signal(signal) // one that is gone is what we want
		}
		_ = p.Release()
	}
}
