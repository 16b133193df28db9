package oauth

import (
	"context"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

// harmless is a message that changes nothing at any server.
const harmless = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// firstAsk has a server say what it wants, unless it did: only its challenge may tell where its metadata is, and which
// scopes it needs (MCP, basic/authorization). open reports that it wants nothing of the kind. A server that does not answer
// is told by what is asked next.
func (a *account) firstAsk(ctx context.Context, web *http.Client, t Target) (open bool) {
	if t.URL == "" || t.auth().Provider != "" || a.wasChallenged() {
		return false
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, strings.NewReader(harmless))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := web.Do(r)
	if err != nil {
		return false
	}
	_ = resp.Body.Close() // it may be a stream without an end
	challenge := httpauth.ChallengeOf(resp.Header)
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden && challenge.Scheme != "" {
		a.challengedBy(challenge)
		return false
	}
	// It took the message, or misses the beginning of a session. Any other answer says nothing: an SSE server has no place for it.
	return resp.StatusCode == http.StatusBadRequest || resp.StatusCode/100 == 2
}

// wantsNone says that a server asks for no sign-in, and names no server for one.
func wantsNone(t Target) error {
	return &domain.Error{
		Code: domain.CodeInvalidInput, Message: "The server " + t.Server + " asks for no sign-in.",
		Hint: "Use it as it is. If it wants a key, put that into a header.", Args: map[string]string{"reason": "no_sign_in", "server": t.Server},
	}
}
