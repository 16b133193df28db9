package oauth

import (
	"slices"

	"apollia.fr/connexions/backend/httpauth"
)

// offlineAccess asks for a refresh token where an authorization server knows it (OpenID Connect Core section 11, SEP-2207).
const offlineAccess = "offline_access"

// union is what is in one list or the other, in the order in which it is met.
func union(a, b []string) []string {
	var all []string
	for _, scope := range slices.Concat(a, b) {
		if !slices.Contains(all, scope) {
			all = append(all, scope)
		}
	}
	return all
}

// covers reports whether all of wanted is in granted.
func covers(granted, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(scope string) bool { return !slices.Contains(granted, scope) })
}

// scopesToAsk are the scopes of a sign-in, by the order of MCP (basic/authorization, scope selection): those that were
// configured, else those of the challenge, else all that the resource supports, else none. What was granted before stays
// (SEP-2350), and a refresh token is asked for where that is offered.
func scopesToAsk(configured, challenged, resource, granted, offered []string) []string {
	var ask []string
	switch {
	case len(configured) > 0:
		ask = union(configured, challenged)
	case len(challenged) > 0:
		ask = challenged
	default:
		ask = httpauth.Scopes(resource)
	}
	ask = union(granted, ask)
	if slices.Contains(offered, offlineAccess) {
		ask = union(ask, []string{offlineAccess})
	}
	return ask
}
