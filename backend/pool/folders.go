package pool

import (
	"context"
	"slices"

	"apollia.fr/connexions/backend/transport"
)

// folders are those that the server may be told of now. They are read, expanded and looked at anew for each answer: one
// that was taken away is gone at once, and a link may lead elsewhere since it was named.
func (s *slot) folders(ctx context.Context) []string {
	s.mu.Lock()
	server := s.want.server
	s.mu.Unlock()
	if len(server.Roots) == 0 {
		return nil
	}
	server.Auth = nil // no folder needs a sign-in
	d, err := s.pool.options.Expand(ctx, server)
	if err != nil {
		s.log.Add(transport.StreamLifecycle, "no folder told: "+err.Error())
		return nil
	}
	return s.pool.allowed(d.Roots, s.log)
}

// allowed are the folders that may be told; why another one is not, is in the log.
func (p *Pool) allowed(folders []string, log *transport.Log) []string {
	return slices.DeleteFunc(slices.Clone(folders), func(folder string) bool {
		err := p.options.Folder(folder)
		if err != nil {
			log.Add(transport.StreamLifecycle, "folder not told: "+err.Error())
		}
		return err != nil
	})
}

// foldersChanged has the session told that its folders changed. Without one, the next is told, which may have asked already.
func (s *slot) foldersChanged() {
	select {
	case s.rooted <- struct{}{}:
	default: // it will be told already
	}
}

// tellFolders tells a server that the folders changed. What it does not hear it can still ask for.
func (s *slot) tellFolders(ctx context.Context, live *live) {
	if err := s.bounded(ctx, live.RootsChanged); err != nil {
		s.log.Add(transport.StreamLifecycle, "not told that the folders changed: "+err.Error())
	}
}
