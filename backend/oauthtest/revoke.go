package oauthtest

import "net/http"

// Revocation is one request to end a token (RFC 7009 section 2.1).
type Revocation struct {
	ClientID string
	Hint     string // token_type_hint
	Kind     string // access_token, refresh_token, or empty for a token that is not known
}

// revoke ends an access token, or with a refresh token the whole family (RFC 7009 section 2.1).
func (q *request) revoke() {
	if err := q.r.ParseForm(); err != nil {
		q.refuseToken(nil, refuse("invalid_request", "the body is not a form"))
		return
	}
	client, refused := q.authenticate(q.r.PostForm)
	if refused != nil {
		q.refuseToken(q.r.PostForm, refused)
		return
	}
	kind, mine := q.grants.revoke(q.r.PostForm.Get("token"), client.ID)
	if !mine {
		q.refuseToken(q.r.PostForm, refuse("invalid_grant", "the token belongs to another client"))
		return
	}
	revocation := Revocation{ClientID: client.ID, Hint: q.r.PostForm.Get("token_type_hint"), Kind: kind}
	q.seen.note(func() { q.seen.revocations = append(q.seen.revocations, revocation) })
	q.w.WriteHeader(http.StatusOK)
}

// revoke says what kind of token that was, and whether the client may end it. A token that is not known is ended already.
func (g *grants) revoke(value, client string) (kind string, mine bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f := g.refresh[value]; f != nil {
		f.revoked = f.revoked || f.client == client
		return "refresh_token", f.client == client
	}
	if token := g.access[value]; token != nil {
		if token.family.client != client {
			return "", false
		}
		delete(g.access, value)
		return "access_token", true
	}
	return "", true
}
