package core

import (
	"context"
	"hash/maphash"
	"sync"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/search"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/toolbox"
)

// shelfOfTools is what agents find tools in: it follows what the servers offer.
type shelfOfTools struct {
	core  *Core
	index *search.Index

	mu   sync.Mutex
	seed maphash.Seed
	// known is what of each server is in the index.
	known map[string]uint64
}

func (c *Core) newToolbox() *toolbox.Toolbox {
	return toolbox.New(toolbox.Options{
		Offers: c.shelf, Finder: c.shelf.index, Call: c.road(), SignIn: c.offerSignIn, Servers: managed{c}, Readings: managed{c},
	})
}

func newShelfOfTools(c *Core) *shelfOfTools {
	return &shelfOfTools{core: c, index: search.New(), seed: maphash.MakeSeed(), known: make(map[string]uint64)}
}

// offerSignIn gives an agent the sign-in that its call lacks. The answer comes to our own callback where we listen.
func (c *Core) offerSignIn(ctx context.Context, caller domain.Caller, server string) *toolbox.RequiresOAuthMetadata {
	view, err := c.servers.Get(server)
	if err != nil {
		return nil
	}
	wish := servers.SignInWish{Server: view.ID, By: caller}
	if own := c.instance().URL; own != "" {
		wish.RedirectURI = own + "/api/apps/" + servers.LocalApp + "/oauth/callback"
	}
	offered, _, err := c.servers.OfferSignIn(ctx, wish)
	if err != nil {
		return nil // the error of the call says all there is to say
	}
	needed := api.Requires(view, offered).Metadata
	return &needed
}

// Offered gives the tools that a caller may call, after the index has them all: what is listed now is found now.
func (s *shelfOfTools) Offered(_ context.Context, caller domain.Caller) ([]toolbox.Offered, error) {
	views, err := s.followed(caller)
	if err != nil {
		return nil, err
	}
	rules, err := s.core.rulesFor(domain.Call{Caller: caller})
	if err != nil {
		return nil, err
	}
	offered := s.core.modules.Offered(caller, func(call domain.Call, target domain.Target) domain.Verdict {
		return pipeline.Verdict(call, target, rules).Verdict
	})
	refs := make([]naming.Ref, len(views))
	for i, v := range views {
		refs[i] = naming.Ref{Server: v.Server, Tool: v.Name}
	}
	wires := naming.NewNames(refs)
	for _, v := range views {
		if v.Verdict == domain.Deny || v.Held {
			continue // what would be refused is not there
		}
		wire, _ := wires.Wire(v.Server, v.Name)
		offered = append(offered, toolbox.Offered{
			Tool: v.Tool, FQN: v.FQN, Wire: wire, Module: naming.Module(v.Server), Source: toolbox.SourceOf(v.Server), Asks: v.Verdict == domain.Ask,
		})
	}
	return offered, nil
}

// alternatives finds tools that may do what a call was for, among those that its caller may call.
func (s *shelfOfTools) alternatives(ctx context.Context, call domain.Call, elsewhere bool, most int) []string {
	offered, err := s.Offered(ctx, call.Caller)
	if err != nil {
		return nil // there is no more to say than what failed
	}
	may := make(map[string]bool, len(offered))
	for _, tool := range offered {
		may[tool.FQN] = !elsewhere || tool.Server != call.Server
	}
	return s.index.Alternatives(naming.FQN(call.Server, call.Name), most, func(fqn string) bool { return may[fqn] })
}

// Unlisted reports whether a server is switched on and nobody knows its tools yet.
func (s *shelfOfTools) Unlisted(server string) bool {
	view, err := s.core.servers.Get(server)
	return err == nil && view.ID == server && view.Enabled && view.Tools == 0 && view.State != domain.StateReady
}

// followed gives the tools of all servers, and the index has them then, with those of the modules. One at a time, so that
// nobody who looked earlier brings back what was there then.
func (s *shelfOfTools) followed(caller domain.Caller) ([]servers.ToolView, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	views, err := s.core.servers.AllTools(caller)
	if err != nil {
		return nil, err
	}
	all := s.core.modules.Tools()
	for _, v := range views {
		all = append(all, v.Tool)
	}
	return views, s.follow(all)
}

// follow brings into the index what changed since it was last asked. The tools of one server stand together. The caller
// holds mu.
func (s *shelfOfTools) follow(tools []domain.Tool) error {
	gone := s.known
	s.known = make(map[string]uint64, len(gone))
	for from := 0; from < len(tools); {
		to := from
		for to < len(tools) && tools[to].Server == tools[from].Server {
			to++
		}
		server, sum := tools[from].Server, s.fingerprint(tools[from:to])
		if was, known := gone[server]; !known || was != sum {
			if err := s.index.Set(server, documents(tools[from:to])); err != nil {
				return err
			}
		}
		s.known[server] = sum
		delete(gone, server)
		from = to
	}
	for server := range gone {
		s.index.Remove(server)
	}
	return nil
}

func (s *shelfOfTools) fingerprint(tools []domain.Tool) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for _, v := range tools {
		for _, text := range []string{v.Name, v.Title, v.Description} {
			_, _ = h.WriteString(text) // a hash takes all
			_ = h.WriteByte(0)
		}
		_, _ = h.Write(v.InputSchema)
	}
	return h.Sum64()
}

func documents(tools []domain.Tool) []search.Document {
	all := make([]search.Document, len(tools))
	for i, tool := range tools {
		all[i] = toolbox.DocumentOf(tool, naming.FQN(tool.Server, tool.Name))
	}
	return all
}
