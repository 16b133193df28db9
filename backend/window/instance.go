package window

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

const (
	// longestSocketPath is what every system takes: 104 bytes on macOS and 108 on Linux, the final NUL included.
	longestSocketPath = 100
	longestMessage    = 64 << 10
	messageTimeout    = 5 * time.Second
	retryPause        = 50 * time.Millisecond
)

// ErrOpenElsewhere says that a window of this data folder is open already and was told of this start.
var ErrOpenElsewhere = errors.New("a window is open already")

// Start is what somebody asked for by starting the program.
type Start struct {
	// Args are the program's arguments without its name.
	Args []string `json:"args"`
	// Folder is the working folder, against which relative arguments are meant.
	Folder string `json:"folder"`
}

// Instance is the right to be the one window of a data folder. It ends with Close, or with the process.
type Instance struct {
	lock     *flock.Flock
	listener net.Listener
	files    []string
}

// Claim makes this process the window of the run folder, which must exist. When another process is it already, that
// one is handed start and ErrOpenElsewhere is returned. An owner that is just starting or ending is waited for until
// ctx ends.
func Claim(ctx context.Context, runFolder string, start Start) (*Instance, error) {
	lock := flock.New(filepath.Join(runFolder, "window.lock"))
	address := filepath.Join(runFolder, "window.address")
	for {
		owned, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the window: %w", err)
		}
		if owned {
			return listen(ctx, lock, runFolder, address)
		}
		sendErr := send(ctx, address, start)
		if sendErr == nil {
			return nil, ErrOpenElsewhere
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("reach the open window: %w", errors.Join(ctx.Err(), sendErr))
		case <-time.After(retryPause):
		}
	}
}

// listen opens the socket that later starts speak to, and notes its path.
func listen(ctx context.Context, lock *flock.Flock, runFolder, address string) (*Instance, error) {
	i := &Instance{lock: lock, files: []string{address}}
	socket := filepath.Join(runFolder, "window.sock")
	if len(socket) > longestSocketPath {
		folder, err := os.MkdirTemp("", "apollia-")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("make a folder for the window's socket: %w", err), i.Close())
		}
		i.files = append(i.files, folder)
		socket = filepath.Join(folder, "window.sock")
	}
	// A killed window leaves its socket behind; with the lock in hand, nobody uses it.
	if err := os.Remove(socket); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("remove an old socket of the window: %w", err), i.Close())
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "unix", socket)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for later starts: %w", err), i.Close())
	}
	i.listener = listener
	if err := os.WriteFile(address, []byte(socket), 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("note where the window listens: %w", err), i.Close())
	}
	return i, nil
}

// Serve hands later starts to deliver, one at a time, until ctx ends. From then on later starts wait for Close, and
// become the window themselves.
func (i *Instance) Serve(ctx context.Context, deliver func(Start)) error {
	var open sync.WaitGroup
	defer open.Wait()
	stop := context.AfterFunc(ctx, func() { _ = i.listener.Close() })
	defer stop()
	var oneAtATime sync.Mutex
	for {
		conn, err := i.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("wait for later starts: %w", err)
		}
		open.Go(func() {
			defer func() { _ = conn.Close() }()
			start, err := receive(conn)
			if err != nil {
				return // whoever spoke gets no answer, and tries again or gives up
			}
			oneAtATime.Lock()
			defer oneAtATime.Unlock()
			deliver(start)
		})
	}
}

// Close gives the right back, so that the next start opens a window. Serve has ended by then.
func (i *Instance) Close() error {
	var errs []error
	if i.listener != nil {
		if err := i.listener.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	for _, file := range i.files {
		errs = append(errs, os.RemoveAll(file))
	}
	return errors.Join(append(errs, i.lock.Unlock())...)
}

func receive(conn net.Conn) (Start, error) {
	var start Start
	if err := conn.SetDeadline(time.Now().Add(messageTimeout)); err != nil {
		return start, fmt.Errorf("limit the time of a start: %w", err)
	}
	if err := json.NewDecoder(io.LimitReader(conn, longestMessage)).Decode(&start); err != nil {
		return start, fmt.Errorf("read a start: %w", err)
	}
	if _, err := conn.Write([]byte("ok")); err != nil {
		return start, fmt.Errorf("answer a start: %w", err)
	}
	return start, nil
}

// send hands start to the process whose socket the address file names.
func send(ctx context.Context, address string, start Start) error {
	socket, err := os.ReadFile(address)
	if err != nil {
		return fmt.Errorf("read where the window listens: %w", err)
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", string(socket))
	if err != nil {
		return fmt.Errorf("dial the window: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(messageTimeout)); err != nil {
		return fmt.Errorf("limit the time of the message: %w", err)
	}
	if err := json.NewEncoder(conn).Encode(start); err != nil {
		return fmt.Errorf("tell the window: %w", err)
	}
	answer, err := io.ReadAll(io.LimitReader(conn, 2))
	if err != nil || string(answer) != "ok" {
		return fmt.Errorf("hear the window's answer: %w", errors.Join(err, io.ErrUnexpectedEOF))
	}
	return nil
}
