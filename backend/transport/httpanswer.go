package transport

import (
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/httpauth"
)

const (
	typeJSON   = "application/json"
	typeEvents = "text/event-stream"
	typeHTML   = "text/html"

	headerSession  = "Mcp-Session-Id"
	headerProtocol = "MCP-Protocol-Version"
)

const reasonForgotten = "session_forgotten"

// sessionForgotten says that the server no longer knows our session, as after a restart.
func sessionForgotten(cause error) *domain.Error {
	return &domain.Error{
		Code: domain.CodeConnClosed, Message: "The server no longer knows the session.", Hint: "Connect the server again.",
		Args: map[string]string{"reason": reasonForgotten}, Cause: cause,
	}
}

func mediaType(resp *http.Response) string {
	media, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}

// statusError names what a status other than success means; nil for success. It reads the body's beginning.
func statusError(resp *http.Response, mask Mask) error {
	if resp.StatusCode < 300 {
		return nil
	}
	challenge := resp.Header.Get("WWW-Authenticate")
	status := strconv.Itoa(resp.StatusCode)
	if resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden && challenge != "" {
		return signInNeeded(resp, status, mask)
	}
	e := &domain.Error{
		Code:    domain.CodeHTTPStatus,
		Message: "The server answered with HTTP status " + status + " " + http.StatusText(resp.StatusCode) + ".",
		Hint:    statusHint(resp.StatusCode),
		Args:    map[string]string{"status": status},
		Proof:   bodyProof(resp.Body, mask),
	}
	if resp.StatusCode == http.StatusBadRequest && saysTLS(e.Proof) {
		e.Args["reason"] = "tls_needed"
		e.Hint = "The server speaks TLS on this port: write https:// in the URL."
	}
	if location := resp.Header.Get("Location"); location != "" && resp.StatusCode < 400 {
		e.Args["location"] = mask.Hide(location)
		e.Hint = "The server moved: use the address it names, if you trust it."
	}
	return e
}

// saysTLS tells the pages that a port for TLS shows to plain http: those of Go, and those of nginx and Apache.
func saysTLS(page string) bool {
	page = strings.ToLower(page)
	for _, words := range []string{"http request to an https server", "plain http request was sent to https port", "speaking plain http to an ssl"} {
		if strings.Contains(page, words) {
			return true
		}
	}
	return false
}

func signInNeeded(resp *http.Response, status string, mask Mask) *domain.Error {
	challenge := resp.Header.Get("WWW-Authenticate")
	e := &domain.Error{
		Code:    domain.CodeSignInNeeded,
		Message: "The server wants a sign-in (HTTP status " + status + ").",
		Hint:    "Sign in with: apollia mcp auth SERVER, or correct the token or key of this server.",
		Args:    map[string]string{"status": status, "header": "WWW-Authenticate"},
		Proof:   mask.Hide(challenge),
	}
	if challenge == "" {
		delete(e.Args, "header")
	}
	scopes, missing := httpauth.ChallengeOf(resp.Header).Missing()
	if !missing || resp.StatusCode != http.StatusForbidden {
		return e
	}
	e.Code, e.Message, e.Hint = domain.CodeMoreRights, "The server wants more rights than it was given.", "Sign in again to give them."
	if len(scopes) > 0 {
		e.Args["scopes"] = mask.Hide(strings.Join(scopes, ", "))
		e.Message = "The server wants more rights than it was given: " + e.Args["scopes"] + "."
	}
	return e
}

func statusHint(status int) string {
	switch {
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "Check the path of the URL; MCP servers often end in /mcp or /sse."
	case status == http.StatusTooManyRequests:
		return "Wait a little: the server limits how often it may be asked."
	case status >= 500:
		return "The server has a problem of its own: look at its log, or try again later."
	}
	return "Check the URL, the headers and the transport of this server."
}

func htmlInstead(resp *http.Response, mask Mask) *domain.Error {
	return &domain.Error{
		Code:    domain.CodeHTML,
		Message: "The server answered with a web page instead of MCP.",
		Hint:    "Check the path of the URL; this may be the page of a sign-in or of a proxy.",
		Args:    map[string]string{"status": strconv.Itoa(resp.StatusCode)},
		Proof:   bodyProof(resp.Body, mask),
	}
}

func notJSONRPC(contentType, proof string) *domain.Error {
	return &domain.Error{
		Code:    domain.CodeNotJSONRPC,
		Message: "The server answers with something that is not JSON-RPC.",
		Hint:    notServerHint,
		Args:    map[string]string{"content_type": contentType},
		Proof:   proof,
	}
}

// bodyProof reads the beginning of a body as text.
func bodyProof(body io.Reader, mask Mask) string {
	// What cannot be read is no proof, and the status is the error already.
	raw, _ := io.ReadAll(io.LimitReader(body, int64(maxBodyProof+mask.longest())+1))
	return textProof(raw, mask)
}

func textProof(raw []byte, mask Mask) string {
	text, _ := mask.beginning(raw, maxBodyProof)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.TrimSpace(text)
}
