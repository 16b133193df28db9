package core

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/transport"
)

// shellTime is how long a login shell may take to say its PATH. Servers that are programs wait for it.
const shellTime = 5 * time.Second

// loginPath is the PATH of the person's login shell, once it is known.
type loginPath struct {
	settled chan struct{} // closed when nothing more will be learnt

	mu   sync.Mutex
	path string
}

func newLoginPath() *loginPath { return &loginPath{settled: make(chan struct{})} }

// learn asks the login shell, unless we were started by one. It is called once.
func (l *loginPath) learn(ctx context.Context, c *Core) {
	defer close(l.settled)
	if terminal, _ := c.lookup("TERM"); terminal != "" || runtime.GOOS == "windows" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, shellTime)
	defer cancel()
	path, err := transport.LoginPath(ctx, c.options.Environ)
	if err != nil {
		c.options.Logger.Info("login shell not asked for its PATH", "error", err)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.path = path
}

func (l *loginPath) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.path
}

// searchPath is where programs are looked for: where the login shell looks, then where we do.
func (c *Core) searchPath() string {
	ours, _ := c.lookup("PATH")
	if login := c.login.get(); login != "" {
		return transport.MergePaths(login, ours)
	}
	return ours
}

// surround waits until nothing of a killed core is in the way of a server and until it is known where its program may
// be, and gives the program what it gets from us besides what its definition names.
func (c *Core) surround(ctx context.Context, d domain.Definition) (domain.Definition, error) {
	if err := c.awaitSweep(ctx); err != nil || d.Transport != domain.Stdio {
		return d, err
	}
	select {
	case <-c.login.settled:
	case <-ctx.Done():
		return d, ctx.Err()
	}
	var given []domain.Variable
	if c.login.get() != "" {
		given = append(given, domain.Variable{Name: "PATH", Value: c.searchPath()})
	}
	// Programs of Node take it besides the system's authorities; what others take replaces them.
	if file := c.setting("tls.ca_file"); file != "" {
		if _, own := c.lookup(nodeAuthorities); !own {
			given = append(given, domain.Variable{Name: nodeAuthorities, Value: file})
		}
	}
	d.Env = slices.Concat(given, d.Env) // of two of a name, the last one counts
	return d, nil
}

const nodeAuthorities = "NODE_EXTRA_CA_CERTS"
