package servers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
)

// trashLife is how long a removed server can be restored.
const trashLife = 24 * time.Hour

// Remove stops a server and moves it to the trash, from where Restore brings it back. Its secrets and logs stay until
// the trash is emptied; a sign-in that waits is given up. CodeManagedByFile for a server of config.toml.
func (s *Service) Remove(_ context.Context, idOrName string) error {
	s.change.Lock()
	defer s.change.Unlock()
	server, err := s.findEditable(idOrName)
	if err != nil {
		return err
	}
	if err := s.endAnnouncement(server.ID); err != nil {
		return fmt.Errorf("remove %s: %w", server.ID, err)
	}
	if err := s.Store.DeleteServer(server.ID); err != nil {
		return fmt.Errorf("remove %s: %w", server.ID, err)
	}
	if err := s.Pins.Withdraw(server.ID); err != nil {
		return fmt.Errorf("remove %s: %w", server.ID, err)
	}
	if begun, waits := s.OAuth.Waiting(subjectFor(server.ID)); waits {
		begun.Cancel()
	}
	return s.Sync()
}

// Restore brings a removed server back as it was.
func (s *Service) Restore(_ context.Context, id string) (View, error) {
	s.change.Lock()
	defer s.change.Unlock()
	taken, err := s.taken(id, "")
	if err != nil {
		return View{}, err
	}
	if taken {
		return View{}, duplicate(id)
	}
	if _, err := s.Store.RestoreServer(id); err != nil {
		return View{}, err
	}
	if err := s.Sync(); err != nil {
		return View{}, err
	}
	return s.Get(id)
}

// EmptyTrash forgets servers removed long ago, with their secrets and logs. What fails for one keeps no other back.
func (s *Service) EmptyTrash() error {
	s.change.Lock()
	defer s.change.Unlock()
	purged, err := s.Store.PurgeTrash(s.Now().Add(-trashLife))
	if err != nil {
		return fmt.Errorf("empty the trash: %w", err)
	}
	var failures []error
	for _, id := range purged {
		taken, err := s.taken(id, "")
		if err != nil {
			return errors.Join(append(failures, err)...)
		}
		if taken {
			continue // a new server of that name has its own secrets and log under the same id
		}
		if err := s.Vault.DeleteServer(id); err != nil {
			failures = append(failures, fmt.Errorf("forget the secrets of %s: %w", id, err))
		}
		failures = append(failures, s.OAuth.ForgetServer(id), s.Pool.ForgetLog(id), s.Pins.Forget(id))
	}
	return errors.Join(append(failures, s.sweepTokens())...)
}

// sweepTokens drops the tokens that no server has used for long.
func (s *Service) sweepTokens() error {
	trash, err := s.Store.Trash()
	if err != nil {
		return err
	}
	all, err := s.all()
	if err != nil {
		return err
	}
	var current []oauth.Target
	spared := make(map[string]bool)
	for _, server := range trash {
		spared[server.ID] = true // it may be restored
	}
	for _, server := range all {
		d, err := s.Expand(server.Definition, server.ID)
		spared[server.ID] = spared[server.ID] || err != nil // what it is cannot be told now
		current = append(current, SignInTarget(server.ID, d))
	}
	return s.OAuth.Sweep(current, func(server string) bool { return spared[server] })
}

// Enable switches a server on and starts it.
func (s *Service) Enable(_ context.Context, idOrName string) error { return s.turn(idOrName, true) }

// Disable switches a server off and ends its session.
func (s *Service) Disable(_ context.Context, idOrName string) error { return s.turn(idOrName, false) }

func (s *Service) turn(idOrName string, on bool) error {
	s.change.Lock()
	defer s.change.Unlock()
	server, err := s.find(idOrName)
	if err != nil {
		return err
	}
	if server.Source == domain.FromConfig {
		value := "off"
		if on {
			value = "on"
		}
		err = s.Store.SetSetting(switchKey(server.ID), value)
	} else {
		server.Enabled = on
		err = s.Store.SaveServer(server, nil)
	}
	if err != nil {
		return fmt.Errorf("switch %s: %w", server.ID, err)
	}
	return s.Sync()
}

// Connect starts the session of a server that is switched on.
func (s *Service) Connect(ctx context.Context, idOrName string) error {
	return s.withServer(idOrName, func(server domain.Server) error {
		if err := s.reviewed(server); err != nil {
			return err
		}
		if !s.Resident {
			return s.ensure(ctx, server) // the pool of a short command knows of no server yet
		}
		return s.Pool.Connect(ctx, server.ID)
	})
}

// Disconnect ends the session of a server until it is connected again.
func (s *Service) Disconnect(ctx context.Context, idOrName string) error {
	return s.withServer(idOrName, func(server domain.Server) error { return s.Pool.Disconnect(ctx, server.ID) })
}

// Reconnect ends the session of a server and starts a new one.
func (s *Service) Reconnect(ctx context.Context, idOrName string) error {
	return s.withServer(idOrName, func(server domain.Server) error {
		if err := s.reviewed(server); err != nil {
			return err
		}
		if !s.Resident {
			return s.ensure(ctx, server)
		}
		return s.Pool.Reconnect(ctx, server.ID)
	})
}

// Health pings a server over its session, starting one when there is none.
func (s *Service) Health(ctx context.Context, idOrName string) error {
	return s.withReady(ctx, idOrName, func(id string) error { return s.Pool.Health(ctx, id) })
}

func (s *Service) withServer(idOrName string, do func(domain.Server) error) error {
	server, err := s.find(idOrName)
	if err != nil {
		return err
	}
	return do(server)
}

func duplicate(name string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeDuplicateName, Message: fmt.Sprintf("a server named %q exists already", name),
		Hint: "Choose another name, or edit the existing server.", Args: map[string]string{"name": name},
	}
}
