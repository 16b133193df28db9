package policy

import "apollia.fr/connexions/backend/domain"

// standing finds a standing approval that covers the question; the one with the least ID where several do.
func standing(q Question, r Rules) (domain.Approval, bool) {
	var best domain.Approval
	found := false
	for _, a := range r.Approvals {
		if !covers(a, q) || ended(a, r) {
			continue
		}
		if !found || a.ID < best.ID {
			best, found = a, true
		}
	}
	return best, found
}

// covers reports whether a was given for just this: same caller, same name, nothing changed since.
func covers(a domain.Approval, q Question) bool {
	if a.Server != q.Server.ID || a.Kind != q.Kind || a.Name != q.Name || a.Name == "" {
		return false
	}
	if a.DefinitionDigest != q.DefinitionDigest || a.StartDigest != q.StartDigest {
		return false
	}
	if a.Caller.Kind != q.Caller.Kind || a.Caller.Name != q.Caller.Name || a.Caller.User != q.Caller.User {
		return false
	}
	switch a.Scope {
	case domain.ScopeAlways:
		return true
	case domain.ScopeSession:
		// A caller that names no session has none that an approval could last for.
		return a.Caller.Session != "" && a.Caller.Session == q.Caller.Session
	default:
		return false
	}
}

func ended(a domain.Approval, r Rules) bool {
	return a.Until != nil && (r.Now.IsZero() || !r.Now.Before(*a.Until))
}
