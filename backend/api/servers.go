package api

import (
	"context"
	"net/http"
	"slices"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// ServerList is every server with its state.
type ServerList struct {
	Servers []servers.View `json:"servers"`
}

// NewServer adds a server.
type NewServer struct {
	Definition domain.Definition `json:"definition"`
	// TestID names a passed test of exactly this definition.
	TestID string `json:"test_id,omitempty"`
	// SkipTest saves without a test; only the command line offers it.
	SkipTest bool `json:"skip_test,omitempty"`
	// From is the server that this one is a copy of; its secrets are copied too.
	From string `json:"from,omitempty"`
	// Disabled saves the server switched off.
	Disabled bool `json:"disabled,omitempty"`
	// SaveToConfig appends it to config.toml instead of the store.
	SaveToConfig bool `json:"save_to_config,omitempty"`
}

// ServerChange replaces the definition of a stored server.
type ServerChange struct {
	Definition domain.Definition `json:"definition"`
	TestID     string            `json:"test_id,omitempty"`
	SkipTest   bool              `json:"skip_test,omitempty"`
}

// Health is the answer of one server to a ping.
type Health struct {
	Server string        `json:"server"`
	OK     bool          `json:"ok"`
	MS     int64         `json:"ms"`
	Error  *domain.Error `json:"error,omitempty"`
}

func (a *API) registerServers() {
	route(a, http.MethodGet, "/api/servers", "listServers", "List the servers with their states", a.listServers)
	route(a, http.MethodPost, "/api/servers", "addServer", "Add a server that passed its test", a.addServer)
	route(a, http.MethodGet, "/api/servers/{id}", "getServer", "Show one server", a.getServer)
	route(a, http.MethodPut, "/api/servers/{id}", "updateServer", "Change a server's definition", a.updateServer)
	route(a, http.MethodDelete, "/api/servers/{id}", "removeServer", "Remove a server; it can be restored for a while", a.removeServer)
	route(a, http.MethodPost, "/api/servers/{id}/roots", "changeRoots", "Change the folders that a server is told of; a running one hears so", a.changeRoots)
	route(a, http.MethodPost, "/api/servers/{id}/restore", "restoreServer", "Bring a removed server back", a.restoreServer)
	for _, op := range []struct {
		verb, id, summary string
		do                func(context.Context, string) error
		did               string
	}{
		{"enable", "enableServer", "Switch a server on", a.Servers.Enable, audit.DidEnable},
		{"disable", "disableServer", "Switch a server off", a.Servers.Disable, audit.DidDisable},
		{"connect", "connectServer", "Start the session of a server", a.Servers.Connect, audit.DidConnect},
		{"disconnect", "disconnectServer", "End the session of a server until it is connected again", a.Servers.Disconnect, audit.DidClose},
		{"reconnect", "reconnectServer", "End the session of a server and start a new one", a.Servers.Reconnect, audit.DidReopen},
	} {
		route(a, http.MethodPost, "/api/servers/{id}/"+op.verb, op.id, op.summary,
			func(ctx context.Context, in *ItemID) (*body[servers.View], error) {
				view, err := a.Servers.Get(in.ID)
				if err != nil {
					return nil, err
				}
				a.note(ctx, ofServer(view.ID, view.Name, op.did)) // a person's server is never held up by the journal
				if err := op.do(ctx, in.ID); err != nil {
					return nil, err
				}
				return a.getServer(ctx, in)
			})
	}
	route(a, http.MethodPost, "/api/servers/{id}/review", "reviewServer", "Ask anew about a server of config.toml that waits to be confirmed",
		func(_ context.Context, in *ItemID) (*body[domain.Request], error) {
			r, err := a.Servers.Review(in.ID)
			return &body[domain.Request]{r}, err
		})
	route(a, http.MethodPost, "/api/servers/{id}/health", "checkHealth", "Ping a server", a.health)
}

// ofServer is the line of a server to which something is done.
func ofServer(id, name, did string) audit.Entry {
	return audit.Entry{Kind: audit.KindServer, Server: id, Name: name, Outcome: did}
}

// beforeServer journals what a server is about to be.
func (a *API) beforeServer(ctx context.Context, did string) servers.Before {
	return func(server domain.Server) error { return a.before(ctx, ofServer(server.ID, server.Name, did)) }
}

func (a *API) listServers(context.Context, *struct{}) (*body[ServerList], error) {
	views, err := a.Servers.List()
	if err != nil {
		return nil, err
	}
	return &body[ServerList]{ServerList{Servers: views}}, nil
}

func (a *API) getServer(_ context.Context, in *ItemID) (*body[servers.View], error) {
	view, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}

func (a *API) addServer(ctx context.Context, in *struct{ Body NewServer }) (*body[servers.View], error) {
	if in.Body.Definition.DefaultVerdict == domain.Allow {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
	}
	view, err := a.Servers.Add(ctx, servers.Addition{
		Definition: in.Body.Definition, TestID: in.Body.TestID, SkipTest: in.Body.SkipTest,
		From: in.Body.From, Enabled: !in.Body.Disabled, SaveToConfig: in.Body.SaveToConfig, Before: a.beforeServer(ctx, audit.DidAdd),
		Unseen: !a.byPerson(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}

func (a *API) updateServer(ctx context.Context, in *struct {
	ItemID
	Body ServerChange
},
) (*body[servers.View], error) {
	before, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	if widens(before.Definition, in.Body.Definition) {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
	}
	view, err := a.Servers.Update(ctx, in.ID, servers.Change{
		Definition: in.Body.Definition, TestID: in.Body.TestID, SkipTest: in.Body.SkipTest, Before: a.beforeServer(ctx, audit.DidChange),
		Unseen: !a.byPerson(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}

// widens reports whether a change lets calls through that asked before, or opens a folder. What runs without asking may
// not become another program either, be it by its environment: a person let that one run.
func widens(before, after domain.Definition) bool {
	same := before.DefaultVerdict == domain.Allow && before.StartDigest() == after.StartDigest() &&
		slices.Equal(before.Env, after.Env) && before.InheritEnv == after.InheritEnv
	if after.DefaultVerdict == domain.Allow && !same {
		return true
	}
	return slices.ContainsFunc(after.Roots, func(root string) bool { return !slices.Contains(before.Roots, root) })
}

func (a *API) removeServer(ctx context.Context, in *ItemID) (*done, error) {
	view, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	a.note(ctx, ofServer(view.ID, view.Name, audit.DidRemove)) // it narrows
	if err := a.Servers.Remove(ctx, view.ID); err != nil {
		return nil, err
	}
	return &done{}, nil
}

func (a *API) restoreServer(ctx context.Context, in *ItemID) (*body[servers.View], error) {
	if err := a.before(ctx, ofServer(in.ID, in.ID, audit.DidRestore)); err != nil {
		return nil, err
	}
	view, err := a.Servers.Restore(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}

func (a *API) health(ctx context.Context, in *ItemID) (*body[Health], error) {
	view, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	start := a.Now()
	err = a.Servers.Health(ctx, view.ID)
	h := Health{Server: view.ID, OK: err == nil, MS: a.Now().Sub(start).Milliseconds(), Error: domain.AsError(err)}
	return &body[Health]{h}, nil
}
