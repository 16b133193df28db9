package api

import (
	"crypto/subtle"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// TerminalHeader is set by a command whose user sits at an interactive terminal.
const TerminalHeader = "Apollia-Terminal"

// Guard lets requests from the network in: the command line by its token, a browser by the cookie that a one-time
// link gave it. Host and Origin are checked first, so that neither a rebound name nor a foreign page gets through.
type Guard struct {
	token  string
	cookie string
	links  *links
	api    *API
	ui     http.Handler
}

// NewGuard guards a with the token of the instance file. The cookie's name carries the port, since cookies ignore it.
func NewGuard(a *API, token, port string, ui http.Handler) *Guard {
	return &Guard{token: token, cookie: "apollia_session_" + port, links: newLinks(a.Now), api: a, ui: ui}
}

// SignInPath makes a new one-time link, as a path with query. It works once, for ten minutes.
func (g *Guard) SignInPath() string { return "/sign-in?code=" + url.QueryEscape(g.links.create()) }

// DoorHeader says with the token that it is the window, attached to this owner, that asks.
const DoorHeader = "Apollia-Door"

func (g *Guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !loopbackHost(r.Host) {
		refuse(w, http.StatusMisdirectedRequest, "this address is not ours", "Use the address that apollia status prints.")
		return
	}
	if !ownOrigin(r) {
		refuse(w, http.StatusForbidden, "another page may not use this program", "Open the link that apollia serve prints.")
		return
	}
	switch {
	case r.URL.Path == owner.ProofPath:
		g.prove(w, r)
	case r.URL.Path == "/sign-in":
		g.signIn(w, r)
	case r.URL.Path == "/mcp" || strings.HasPrefix(r.URL.Path, "/mcp/"):
		// The address is told already, so that clients can keep it; what answers there comes with the gateway.
		writeProblem(w, &FailureError{Status: http.StatusNotImplemented, Err: &domain.Error{
			Code: domain.CodeUnknownItem, Message: "this version has no gateway for other MCP clients yet",
			Hint: "Use the window or the command line.",
		}})
	case isCallback(r):
		g.api.takeCallback(w, r)
	case strings.HasPrefix(r.URL.Path, "/api/"):
		g.serveAPI(w, r)
	default:
		g.ui.ServeHTTP(w, r)
	}
}

func (g *Guard) serveAPI(w http.ResponseWriter, r *http.Request) {
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		if subtle.ConstantTimeCompare([]byte(bearer), []byte(g.token)) == 1 {
			who := CLIPrincipal(r.Header.Get(TerminalHeader) == "1")
			if r.Header.Get(DoorHeader) == "window" {
				who = WindowPrincipal()
			}
			g.api.Handler(who).ServeHTTP(w, r)
			return
		}
		refuse(w, http.StatusUnauthorized, "the token is not the one of this instance", "Run the command again.")
		return
	}
	if cookie, err := r.Cookie(g.cookie); err == nil && g.links.known(cookie.Value) && ownPage(r) {
		g.api.Handler(WindowPrincipal()).ServeHTTP(w, r)
		return
	}
	refuse(w, http.StatusUnauthorized, "this browser is not signed in", "Open the one-time link that apollia serve prints.")
}

// prove answers without a token: the proof shows that we know it, and gives nothing away.
func (g *Guard) prove(w http.ResponseWriter, r *http.Request) {
	nonce := r.URL.Query().Get("nonce")
	if len(nonce) < 32 || len(nonce) > 128 {
		refuse(w, http.StatusUnprocessableEntity, "the nonce must be 32 to 128 characters long", "")
		return
	}
	writeJSON(w, http.StatusOK, map[string]string{"proof": owner.Proof(g.token, nonce), "version": g.api.Version})
}

func (g *Guard) signIn(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet { // a program that looks whether a link is good must not use it up
		w.Header().Set("Allow", http.MethodGet)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	session, ok := g.links.redeem(r.URL.Query().Get("code"))
	if !ok {
		refuse(w, http.StatusUnauthorized, "this link was used or is too old", "Run apollia status --link for a new one.")
		return
	}
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // not Secure: loopback has no TLS, and no network carries it
		Name: g.cookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	// Seen from a link in another program, SameSite=Strict withholds the cookie from a redirect; a page that goes on by
	// itself is a navigation of our own.
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>Apollia Connexions</title>`))
}

func loopbackHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	switch strings.Trim(host, "[]") {
	case "127.0.0.1", "localhost", "::1":
		return true
	}
	return false
}

// ownOrigin accepts requests without Origin (commands, plain navigation) and those of our own pages.
func ownOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}

// ownPage tells requests of our own page from those of another program's page on this computer: to a browser all ports are
// one site, so a picture or a script there brings our cookie along, without Origin.
func ownPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "" || site == "same-origin" || site == "none"
}

func refuse(w http.ResponseWriter, status int, message, hint string) {
	writeProblem(w, &FailureError{Status: status, Err: &domain.Error{Code: domain.CodeUnauthorized, Message: message, Hint: hint}})
}

// WriteError writes an error in the shape of every failed answer.
func WriteError(w http.ResponseWriter, err error) { writeProblem(w, problem(err)) }

func writeProblem(w http.ResponseWriter, p *FailureError) { writeJSON(w, p.Status, p) }

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(v); err != nil {
		return // the reader is gone: there is nobody left to tell
	}
}
