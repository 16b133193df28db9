package servers

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/pool"
	"apollia.fr/connexions/backend/secrets"
	"apollia.fr/connexions/backend/store"
)

// Options are the parts a Service works on. All are required.
type Options struct {
	Store *store.Store
	Vault *secrets.Vault
	Pool  *pool.Pool
	OAuth *oauth.Client
	// ConfigPath is config.toml; Config gives its last good reading with what is wrong with the file now.
	ConfigPath string
	Config     func() (config.Config, *domain.Error)
	// Reload reads config.toml again after this service wrote to it.
	Reload func() error
	// Expand fills in variables and the secrets of the owners, just before a server is started or reached.
	Expand func(d domain.Definition, owners ...string) (domain.Definition, error)
	// Probe runs one live test of an expanded definition.
	Probe func(ctx context.Context, id string, d domain.Definition, progress func(domain.TestReport)) domain.TestReport
	// Scan looks for instructions hidden in what one server says, a list of findings for each definition. Those beside them
	// are of the same server.
	Scan func(definitions, beside []*pins.Definition) [][]domain.TextFinding
	// Inbox is where a person is asked about changed entries of config.toml.
	Inbox Inbox
	// ConfirmsItself says that a person lets scripts approve, and so what they write into config.toml.
	ConfirmsItself func() bool
	// Pins remember which definitions of tools a person accepted.
	Pins *pins.Book
	// Folder refuses a folder that no server may be told of.
	Folder func(folder string) error
	// Rules are the rules in force.
	Rules func() (policy.Rules, error)
	// Environ looks a variable up in our own environment.
	Environ config.Lookup
	// SearchPath is the PATH programs are looked for in, as far as it is known by now.
	SearchPath func() string
	// Resident says that what is switched on runs. A short command starts only the one server it names.
	Resident bool
	// Network is what is seen of the local network; Reach tries addresses in turn and returns the first that accepts a
	// connection; Own are those by which the network reaches this computer, and what it calls it.
	Network func() domain.NetworkSight
	Reach   func(context.Context, []netip.AddrPort) (netip.AddrPort, bool)
	Own     func() (host string, addrs []netip.Addr, err error)
	// LastCall says when a call to a server last ended.
	LastCall func(serverID string) (time.Time, bool)
	Publish  func(domain.Event)
	Now      func() time.Time
}

// Service holds the use cases. It is safe for concurrent use; writes to definitions happen one at a time.
type Service struct {
	Options
	tests   *tests
	signIns signIns
	scans   scans
	digests perList[[]string]
	moves   map[string]domain.NetworkMove // by id, as they were last told of

	// change serialises the read-check-write of definitions.
	change sync.Mutex
	// syncing keeps an older list of servers from reaching the pool after a newer one.
	syncing sync.Mutex
}

// New builds the service. Close cancels running tests and waits for them.
func New(o Options) *Service {
	s := &Service{
		Options: o,
		signIns: signIns{byID: make(map[string]oauth.Begun), offers: make(map[string]*offer)},
	}
	s.tests = newTests(s.Probe, s.scannedReport, s.Publish, s.Now)
	return s
}

// Close ends running tests.
func (s *Service) Close() { s.tests.close() }

// Sync gives the pool the servers there are now: from the store and from config.toml.
func (s *Service) Sync() error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	unasked := s.ReviewSetups() // what cannot be asked about is stopped all the same
	all, err := s.all()
	if err != nil {
		return errors.Join(unasked, err)
	}
	if s.Resident {
		s.Pool.Sync(startableOnly(all))
	}
	s.Publish(domain.Event{Topic: domain.TopicServers})
	return unasked
}

// all lists the definitions, stored ones first; an entry of config.toml whose id is taken is left out, and config
// names it as a problem.
func (s *Service) all() ([]domain.Server, error) {
	stored, err := s.Store.Servers()
	if err != nil {
		return nil, fmt.Errorf("list servers: %w", err)
	}
	switches, err := s.Store.Settings()
	if err != nil {
		return nil, fmt.Errorf("list switches: %w", err)
	}
	all, entries := slices.Clone(stored), s.ofFile(stored)
	var confirmed map[string]domain.ConfirmedSetup
	if len(entries) > 0 { // most have none, and every call comes by here
		if confirmed, err = s.Store.Setups(); err != nil {
			return nil, fmt.Errorf("list confirmed setups: %w", err)
		}
	}
	for _, server := range entries {
		if value, ok := switches[switchKey(server.ID)]; ok {
			server.Enabled = value == "on"
		}
		server.Unconfirmed = confirmed[server.ID].Digest != server.SetupDigest()
		all = append(all, server)
	}
	slices.SortStableFunc(all, func(a, b domain.Server) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return all, nil
}

// ofFile are the servers of config.toml whose id is not taken by a stored one.
func (s *Service) ofFile(stored []domain.Server) []domain.Server {
	file, _ := s.Config()
	return slices.DeleteFunc(slices.Clone(file.Servers), func(server domain.Server) bool {
		return slices.ContainsFunc(stored, func(o domain.Server) bool { return o.ID == server.ID })
	})
}

// switchKey is where the on/off switch of a server from config.toml is kept, since the file is the person's to edit.
func switchKey(id string) string { return "switch." + id }

// find returns the server with the given id or name.
func (s *Service) find(idOrName string) (domain.Server, error) {
	all, err := s.all()
	if err != nil {
		return domain.Server{}, err
	}
	for _, server := range all {
		if server.ID == idOrName || server.Name == idOrName {
			return server, nil
		}
	}
	if id, err := naming.ServerID(idOrName); err == nil {
		for _, server := range all {
			if server.ID == id {
				return server, nil
			}
		}
	}
	return domain.Server{}, &domain.Error{
		Code: domain.CodeUnknownServer, Message: fmt.Sprintf("there is no server %q", idOrName),
		Hint: "See the names with: apollia mcp list", Args: map[string]string{"server": idOrName},
	}
}

// List shows every server, by name.
func (s *Service) List() ([]View, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	views := make([]View, len(all))
	for i, server := range all {
		views[i] = s.view(server)
	}
	return views, nil
}

// Get shows one server by id or name.
func (s *Service) Get(idOrName string) (View, error) {
	server, err := s.find(idOrName)
	if err != nil {
		return View{}, err
	}
	return s.view(server), nil
}

// explainOff says why a server that is switched on is down.
func (s *Service) explainOff(view *View) {
	switch {
	case !s.Resident:
		view.Reason = &domain.Error{
			Code: domain.CodeNotRunning, Message: "it starts when Apollia runs", Hint: "Start it with: apollia serve",
		}
	case view.Since.IsZero(), view.References > 0: // the pool has not come to it yet
		view.State, view.Reason = domain.StateStarting, nil
	default:
		view.Reason = &domain.Error{
			Code: domain.CodeServerOff, Message: "it was disconnected", Hint: "Connect it again: apollia mcp connect " + view.ID,
			Args: map[string]string{"server": view.Name},
		}
	}
}

func (s *Service) view(server domain.Server) View {
	if server.Source == domain.FromConfig {
		server.Definition = withoutSecrets(server.Definition)
	}
	view := View{Server: server, Status: s.Pool.Status(server.ID), Prefix: naming.WirePrefix(server.ID)}
	if at, ok := s.LastCall(server.ID); ok {
		view.LastCallAt = &at
	}
	// A session is held by being switched on, and by each call in flight.
	if server.Enabled && s.Resident {
		view.RunningCalls = max(0, view.References-1)
	}
	if !server.Enabled {
		view.State, view.Reason = domain.StateOff, nil // at once, though its process may still be ending
	}
	switch {
	case server.Enabled && server.Unconfirmed:
		view.State, view.Reason = domain.StateNeedsApproval, s.notConfirmed(server)
	case server.Enabled && view.State == domain.StateOff:
		s.explainOff(&view)
	}
	view.Moved = s.moved(server)
	view.HeldTools, view.HeldBy = s.Pins.Waiting(server.ID)
	known, _ := s.Pool.Offer(server.ID)
	if view.Tools+view.Resources+view.Prompts == 0 {
		view.Tools, view.Resources, view.Prompts = len(known.Tools), len(known.Resources), len(known.Prompts)
	}
	view.Warnings = append(slices.Clip(view.Warnings), unknownCacheable(server, known.Tools)...)
	view.InstructionFindings = s.scannedInstructions(server.ID, view.Instructions, known)
	return view
}
