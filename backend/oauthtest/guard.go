package oauthtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// maxMessage bounds what is read of a message to the guarded server.
const maxMessage = 64 << 20

// guarded is one request to a guarded MCP server.
type guarded struct {
	*Server
	o    Options
	base string
	w    http.ResponseWriter
	r    *http.Request
}

// Guard puts the server before an MCP server: it serves the metadata of the resource, and lets nobody through without a
// token for it (OAuth 2.1 section 5). It belongs at the root of the origin, the MCP server at any path below.
func (s *Server) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.seen.request(r)
		g := &guarded{Server: s, o: s.snapshot(), base: originOf(r), w: w, r: r}
		if g.resourceMetadata() {
			return
		}
		if g.o.ResourceMetadata == PlaceNone && s.serve(w, r, g.base) {
			return
		}
		if strings.HasPrefix(r.URL.Path, "/.well-known/") {
			http.NotFound(w, r)
			return
		}
		raw, err := io.ReadAll(io.LimitReader(r.Body, maxMessage))
		if err != nil {
			return // the client is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		if g.o.DPoP != DPoPOff && g.o.DPoPNonce {
			w.Header().Set(headerNonce, s.proofs.nonce(forResource))
		}
		if refused := g.judge(toolOf(raw)); refused != nil {
			g.challenge(*refused)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// originOf is where the client sees the server of a request.
func originOf(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// toolOf gives the name of the tool that a message calls, if it calls one.
func toolOf(raw []byte) string {
	var message struct {
		Method string `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &message) != nil || message.Method != "tools/call" {
		return ""
	}
	return message.Params.Name
}

// challenge is why a request does not get through (RFC 6750 section 3).
type challenge struct {
	status            int
	code, description string
	scope             string
}

func (g *guarded) judge(tool string) *challenge {
	scheme, value, _ := strings.Cut(g.r.Header.Get("Authorization"), " ")
	if value == "" {
		return g.unauthorized("", "")
	}
	g.seen.note(func() { g.seen.presented = append(g.seen.presented, Credential{Scheme: scheme, Token: value}) })
	token, ok := g.grants.find(g.o, value)
	switch {
	case g.o.RefuseTokens || !ok:
		return g.unauthorized("invalid_token", "the token is unknown or has ended")
	case !g.isFor(token.family.resource):
		return g.unauthorized("invalid_token", "the token is for another resource")
	}
	if refused := g.judgeBinding(scheme, value, token.thumbprint); refused != nil {
		return refused
	}
	return g.judgeScopes(token.scopes, tool)
}

func (g *guarded) unauthorized(code, description string) *challenge {
	return &challenge{status: http.StatusUnauthorized, code: code, description: description, scope: strings.Join(g.o.RequiredScopes, " ")}
}

// judgeBinding wants a proof with a token that is bound to a key, and Bearer with any other (RFC 9449 section 7).
func (g *guarded) judgeBinding(scheme, value, thumbprint string) *challenge {
	want := "Bearer"
	if thumbprint != "" {
		want = headerProof
	}
	if !strings.EqualFold(scheme, want) {
		return g.unauthorized("invalid_token", "the scheme of this token is "+want)
	}
	if thumbprint == "" {
		return nil
	}
	expect := expected{method: g.r.Method, address: g.base + g.r.URL.Path, token: value, now: g.o.now()}
	if g.o.DPoPNonce {
		expect.nonce = g.proofs.nonce(forResource)
	}
	by, err := g.proofs.check(g.r.Header, expect)
	switch {
	case errors.Is(err, errNonce):
		return g.unauthorized("use_dpop_nonce", err.Error())
	case err != nil:
		return g.unauthorized("invalid_dpop_proof", err.Error())
	case by != thumbprint:
		return g.unauthorized("invalid_token", "the token is bound to another key")
	}
	return nil
}

// judgeScopes names in the challenge only what this request needs, as servers do that know no more.
func (g *guarded) judgeScopes(scopes []string, tool string) *challenge {
	needed, limited := g.o.ToolScopes[tool]
	enough := contains(scopes, g.o.RequiredScopes)
	switch {
	case !enough:
		needed = strings.Join(g.o.RequiredScopes, " ")
	case g.o.NeverEnough && (limited || len(g.o.ToolScopes) == 0):
		enough = false
	case limited:
		enough = slices.Contains(scopes, needed)
	}
	if enough {
		return nil
	}
	return &challenge{status: http.StatusForbidden, code: "insufficient_scope", description: "the token may not do that", scope: needed}
}

// challenge refuses a request and says how to get through (RFC 9728 section 5.1, RFC 9449 section 7.1).
func (g *guarded) challenge(c challenge) {
	var parameters []string
	add := func(name, value string) {
		if value != "" {
			parameters = append(parameters, fmt.Sprintf("%s=%q", name, value))
		}
	}
	add("error", c.code)
	add("error_description", c.description)
	add("scope", c.scope)
	add("resource_metadata", g.metadataURL())
	if g.o.DPoP != DPoPRequired {
		g.w.Header().Add("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(parameters, ", ")))
	}
	if g.o.DPoP != DPoPOff {
		add("algs", strings.Join(algorithmNames(), " "))
		g.w.Header().Add("WWW-Authenticate", headerProof+" "+strings.Join(parameters, ", "))
	}
	http.Error(g.w, "this request needs a token", c.status)
}
