package servers

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/folders"
)

// RootsChange names folders that a server is told of, and takes some away.
type RootsChange struct {
	Add, Remove []string
	// Before is as that of Addition.
	Before Before
}

// ChangeRoots names and takes away folders that a server is told of. A running one hears so and goes on; what was taken
// away is told no more from then on. To name one that is named, or to take away one that is not, changes nothing. Errors:
// CodeInvalidInput for a folder that no server may be told of, CodeManagedByFile for a server of config.toml.
func (s *Service) ChangeRoots(_ context.Context, idOrName string, c RootsChange) (View, error) {
	s.change.Lock()
	defer s.change.Unlock()
	server, err := s.findEditable(idOrName)
	if err != nil {
		return View{}, err
	}
	roots := slices.DeleteFunc(slices.Clone(server.Roots), func(root string) bool { return slices.Contains(c.Remove, root) })
	for _, root := range c.Add {
		if slices.Contains(roots, root) {
			continue
		}
		if err := s.checkRoot(root); err != nil {
			return View{}, err
		}
		roots = append(roots, root)
	}
	if len(roots) > folders.Max {
		return View{}, tooManyRoots()
	}
	if slices.Equal(roots, server.Roots) {
		return s.view(server), nil
	}
	server.Roots, server.UpdatedAt = roots, s.Now()
	if err := c.Before.tell(server); err != nil {
		return View{}, err
	}
	if err := s.Store.SaveServer(server, nil); err != nil {
		return View{}, err
	}
	if err := s.Sync(); err != nil {
		return View{}, err
	}
	return s.Get(server.ID)
}

// checkRoots looks the folders of a draft over. One that the server has already is looked at when it is told only: that it
// is missing today must not keep anything else from being changed.
func (s *Service) checkRoots(check *Check, roots []string, editing string) error {
	if len(roots) > folders.Max {
		check.add("roots", tooManyRoots())
		return nil
	}
	if len(roots) == 0 {
		return nil
	}
	known, err := s.find(editing)
	if err != nil && domain.CodeOf(err) != domain.CodeUnknownServer {
		return err
	}
	for i, root := range roots {
		if slices.Contains(known.Roots, root) {
			continue
		}
		if err := s.checkRoot(root); err != nil {
			check.add(fmt.Sprintf("roots[%d]", i), domain.AsError(err))
		}
	}
	return nil
}

// checkRoot refuses a folder that no server may be told of. What a variable stands for is known when the server asks, and
// looked at then.
func (s *Service) checkRoot(root string) error {
	if config.HasReference(root) {
		return nil
	}
	return s.Folder(root)
}

func tooManyRoots() *domain.Error {
	most := strconv.Itoa(folders.Max)
	return invalid("roots_too_many", "a server can be told of "+most+" folders at most", "Name a folder that holds several of them.").With("most", most)
}
