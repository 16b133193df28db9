package transport

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"slices"
	"time"
)

// How long a process may take to end by itself, then after being asked to.
const (
	closeGrace = 2 * time.Second
	termGrace  = 3 * time.Second
	// drainGrace is how long the output of a process that ended is still read when something keeps it open, drainLimit
	// when nothing of it is left that could: then the output ends by itself.
	drainGrace = 20 * time.Millisecond
	drainLimit = time.Second
	goneCheck  = 10 * time.Millisecond
)

// process is one child with its own process group and our ends of its three pipes.
type process struct {
	cmd    *exec.Cmd
	family *family
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	job    job
	// exited is closed once the child itself was waited for; state is set before.
	exited chan struct{}
	state  *os.ProcessState
}

// minMark is the length of a mark, which newMark always reaches.
const minMark = 26

func newMark() string { return rand.Text() }

// spawn starts cmd with pipes of our own: exec's would be closed by Wait while they still hold output.
func spawn(cmd *exec.Cmd, mark string) (*process, error) {
	p := &process{cmd: cmd, exited: make(chan struct{})}
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			_ = f.Close()
		}
	}()
	stdin, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	theirs, p.stdin = append(theirs, stdin), ours
	for _, out := range []**os.File{&p.stdout, &p.stderr} {
		r, w, err := os.Pipe()
		if err != nil {
			p.closePipes()
			return nil, err
		}
		*out, theirs = r, append(theirs, w)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	ownGroup(cmd)
	adoptOrphans()
	if err := cmd.Start(); err != nil {
		p.closePipes()
		return nil, err
	}
	p.family, p.job = foundFamily(cmd.Process.Pid, mark), adopt(cmd.Process)
	return p, nil
}

func (p *process) closePipes() {
	for _, f := range []*os.File{p.stdin, p.stdout, p.stderr} {
		if f != nil {
			_ = f.Close()
		}
	}
}

// wait waits for the child and then closes exited. It must be called once, on a goroutine of the owner.
func (p *process) wait() {
	// How it ended is in state; an error of Wait says nothing more, since all pipes are ours.
	_ = p.cmd.Wait()
	p.state = p.cmd.ProcessState
	close(p.exited)
}

// end makes the child go: its input closes, then it is asked, then it is killed. It returns when the child is gone.
// Before each step its family is looked at, since those whose parent ends can no longer be told by it.
func (p *process) end() {
	p.family.look()
	_ = p.stdin.Close()
	if waitFor(p.exited, closeGrace) {
		return
	}
	p.family.look()
	signalGroup(p.cmd.Process, false)
	if waitFor(p.exited, termGrace) {
		return
	}
	p.family.look()
	signalGroup(p.cmd.Process, true)
	<-p.exited
}

// endRest ends what the child left behind: the rest of its group, and its family elsewhere. It is called when the child
// is gone.
func (p *process) endRest() {
	p.job.end()
	rest := p.remains()
	if !rest.alive() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), termGrace)
	defer cancel()
	endAll(ctx, []remains{rest})
}

// drainTime is how long what the child wrote is still read once it has ended. Calls in flight wait for it.
func (p *process) drainTime() time.Duration {
	if p.remains().alive() {
		return drainGrace
	}
	return drainLimit
}

func (p *process) remains() remains { return remains{group: p.cmd.Process.Pid, family: p.family} }

// remains is what may be left of a child: its process group, 0 when that is not proved to be its own, and its family.
type remains struct {
	group  int
	family *family
}

func (r remains) alive() bool { return r.group != 0 && groupAlive(r.group) || r.family.alive() }

func (r remains) signal(kill bool) {
	if r.group != 0 {
		signalPID(-r.group, kill)
	}
	r.family.signal(kill)
}

// killGrace is how long killed processes may take to disappear.
const killGrace = 2 * time.Second

// endAll asks all of them to end, waits until they are gone or ctx ends, and then kills those that are left. They end
// at the same time, so that many take no longer than the slowest.
func endAll(ctx context.Context, all []remains) {
	for _, r := range all {
		r.signal(false)
	}
	left := awaitGone(ctx, all, func(remains) {})
	ctx, cancel := context.WithTimeout(context.Background(), killGrace)
	defer cancel()
	// Again and again, for what is started meanwhile.
	awaitGone(ctx, left, func(r remains) { r.signal(true) })
}

// awaitGone waits until all are gone or ctx ends, and returns those that are not. It does something about those that
// are left at each look.
func awaitGone(ctx context.Context, all []remains, do func(remains)) []remains {
	tick := time.NewTicker(goneCheck)
	defer tick.Stop()
	left := slices.Clone(all)
	for {
		left = slices.DeleteFunc(left, func(r remains) bool { return !r.alive() })
		if len(left) == 0 {
			return nil
		}
		for _, r := range left {
			do(r)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return left
		}
	}
}

func waitFor(done <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}

// giveUpReading makes reads of the child's output end soon, for the case that a descendant elsewhere keeps it open.
func (p *process) giveUpReading(after time.Duration) {
	limit := time.Now().Add(after)
	for _, f := range []*os.File{p.stdout, p.stderr} {
		if err := f.SetReadDeadline(limit); errors.Is(err, os.ErrNoDeadline) {
			_ = f.Close()
		}
	}
}
