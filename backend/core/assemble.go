package core

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/folders"
	"apollia.fr/connexions/backend/lan"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/pool"
	"apollia.fr/connexions/backend/servers"
)

// road is the way of a call, from the door to the pool. It reads like the drawing in docs/architecture.md section 5.
func (c *Core) road() domain.CallFunc {
	written := journal{c.record, c.wholeArguments}
	return pipeline.Build(c.modules.Or(c.pool.Call),
		pipeline.Record(written, c.options.Now, c.options.Logger),
		pipeline.Recover(c.options.Logger),
		c.brake.Hold,
		pipeline.Stream(c.middlewareFor),
		pipeline.Resolve(c.modules),
		pipeline.Foresee(c.budgets.Check(c.middlewareFor), c.breakers.Check(c.middlewareFor)),
		pipeline.Authorize(c.rulesFor, c.modules, desk{c.inbox, c.answer}, written.Verdict),
		pipeline.CrossContext(c.contexts, c.middlewareFor),
		pipeline.Dedup(c.turns, c.middlewareFor),
		pipeline.Cache(c.kept, c.cacheFor),
		pipeline.SemanticCache(c.searches, c.kept, c.cacheFor, c.middlewareFor),
		pipeline.Heal(c.shelf.alternatives, c.middlewareFor),
		c.budgets.Stage(c.middlewareFor),
		pipeline.Retry(c.middlewareFor, pipeline.StillAllowed(c.rulesFor)),
		c.breakers.Stage(c.middlewareFor),
		pipeline.Deadline(c.limits),
		pipeline.Unknown(),
	)
}

// duration reads a setting given in seconds.
func (c *Core) duration(key string) time.Duration {
	d, err := time.ParseDuration(c.setting(key) + "s")
	if err != nil {
		return 0
	}
	return d
}

func (c *Core) poolOptions() pool.Options {
	return pool.Options{
		Expand: func(ctx context.Context, s domain.Server) (domain.Definition, error) {
			d, err := c.expand(s.Definition, s.ID)
			if err != nil {
				return domain.Definition{}, err
			}
			if d, err = c.surround(ctx, d); err != nil {
				return domain.Definition{}, err
			}
			return c.withToken(ctx, s.ID, d)
		},
		Folder:      c.checkFolder,
		Authorize:   c.authorize,
		Authorities: c.authorities,
		Answerer:    c.human,
		Publish:     c.hub.Publish,
		Offers:      c.store,
		Listed: func(serverID, version string, tools []domain.Tool) {
			c.kept.Empty(serverID) // it is another one now, or says that it is
			if err := c.servers.Listed(serverID, version, tools); err != nil {
				c.options.Logger.Error("compare the tools with those accepted", "server", serverID, "error", err)
			}
		},
		Ledger:  c.ledger,
		LogDir:  filepath.Join(c.options.Home, "logs", "servers"), // logs itself is the owner's
		Environ: c.options.Environ,
		Logger:  c.options.Logger,
		Version: c.options.Version,
	}
}

func (c *Core) serverOptions() servers.Options {
	return servers.Options{
		Store: c.store, Vault: c.vault, Pool: c.pool, OAuth: c.oauth,
		ConfigPath: c.file.path, Config: c.file.get, Reload: c.file.reload,
		Expand: c.expand, Probe: c.probe, Scan: pins.NewScanner().Scan, Pins: c.pins, Rules: c.rules, Folder: c.checkFolder,
		Inbox: c.inbox, ConfirmsItself: func() bool { return c.setting("approvals.from_cli") == "always" },
		Network: c.network.browser.Sight, Reach: lan.Answering, Own: own,
		Environ: c.lookup, SearchPath: c.searchPath, LastCall: c.last.of, Resident: c.options.Role != Command,
		Publish: c.hub.Publish, Now: c.options.Now,
	}
}

// checkFolder refuses a folder that no server may be told of.
func (c *Core) checkFolder(folder string) error { return folders.Check(c.options.Home, folder) }

// probe tests a definition, once nothing of a killed core is in its way.
func (c *Core) probe(ctx context.Context, id string, d domain.Definition, progress func(domain.TestReport)) domain.TestReport {
	d, err := c.surround(ctx, d)
	if err != nil {
		return domain.TestReport{Transport: d.Transport, Error: domain.AsError(err)}
	}
	if d, err = c.withToken(ctx, id, d); err != nil {
		return domain.TestReport{Transport: d.Transport, Error: domain.AsError(err)}
	}
	return c.pool.Probe(ctx, id, d, progress)
}

func (c *Core) apiParts() api.Parts {
	return api.Parts{
		Version: c.options.Version, DataFolder: c.options.Home,
		Servers: c.servers, Call: c.road(), Toolbox: c.toolbox, Inbox: c.inbox, Governance: c.store, Settings: c.store,
		Answer: c.answer, Audit: c.audit, Record: c.record, Hub: c.hub,
		Config: c.file.get, Setting: c.setting, CheckSetting: c.checkSetting, Explain: c.explain,
		Environment: c.overridden, Rules: c.rules, Model: c.model, Texts: c.human.Texts,
		Kept: c.kept, Breakers: c.breakers, Budgets: c.budgets,
		Instance: c.instance, Secrets: c.whereSecrets,
		CheckSecrets: c.checkSecrets, RenewKey: c.renewKey,
		Network: c.sight, Look: c.network.browser.Look, Announced: c.announced,
		Problems: c.Problems, RulesLost: c.lostRules,
		StopCalls: c.stopCalls, ResumeCalls: c.resumeCalls, Halt: c.brake.Halt, SignInLink: c.SignInLink, Doctor: c.doctor, Stop: c.Stop,
		Logger: c.options.Logger, Now: c.options.Now,
	}
}

// instance says who owns the data folder: this process.
func (c *Core) instance() api.Instance {
	i := api.Instance{PID: os.Getpid(), Owner: string(c.options.Role)}
	i.Problem = c.listenProblem
	if c.listener != nil {
		i.URL, i.MCPURL = c.listener.url, c.listener.url+"/mcp"
	}
	return i
}

// doctor looks the machine over.
func (c *Core) doctor(ctx context.Context) []doctor.Finding {
	return doctor.Examine(ctx, doctor.Patient{
		Home: c.options.Home, SearchPath: c.searchPath(), Lookup: c.lookup, Problems: c.ownProblems(),
		Secrets: func(ctx context.Context) (string, *domain.Error) {
			place := c.checkSecrets(ctx)
			return place.Kind, place.Reason
		},
	})
}

// siteOf is the URL of a server, "" for a program.
func (c *Core) siteOf(server string) string {
	view, err := c.servers.Get(server)
	if err != nil {
		return ""
	}
	return view.URL
}
