package core

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// idleEnd is how long an owner that a command started lives on after the last request.
const idleEnd = 60 * time.Second

// listener is the loopback door of an owner.
type listener struct {
	url    string
	guard  *api.Guard
	server *http.Server
	done   sync.WaitGroup
	// active counts requests under way; last is when one ended, as Unix nanoseconds.
	active atomic.Int64
	last   atomic.Int64
}

// Address is where an owner listens: what was asked for, else APOLLIA_LISTEN, else the setting.
func (c *Core) Address(asked string) string {
	if asked != "" {
		return asked
	}
	if _, address := c.overridden(listenSetting); address != "" {
		return address
	}
	return c.setting(listenSetting)
}

const listenSetting = "server.listen"

// overridden is the variable of our environment that counts in place of a setting, with its value.
func (c *Core) overridden(key string) (variable, value string) {
	const listen = "APOLLIA_LISTEN"
	if address, ok := c.lookup(listen); ok && address != "" && key == listenSetting {
		return listen, address
	}
	return "", ""
}

// Listen opens the door on a loopback address and publishes the instance. CodePortBusy when another program has the
// port, and it is never silently another one, since the files of other programs hold it. The window goes on without.
func (c *Core) Listen(ctx context.Context, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !loopback(host) {
		return c.cannotListen(&domain.Error{
			Code: domain.CodeAddressConfig, Message: "the address " + address + " is not one of this computer's own",
			Hint: "Use 127.0.0.1:PORT, [::1]:PORT or localhost:PORT.", Args: map[string]string{"address": address},
		})
	}
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return c.cannotListen(listenError(address, err))
	}
	_, port, _ := net.SplitHostPort(socket.Addr().String())
	token := rand.Text() + rand.Text()
	l := &listener{
		url:   "http://" + net.JoinHostPort(host, port),
		guard: api.NewGuard(c.api, token, port, spa(c.options.UI)),
	}
	l.last.Store(c.options.Now().UnixNano())
	l.server = &http.Server{Handler: l.counted(c.options.Now), ReadHeaderTimeout: 10 * time.Second}
	err = c.lock.Publish(owner.Instance{URL: l.url, Token: token, Version: c.options.Version, PID: os.Getpid()})
	if err != nil {
		return errors.Join(c.cannotListen(domain.AsError(err)), socket.Close())
	}
	l.done.Go(func() {
		if err := l.server.Serve(socket); !errors.Is(err, http.ErrServerClosed) {
			c.options.Logger.Error("serve", "error", err)
			c.Stop()
		}
	})
	c.listener = l
	return nil
}

func (c *Core) cannotListen(err *domain.Error) error {
	c.listenProblem = err
	return err
}

func listenError(address string, err error) *domain.Error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return &domain.Error{
			Code: domain.CodePortBusy, Message: "another program listens on " + address,
			Hint: "End it, or choose another port: [server] listen in config.toml, or APOLLIA_LISTEN.",
			Args: map[string]string{"address": address}, Cause: err,
		}
	}
	return &domain.Error{
		Code: domain.CodeAddressConfig, Message: "cannot listen on " + address + ": " + err.Error(),
		Hint: "Choose another address: [server] listen in config.toml, or APOLLIA_LISTEN.",
		Args: map[string]string{"address": address}, Cause: err,
	}
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// SignInLink makes a one-time link for a browser. CodeNotRunning when nothing listens.
func (c *Core) SignInLink() (string, error) {
	if c.listener == nil {
		return "", &domain.Error{
			Code: domain.CodeNotRunning, Message: "nothing listens for a browser", Hint: "Start it with: apollia serve",
		}
	}
	return c.listener.url + c.listener.guard.SignInPath(), nil
}

// URL is the base address, or empty when nothing listens.
func (c *Core) URL() string {
	if c.listener == nil {
		return ""
	}
	return c.listener.url
}

// StopWhenIdle asks the core to end a minute after the last request and the last call. It returns when ctx ends.
func (c *Core) StopWhenIdle(ctx context.Context) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		quiet := c.options.Now().UnixNano() - c.listener.last.Load()
		if c.listener.active.Load() == 0 && c.api.Running() == 0 && quiet > int64(idleEnd) {
			c.Stop()
			return
		}
	}
}

func (l *listener) counted(now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.active.Add(1)
		defer func() {
			l.last.Store(now().UnixNano())
			l.active.Add(-1)
		}()
		l.guard.ServeHTTP(w, r)
	})
}

// close lets requests under way finish for a moment: the answer to "stop" is one of them. The others are cut.
func (l *listener) close(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if l.server.Shutdown(bounded) != nil {
		if err := l.server.Close(); err != nil {
			return fmt.Errorf("close the listener: %w", err)
		}
	}
	l.done.Wait()
	return nil
}
