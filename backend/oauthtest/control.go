package oauthtest

import "net/http"

const controlPath = "/control/"

// control lets a test in another process do and see what one in this process does by methods.
func (s *Server) control(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST " + controlPath + "expire":
		s.Expire()
	case "POST " + controlPath + "revoke":
		s.RevokeAll()
	case "GET " + controlPath + "state":
	default:
		http.NotFound(w, r)
		return
	}
	writeJSON(w, http.StatusOK, s.counts())
}

func (s *Server) counts() object {
	return object{
		"authorizations": len(s.Authorizations()), "token_requests": len(s.TokenRequests()), "registrations": len(s.Registrations()),
		"refreshes": s.Refreshes(), "revoked_families": s.RevokedFamilies(), "revocations": len(s.Revocations()),
		"presented": len(s.Presented()), "requests": s.Requests(),
	}
}
