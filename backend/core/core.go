// Package core puts the parts together, starts and stops them.
package core

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/browser"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/events"
	"apollia.fr/connexions/backend/human"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/model"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/owner"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/pool"
	"apollia.fr/connexions/backend/secrets"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/store"
	"apollia.fr/connexions/backend/toolbox"
	"apollia.fr/connexions/backend/transport"
)

// Role says what kind of owner a process is.
type Role string

// The window and serve own the data folder for long; a command only while it runs, and it starts no server by itself.
const (
	Window  Role = "window"
	Serve   Role = "serve"
	Command Role = "command"
)

// lockWait is how long a role waits for the data folder. A window and serve may meet a command that is about to end; a
// command that meets an owner talks to it instead.
func (r Role) lockWait() time.Duration {
	if r == Command {
		return 0
	}
	return time.Second
}

// Options say where and as what the core runs.
type Options struct {
	// Home is the data folder; see config.Home.
	Home    string
	Version string
	Role    Role
	// UI is the built web interface.
	UI fs.FS
	// Environ is our environment as "NAME=value" entries.
	Environ []string
	// ServersAfter holds the servers back until it is closed; nil starts them at once. A window has its page first.
	ServersAfter <-chan struct{}
	// Modules are native modules, beside the servers.
	Modules []toolbox.Module
	Logger  *slog.Logger
	Now     func() time.Time
}

// Core is the whole product without a door of its own. Its fields are the parts, in the order they are opened.
type Core struct {
	options  Options
	lock     *owner.Lock
	store    *store.Store
	file     *configFile
	vault    *secrets.Vault
	hub      *events.Hub
	audit    *audit.Log
	last     *lastCalls
	inbox    *inbox.Inbox
	pins     *pins.Book
	brake    *pipeline.Brake
	kept     *pipeline.Kept
	turns    *pipeline.Kept
	contexts *pipeline.Contexts
	searches *pipeline.Searches
	breakers *pipeline.Breakers
	budgets  *pipeline.Budgets
	ledger   *transport.Ledger
	login    *loginPath
	oauth    *oauth.Client
	model    *model.Client
	human    *human.Human
	tokens   tokenClock
	pool     *pool.Pool
	servers  *servers.Service
	natives  *nativeModules
	modules  *toolbox.Modules
	shelf    *shelfOfTools
	toolbox  *toolbox.Toolbox
	network  *network
	api      *api.API
	listener *listener // nil until Listen
	// listenProblem says why there is no listener.
	listenProblem *domain.Error

	// swept is closed when nothing of a killed core is left: only then may a server start, since a server that starts
	// meanwhile would be taken for a leftover, or find its port and its files in use.
	swept    chan struct{}
	stopped  chan struct{} // closed when somebody asked the core to end
	stopOnce sync.Once
	// journalAtOpen is the last entry of those before us, whose open calls are ended once.
	journalAtOpen uint64
	// endedApprovals are those for a session of an earlier core.
	endedApprovals []domain.Approval
	// lapsed are the requests that waited when an earlier core ended.
	lapsed     []domain.Request
	killedOnce sync.Once
	// background is what runs until Close: the watcher, the sweep of leftovers, the emptying of the trash.
	background sync.WaitGroup
	end        context.CancelFunc
}

// Open takes the data folder and builds everything on it. For the window and serve it also starts the servers, in the
// background: nothing slow stands before ready. Close ends it all. Errors: CodeFolderBusy, CodeFolderForeign,
// CodeReadOnly, CodeDBNewer; a damaged database is set aside and told by Problems.
func Open(ctx context.Context, o Options) (*Core, error) {
	lock, err := owner.Take(ctx, o.Home, o.Role.lockWait())
	if err != nil {
		return nil, err
	}
	c := &Core{
		options: o, lock: lock, swept: make(chan struct{}), stopped: make(chan struct{}), hub: events.New(), login: newLoginPath(), tokens: newTokenClock(),
	}
	if err := c.open(); err != nil {
		return nil, errors.Join(err, c.Close(ctx))
	}
	background, end := context.WithCancel(context.WithoutCancel(ctx))
	c.end = end
	if o.Role == Command {
		close(c.swept) // the next long-lived owner sweeps
		close(c.login.settled)
		return c, nil
	}
	c.background.Go(func() { c.login.learn(background, c) })
	c.background.Go(func() { c.keepTokens(background) })
	c.background.Go(func() { c.run(background) })
	return c, nil
}

// open builds the parts, each on those before it.
func (c *Core) open() error {
	o := c.options
	var err error
	if c.store, err = store.Open(o.Home, store.Options{}); err != nil {
		return err
	}
	if err := c.endSessions(); err != nil {
		return err
	}
	browser.Tidy(o.Home, time.Now())
	c.file = newConfigFile(o.Home, o.Logger)
	c.vault = secrets.Open(o.Home, c.store, secrets.Options{Environ: o.Environ, Now: o.Now, Override: c.ownKey, Found: c.keyFound})
	c.audit, err = audit.Open(filepath.Join(o.Home, "audit"), c.store, journalKey{c.vault}, audit.Options{
		Now: o.Now, KeepDays: c.keepJournal, Logger: o.Logger,
	})
	if err != nil {
		return fmt.Errorf("open the journal: %w", err)
	}
	c.journalAtOpen = c.audit.Last()
	c.file.changing = c.recordAll
	c.last = newLastCalls(c.audit)
	c.inbox = inbox.New(c.store, c.hub.Publish, inbox.Options{
		Expiry: func() time.Duration { return time.Duration(c.number("approvals.wait_minutes")) * time.Minute },
		Now:    o.Now, Answering: c.answering, Answered: c.answered, Ending: c.unanswered, Logger: o.Logger,
	})
	if c.lapsed, err = c.inbox.Recover(context.Background()); err != nil {
		return fmt.Errorf("open the inbox: %w", err)
	}
	c.pins = pins.NewBook(c.pinOptions())
	if err := c.pins.Recover(); err != nil {
		return fmt.Errorf("keep what was accepted last: %w", err)
	}
	halt, err := c.store.Halt()
	if err != nil {
		return fmt.Errorf("read whether calls are stopped: %w", err)
	}
	c.brake = pipeline.NewBrake(halt)
	c.openStages()
	c.ledger = transport.NewLedger(filepath.Join(o.Home, "run", "children"))
	c.oauth = oauth.New(c.oauthOptions())
	c.model = model.New(c.modelOptions())
	c.human = human.New(desk{c.inbox, c.answer}, c.humanOptions())
	if err := c.recall(); err != nil {
		return fmt.Errorf("count what servers asked for lately: %w", err)
	}
	c.pool = pool.New(c.poolOptions())
	c.network = c.newNetwork()
	c.servers = servers.New(c.serverOptions())
	if err := c.servers.RecoverSetups(); err != nil {
		c.options.Logger.Error("do what was decided about config.toml", "error", err)
	}
	if err := c.servers.ReviewSetups(); err != nil { // nothing starts that is not confirmed
		c.options.Logger.Error("compare config.toml with what was confirmed", "error", err)
	}
	c.natives = &nativeModules{core: c}
	c.modules = toolbox.NewModules(c.natives.now, c.servers)
	c.toolbox = c.newToolbox()
	c.api = api.New(c.apiParts())
	return nil
}

// run is what a long-lived owner does after it is ready.
func (c *Core) run(ctx context.Context) {
	c.background.Go(func() {
		c.lookForKey(ctx)
		c.endKilled()
	})
	c.sweep(ctx)
	if after := c.options.ServersAfter; after != nil {
		select {
		case <-after:
		case <-ctx.Done():
			return
		}
	}
	c.background.Go(func() { c.followNetwork(ctx) })
	c.sync()
	if err := c.servers.EmptyTrash(); err != nil {
		c.options.Logger.Error("empty the trash", "error", err)
	}
	err := config.Watch(ctx, config.Path(c.options.Home), func(read config.Config, err error) {
		c.file.replace(read, err)
		c.sync()
		if why := c.vault.Where(ctx).Reason; why != nil && refusesCalls(why.Code) {
			c.lookForKey(ctx) // the file may name it now
		}
		c.hub.Publish(domain.Event{Topic: domain.TopicPolicy})
		c.hub.Publish(domain.Event{Topic: domain.TopicSettings})
		c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	})
	if err != nil && ctx.Err() == nil {
		c.options.Logger.Error("watch config.toml", "error", err)
	}
}

// sweep ends what a killed core left running.
func (c *Core) sweep(ctx context.Context) {
	defer close(c.swept)
	leftovers, err := c.ledger.Sweep(ctx)
	if err != nil {
		c.options.Logger.Error("sweep leftover processes", "error", err)
	}
	for _, left := range leftovers {
		c.options.Logger.Info("ended a process that a killed Apollia left behind", "server", left.Server, "pid", left.PID)
	}
}

// awaitSweep waits until nothing of a killed core is left, or ctx ends.
func (c *Core) awaitSweep(ctx context.Context) error {
	select {
	case <-c.swept:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Core) sync() {
	if err := c.servers.Sync(); err != nil {
		c.options.Logger.Error("start the servers", "error", err)
	}
}

// Handler serves the API to a caller that is already known.
func (c *Core) Handler(who api.Principal) http.Handler { return c.api.Handler(who) }

// OpenAPI is the description of the API.
func (c *Core) OpenAPI() ([]byte, error) { return c.api.OpenAPI() }

// Subscribe tells what changes until the returned function is called.
func (c *Core) Subscribe() (<-chan domain.Event, func()) { return c.hub.Subscribe() }

// Stopped is closed when a caller of the API asked the owner to end.
func (c *Core) Stopped() <-chan struct{} { return c.stopped }

// Stop asks the owner to end; whoever opened the core then closes it.
func (c *Core) Stop() { c.stopOnce.Do(func() { close(c.stopped) }) }

// Close ends everything, last opened first, and gives the data folder up. A server that does not end in good order is
// killed after a few seconds. ctx bounds the wait for them all: when it ends first, Close says that some are left, and
// the next owner sweeps them.
func (c *Core) Close(ctx context.Context) error {
	var errs []error
	// Event streams, calls and tests end before the door closes, so that those who wait for them are answered and the
	// door need not wait for anybody.
	c.hub.Close()
	if c.api != nil {
		c.api.Close()
	}
	if c.servers != nil {
		c.servers.Close()
	}
	if c.listener != nil {
		errs = append(errs, c.listener.close(ctx))
	}
	if c.end != nil {
		c.end()
	}
	c.background.Wait()
	if c.network != nil {
		c.network.close()
	}
	if c.pool != nil {
		errs = append(errs, c.pool.Close(ctx))
	}
	if c.oauth != nil {
		c.oauth.Close()
	}
	if c.inbox != nil {
		c.inbox.Close()
	}
	if c.audit != nil && c.options.Role == Command && len(c.file.sinceLast)+len(c.endedApprovals)+len(c.lapsed) > 0 {
		c.endKilled() // nobody will know of these later
	}
	if c.audit != nil {
		errs = append(errs, c.audit.Close())
	}
	if c.store != nil {
		errs = append(errs, c.store.Close())
	}
	browser.Tidy(c.options.Home, time.Now())
	return errors.Join(append(errs, c.lock.Release())...)
}
