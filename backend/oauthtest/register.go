package oauthtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// maxBody bounds what is read of any request or document.
const maxBody = 1 << 20

// register adds a client that describes itself (RFC 7591 section 3).
func (q *request) register() {
	raw, err := io.ReadAll(io.LimitReader(q.r.Body, maxBody))
	if err != nil {
		return // the client is gone
	}
	client := Client{AuthMethod: methodBasic, GrantTypes: []string{grantCode}, ResponseTypes: []string{"code"}, ApplicationType: "web"}
	if err := json.Unmarshal(raw, &client); err != nil {
		q.refuseRegistration(refuse("invalid_client_metadata", "the request is not a JSON document of a client"))
		return
	}
	if refused := q.o.judgeClient(client); refused != nil {
		q.refuseRegistration(refused)
		return
	}
	client.ID, client.Secret = "", "" // they are ours to choose
	client = q.AddClient(client)
	q.seen.note(func() { q.seen.registrations = append(q.seen.registrations, client) })
	q.w.Header().Set("Cache-Control", "no-store")
	writeJSON(q.w, http.StatusCreated, client.registered(q.o))
}

func (q *request) refuseRegistration(refused *refusal) {
	writeJSON(q.w, http.StatusBadRequest, object{"error": refused.code, "error_description": refused.description})
}

// judgeClient says why a client may not be registered (RFC 7591 section 3.2.2).
func (o Options) judgeClient(client Client) *refusal {
	if !slices.Contains(o.authMethods(), client.AuthMethod) {
		return refuse("invalid_client_metadata", "no authentication method "+client.AuthMethod)
	}
	if client.AuthMethod == methodKey && client.Keys == nil {
		return refuse("invalid_client_metadata", "private_key_jwt needs jwks")
	}
	if client.may(grantCode) && len(client.RedirectURIs) == 0 {
		return refuse("invalid_redirect_uri", "redirect_uris is missing")
	}
	for _, redirect := range client.RedirectURIs {
		if err := checkRedirect(redirect); err != nil {
			return refuse("invalid_redirect_uri", redirect+": "+err.Error())
		}
		if address, _ := url.Parse(redirect); o.StrictApplicationType && client.ApplicationType != "native" && isLoopback(address) {
			return refuse("invalid_redirect_uri", "only native clients redirect to loopback")
		}
	}
	return nil
}

// registered is the answer to a registration (RFC 7591 section 3.2.1).
func (c Client) registered(o Options) object {
	answer := object{
		"client_id": c.ID, "client_id_issued_at": o.now().Unix(), "token_endpoint_auth_method": c.AuthMethod, "grant_types": c.GrantTypes,
		"response_types": c.ResponseTypes, "redirect_uris": c.RedirectURIs, "application_type": c.ApplicationType,
	}
	if c.Secret != "" {
		answer["client_secret"], answer["client_secret_expires_at"] = c.Secret, 0
	}
	for name, value := range map[string]string{"client_name": c.Name, "client_uri": c.URI, "scope": c.Scope} {
		if value != "" {
			answer[name] = value
		}
	}
	if c.Keys != nil {
		answer["jwks"] = c.Keys
	}
	return answer
}
