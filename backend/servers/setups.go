package servers

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// Inbox is where a person is asked about the entries of config.toml, and hears what came of it.
type Inbox interface {
	// File keeps a request as waiting, or gives the same one that waits already.
	File(r domain.Request) (domain.Request, error)
	// Lapse ends a request that waits.
	Lapse(id string) error
	// Spend notes that what a request allowed was done.
	Spend(id string) error
	List(want domain.RequestFilter) ([]domain.Request, error)
}

// reasonFile is why a person is asked: config.toml starts something that nobody confirmed.
const reasonFile = "config_file"

// ReviewSetups has a person asked about each entry of config.toml that starts something else than was confirmed, and no
// longer about those that are as they were. What the file holds when a data folder is begun counts as confirmed: it was
// put there together with it. So does, once, what a folder of an earlier version holds, which has run without a question.
// A folder whose rules were lost confirms nothing by itself.
func (s *Service) ReviewSetups() error {
	stored, err := s.Store.Servers()
	if err != nil {
		return fmt.Errorf("list servers: %w", err)
	}
	entries := s.ofFile(stored)
	if err := s.beginSetups(entries); err != nil {
		return err
	}
	waiting, err := s.Inbox.List(domain.RequestFilter{Status: domain.RequestWaiting})
	if err != nil {
		return fmt.Errorf("list requests: %w", err)
	}
	confirmed, err := s.Store.Setups()
	if err != nil {
		return fmt.Errorf("list confirmed setups: %w", err)
	}
	asked, err := s.askForSetups(entries, confirmed)
	if err != nil {
		return err
	}
	return errors.Join(s.lapseOthers(waiting, asked), s.forgetGone(entries, confirmed))
}

// beginSetups takes the entries that are there before anybody can have been asked as confirmed, once.
func (s *Service) beginSetups(entries []domain.Server) error {
	_, broken := s.Config()
	begun, err := s.Store.SetupsBegun()
	if err != nil || begun || broken != nil { // what a broken file will say once it can be read is what it begins with
		return err
	}
	loss, err := s.Store.Loss()
	if err != nil {
		return err
	}
	var first []domain.ConfirmedSetup
	for _, server := range entries {
		if loss == nil {
			first = append(first, s.confirmedSetup(server))
		}
	}
	return s.Store.BeginSetups(first)
}

func (s *Service) confirmedSetup(server domain.Server) domain.ConfirmedSetup {
	shown := shownSetup(server)
	return domain.ConfirmedSetup{Server: server.ID, Digest: server.SetupDigest(), Setup: &shown, At: s.Now()}
}

// shownSetup is the setup of a server without what looks like a secret. What could be more than one word of a command is shown
// all the same: a person must see what would run.
func shownSetup(server domain.Server) domain.Setup {
	setup, lifted := server.Setup(), withoutSecrets(server.Definition)
	setup.URL, setup.Command = lifted.URL, lifted.Command
	if mayRun(server.Command, "") {
		setup.Command = server.Command
	}
	setup.Args = slices.Clone(server.Args)
	before := ""
	for i, arg := range server.Args {
		if i < len(lifted.Args) && !mayRun(arg, before) {
			setup.Args[i] = lifted.Args[i]
		}
		before = arg
	}
	return setup
}

// mayRun reports whether a shell could take an argument for several words or commands. Blanks alone say nothing behind a
// flag for a header, whose value has some.
func mayRun(arg, before string) bool {
	if strings.ContainsAny(arg, "\n\r;|&$()<>`") {
		return true
	}
	header := before == "-H" || strings.EqualFold(strings.TrimLeft(before, "-"), "header")
	return strings.ContainsAny(arg, " \t") && !header
}

// askForSetups files a request for each entry that is not confirmed, unless a person refused just that. It gives those
// that wait, by ID.
func (s *Service) askForSetups(entries []domain.Server, confirmed map[string]domain.ConfirmedSetup) (map[string]bool, error) {
	asked := make(map[string]bool)
	for _, server := range entries {
		known, digest := confirmed[server.ID], server.SetupDigest()
		switch {
		case known.Digest == digest, known.Refused == digest:
			continue
		case s.ConfirmsItself():
			if err := s.confirm(server); err != nil {
				return nil, err
			}
			continue
		}
		r, err := s.askForSetup(server, known)
		if err != nil {
			return nil, err
		}
		asked[r.ID] = true
	}
	return asked, nil
}

func (s *Service) askForSetup(server domain.Server, known domain.ConfirmedSetup) (domain.Request, error) {
	params, err := json.Marshal(domain.SetupChange{Before: known.Setup, After: shownSetup(server)})
	if err != nil {
		return domain.Request{}, err
	}
	return s.Inbox.File(domain.Request{
		Kind: domain.DefinitionRequest, Server: server.ID, Params: params, StartDigest: server.SetupDigest(),
		Caller:   domain.Caller{Kind: domain.CallerServer, Name: server.ID, User: domain.LocalUser},
		Decision: domain.Decision{Verdict: domain.Ask, Because: reasonFile, Risk: domain.HighRisk, Steps: []domain.DecisionStep{}},
	})
}

// lapseOthers ends the requests that are about entries as they no longer are.
func (s *Service) lapseOthers(waiting []domain.Request, asked map[string]bool) error {
	for _, r := range waiting {
		if IsSetup(r) && !asked[r.ID] {
			if err := s.Inbox.Lapse(r.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetGone has an entry that left the file asked about when it comes back: nobody knows who writes it then.
func (s *Service) forgetGone(entries []domain.Server, confirmed map[string]domain.ConfirmedSetup) error {
	for id, setup := range confirmed {
		there := slices.ContainsFunc(entries, func(server domain.Server) bool { return server.ID == id })
		if there || setup.Digest == "" {
			continue
		}
		setup.Digest = ""
		if err := s.Store.SaveSetup(setup); err != nil {
			return fmt.Errorf("forget the setup of %s: %w", id, err)
		}
		if err := s.Pins.Withdraw(id); err != nil {
			return fmt.Errorf("take questions about %s back: %w", id, err)
		}
	}
	return nil
}

// confirm keeps the setup of a server as one that a person confirmed.
func (s *Service) confirm(server domain.Server) error {
	if err := s.Store.SaveSetup(s.confirmedSetup(server)); err != nil {
		return fmt.Errorf("confirm the setup of %s: %w", server.ID, err)
	}
	return nil
}

// IsSetup reports whether a request is about an entry of config.toml.
func IsSetup(r domain.Request) bool { return r.Kind == domain.DefinitionRequest && r.Tool == "" }

// RecoverSetups does what a person decided before an earlier program could, or failed to, unless they decided about the entry
// again since.
func (s *Service) RecoverSetups() error {
	open, err := s.Inbox.List(domain.RequestFilter{Open: true, Status: domain.RequestApproved})
	if err != nil {
		return fmt.Errorf("list requests: %w", err)
	}
	confirmed, err := s.Store.Setups()
	if err != nil {
		return fmt.Errorf("list confirmed setups: %w", err)
	}
	for _, r := range open {
		if !IsSetup(r) {
			continue
		}
		finish := s.DecideSetup
		if confirmed[r.Server].At.After(r.Answer.At) {
			finish = func(r domain.Request) error { return s.Inbox.Spend(r.ID) }
		}
		if err := finish(r); err != nil {
			return err
		}
	}
	return nil
}

// DecideSetup does what a person decided about an entry of config.toml, as it was when they saw it: whatever stands there
// by now is compared with that.
func (s *Service) DecideSetup(r domain.Request) error {
	confirmed, err := s.Store.Setups()
	if err != nil {
		return fmt.Errorf("list confirmed setups: %w", err)
	}
	kept := confirmed[r.Server]
	kept.Server, kept.At, kept.Refused = r.Server, s.Now(), r.StartDigest
	if r.Status == domain.RequestApproved {
		var change domain.SetupChange
		if err := json.Unmarshal(r.Params, &change); err != nil {
			return fmt.Errorf("read what was confirmed: %w", err)
		}
		kept.Digest, kept.Setup, kept.Refused = r.StartDigest, &change.After, ""
	}
	if err := s.Store.SaveSetup(kept); err != nil {
		return fmt.Errorf("keep the setup of %s: %w", r.Server, err)
	}
	return s.Inbox.Spend(r.ID)
}

// Review asks anew about an entry of config.toml that waits, also one that was refused. CodeInvalidInput when there is
// nothing to review.
func (s *Service) Review(idOrName string) (domain.Request, error) {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	server, err := s.find(idOrName)
	if err != nil {
		return domain.Request{}, err
	}
	if !server.Unconfirmed {
		why := invalid("nothing_to_review", server.Name+" runs as it was confirmed", "There is nothing to review.")
		return domain.Request{}, why.With("server", server.Name)
	}
	confirmed, err := s.Store.Setups()
	if err != nil {
		return domain.Request{}, fmt.Errorf("list confirmed setups: %w", err)
	}
	known := confirmed[server.ID]
	if known.Refused != "" {
		known.Server, known.Refused = server.ID, ""
		if err := s.Store.SaveSetup(known); err != nil {
			return domain.Request{}, fmt.Errorf("ask about %s again: %w", server.ID, err)
		}
	}
	return s.askForSetup(server, known)
}

// reviewed asks anew where a person wants a server up that is not confirmed, and says why it may not be started.
func (s *Service) reviewed(server domain.Server) error {
	if server.Enabled && server.Unconfirmed {
		if _, err := s.Review(server.ID); err != nil {
			return err
		}
	}
	return s.startable(server)
}

// startable says why a server may not be started.
func (s *Service) startable(server domain.Server) error {
	switch {
	case !server.Enabled:
		return domain.ServerOff(server.ID, server.Name)
	case server.Unconfirmed:
		return s.notConfirmed(server)
	}
	return nil
}

// startableOnly are servers as the pool may have them: one that is not confirmed counts as switched off.
func startableOnly(all []domain.Server) []domain.Server {
	for i := range all {
		all[i].Enabled = all[i].Enabled && !all[i].Unconfirmed
	}
	return all
}

// notConfirmed says that an entry of config.toml waits for a person, and by which request where one waits.
func (s *Service) notConfirmed(server domain.Server) *domain.Error {
	e := &domain.Error{
		Code:    domain.CodeApprovalNeeded,
		Message: server.Name + " is not started before somebody confirms what config.toml says of it now",
		Hint:    "Look at it again with: apollia mcp connect " + server.ID,
		Args:    map[string]string{"server": server.Name, "reason": reasonFile},
	}
	waiting, _ := s.Inbox.List(domain.RequestFilter{Status: domain.RequestWaiting, Server: server.ID}) // without it the state still says enough
	if at := slices.IndexFunc(waiting, IsSetup); at >= 0 {
		e.Hint, e.Args["request_id"] = "Look at it with: apollia inbox show "+waiting[at].ID, waiting[at].ID
	}
	return e
}
