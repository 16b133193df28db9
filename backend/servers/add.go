package servers

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
)

// Addition is a server to add, after a test and a person's consent.
type Addition struct {
	Definition domain.Definition
	// TestID names a passed test of exactly this definition.
	TestID   string
	SkipTest bool
	// From is the server that this one is a copy of; its secrets are copied too.
	From    string
	Enabled bool
	// SaveToConfig appends the server to config.toml instead of the store.
	SaveToConfig bool
	// Before hears of the server before it counts, and keeps it from that by an error; nil hears nothing.
	Before Before
	// Unseen says that no person looks: tools that were held stay so.
	Unseen bool
}

// Before hears of a server as it is about to be.
type Before func(domain.Server) error

func (b Before) tell(server domain.Server) error {
	if b == nil {
		return nil
	}
	return b(server)
}

// Change is a new definition for a stored server.
type Change struct {
	Definition domain.Definition
	TestID     string
	SkipTest   bool
	// Before and Unseen are as those of Addition.
	Before Before
	Unseen bool
}

// Add saves a new server and starts it when it is enabled. Its trust is custom, or community if a stranger on the local
// network announced it, whatever the definition says.
// Errors: CodeInvalidInput and CodeInvalidName for a bad draft, CodeDuplicateName, CodeTestRequired.
func (s *Service) Add(_ context.Context, a Addition) (View, error) {
	s.change.Lock()
	defer s.change.Unlock()
	var err error
	if a.Definition, err = s.withSecrets(a.Definition, a.From); err != nil {
		return View{}, err
	}
	id, err := s.freeID(a.Definition, "")
	if err != nil {
		return View{}, err
	}
	if err := s.mustPass(a.TestID, a.SkipTest, a.Definition); err != nil {
		return View{}, err
	}
	definition, values, err := s.stow(id, a.From, a.Definition)
	if err != nil {
		return View{}, err
	}
	server := domain.Server{
		ID: id, Definition: definition, Trust: trustIn(definition), Enabled: a.Enabled, Source: domain.FromStore,
		CreatedAt: s.Now(), UpdatedAt: s.Now(),
	}
	if err := a.Before.tell(server); err != nil {
		return View{}, err
	}
	save := s.Store.SaveServer
	if a.SaveToConfig {
		save = s.saveToConfig
	}
	if err := save(server, values); err != nil {
		return View{}, err
	}
	s.keepOffer(server, a.TestID, a.Definition)
	if err := s.pinTested(server, a.TestID, a.Definition, a.Unseen); err != nil {
		return View{}, err
	}
	if err := s.Sync(); err != nil {
		return View{}, err
	}
	return s.Get(id)
}

// saveToConfig appends a server to config.toml. Its secrets are kept before, and taken back when that fails.
func (s *Service) saveToConfig(server domain.Server, values map[string][]byte) error {
	replaced, err := s.Store.SwapValues(values)
	if err != nil {
		return err
	}
	if err := config.AppendServer(s.ConfigPath, server); err != nil {
		_, restoring := s.Store.SwapValues(replaced)
		return errors.Join(err, restoring)
	}
	if err := s.Reload(); err != nil {
		return err
	}
	return s.confirm(server) // whoever adds it here has seen it
}

// Update replaces the definition of a stored server; its id stays. What runs is restarted when how it starts changed.
// Errors as Add, and CodeManagedByFile for a server of config.toml.
func (s *Service) Update(_ context.Context, idOrName string, c Change) (View, error) {
	s.change.Lock()
	defer s.change.Unlock()
	server, err := s.findEditable(idOrName)
	if err != nil {
		return View{}, err
	}
	if _, err := s.freeID(c.Definition, server.ID); err != nil {
		return View{}, err
	}
	if err := s.mustPass(c.TestID, c.SkipTest, c.Definition); err != nil {
		return View{}, err
	}
	before := server.StartDigest()
	var values map[string][]byte
	if server.Definition, values, err = s.stow(server.ID, server.ID, c.Definition); err != nil {
		return View{}, err
	}
	server.UpdatedAt = s.Now()
	if err := c.Before.tell(server); err != nil {
		return View{}, err
	}
	if err := s.Store.SaveServer(server, values); err != nil {
		return View{}, err
	}
	s.keepOffer(server, c.TestID, c.Definition)
	if server.StartDigest() != before {
		if err := s.pinTested(server, c.TestID, c.Definition, c.Unseen); err != nil {
			return View{}, err
		}
	}
	if err := s.Sync(); err != nil {
		return View{}, err
	}
	if len(values) > 0 {
		s.Pool.Restart(server.ID) // a definition does not show that the secrets it refers to changed
	}
	return s.Get(server.ID)
}

// findEditable is find for who changes the server here.
func (s *Service) findEditable(idOrName string) (domain.Server, error) {
	server, err := s.find(idOrName)
	if err == nil {
		err = editable(server)
	}
	return server, err
}

// editable refuses to change here what a person edits in config.toml.
func editable(server domain.Server) error {
	if server.Source != domain.FromConfig {
		return nil
	}
	line := strconv.Itoa(server.Line)
	return &domain.Error{
		Code:    domain.CodeManagedByFile,
		Message: fmt.Sprintf("%s comes from config.toml", server.Name),
		Hint:    "Edit line " + line + " of config.toml.",
		Args:    map[string]string{"file": "config.toml", "line": line, "server": server.Name},
	}
}

// freeID checks the draft and makes the id of its name. With except set, that server may keep its own name.
func (s *Service) freeID(d domain.Definition, except string) (string, error) {
	check, err := s.Check(d, except)
	if err != nil {
		return "", err
	}
	if len(check.Errors) > 0 {
		return "", check.Errors[0].Error.With("field", check.Errors[0].Field)
	}
	return check.ID, nil
}

// taken finds a server that already has the id.
func (s *Service) taken(id, except string) (bool, error) {
	if id == except {
		return false, nil
	}
	all, err := s.all()
	if err != nil {
		return false, err
	}
	for _, server := range all {
		if server.ID == id {
			return true, nil
		}
	}
	return false, nil
}

// mustPass asks for a passed test of exactly this definition.
func (s *Service) mustPass(testID string, skip bool, d domain.Definition) error {
	if skip || s.tests.passed(testID, d) {
		return nil
	}
	return &domain.Error{
		Code: domain.CodeTestRequired, Message: "this definition has not passed a test yet",
		Hint: "Run the test, then save what was tested.",
	}
}

// keepOffer remembers what the test of this very definition, now that of server, found out, so that the server has its
// tools on screen before its first start, and starts sooner.
func (s *Service) keepOffer(server domain.Server, testID string, tested domain.Definition) {
	report, ok := s.tests.report(testID)
	if ok && report.OK && s.tests.passed(testID, tested) {
		s.Pool.Remember(server, report)
	}
}

// stow encrypts the secret values of a definition and puts references in their place; whoever saves the definition keeps
// the values with it. Values that hold variables stay as they are; references to the secrets of from become copies.
func (s *Service) stow(id, from string, d domain.Definition) (domain.Definition, map[string][]byte, error) {
	values := make(map[string][]byte)
	d, err := config.MoveSecrets(LiftSecrets(d), func(ref string) (string, error) { return s.copySecret(id, from, ref, values) })
	if err != nil {
		return d, nil, err
	}
	if d.Env, err = s.stowAll(id, "env.", d.Env, values); err != nil {
		return d, nil, err
	}
	if d.Headers, err = s.stowAll(id, "header.", d.Headers, values); err != nil || d.Auth == nil {
		return d, values, err
	}
	d.Auth.Secrets, err = s.stowAll(id, "auth.", d.Auth.Secrets, values)
	return d, values, err
}

// copySecret gives id a secret of its own with the value of from's, and returns the reference to it.
func (s *Service) copySecret(id, from, ref string, values map[string][]byte) (string, error) {
	owner, key, _ := strings.Cut(ref, "/")
	if owner != from {
		return "", invalid("other_server", "the secret "+ref+" belongs to another server", "Give its value again here.").With("secret", ref)
	}
	if owner == id {
		return "${secret:" + ref + "}", nil
	}
	value, err := s.Vault.Resolve(ref)
	if err != nil {
		return "", err
	}
	return s.seal(id, key, value, values)
}

func (s *Service) seal(id, key, value string, values map[string][]byte) (reference string, err error) {
	sealed, err := s.Vault.Seal(id, key, value)
	if err != nil {
		return "", err
	}
	values[sealed.Name] = sealed.Value
	return sealed.Reference(), nil
}

func (s *Service) stowAll(id, prefix string, variables []domain.Variable, values map[string][]byte) ([]domain.Variable, error) {
	stowed := make([]domain.Variable, 0, len(variables))
	for _, v := range variables {
		if v.Secret && !config.HasReference(v.Value) {
			ref, err := s.seal(id, prefix+v.Name, v.Value, values)
			if err != nil {
				return nil, fmt.Errorf("keep the secret %s: %w", v.Name, err)
			}
			v.Value = ref
		}
		stowed = append(stowed, v)
	}
	return stowed, nil
}
