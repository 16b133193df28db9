package oauthtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
)

// answerToken answers a token request in the style of the server.
func (q *request) answerToken(answer object) {
	answer = maps.Clone(answer)
	scope, _ := answer["scope"].(string)
	if q.o.GitHubStyle || q.o.SlackStyle {
		answer["scope"] = strings.ReplaceAll(scope, " ", ",")
	}
	switch {
	case q.o.GitHubStyle:
		answer["token_type"] = "bearer"
		q.writeGitHub(answer)
	case q.o.SlackStyle:
		answer["token_type"], answer["id"] = "user", "U0000001"
		writeJSON(q.w, http.StatusOK, object{"ok": true, "app_id": "A0000001", "authed_user": answer})
	default:
		writeJSON(q.w, http.StatusOK, answer)
	}
}

// writeGitHub writes a form unless the client asks for JSON.
func (q *request) writeGitHub(answer object) {
	if strings.Contains(q.r.Header.Get("Accept"), "application/json") {
		writeJSON(q.w, http.StatusOK, answer)
		return
	}
	form := url.Values{}
	for name, value := range answer {
		form.Set(name, fmt.Sprint(value))
	}
	q.w.Header().Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	_, _ = fmt.Fprint(q.w, form.Encode()) // the client may be gone
}

// refuseToken refuses a request in the style of the server.
func (q *request) refuseToken(params url.Values, refused *refusal) {
	switch {
	case q.o.GitHubStyle:
		q.writeGitHub(object{"error": gitHubError(params, refused.code), "error_description": refused.description})
	case q.o.SlackStyle:
		writeJSON(q.w, http.StatusOK, object{"ok": false, "error": slackError(params, refused.code)})
	default:
		if refused.status == http.StatusUnauthorized {
			q.w.Header().Set("WWW-Authenticate", `Basic realm="token"`) // RFC 6749 section 5.2
		}
		writeJSON(q.w, refused.status, object{"error": refused.code, "error_description": refused.description})
	}
}

// gitHubError is GitHub's word for an error.
func gitHubError(params url.Values, code string) string {
	switch {
	case code == "invalid_client":
		return "incorrect_client_credentials"
	case code == "invalid_grant" && params.Get("grant_type") == grantRefresh:
		return "bad_refresh_token"
	case code == "invalid_grant":
		return "bad_verification_code"
	}
	return code
}

// slackError is Slack's word for an error.
func slackError(params url.Values, code string) string {
	switch {
	case code == "invalid_client":
		return "bad_client_secret"
	case code == "invalid_grant" && params.Get("grant_type") == grantRefresh:
		return "invalid_refresh_token"
	case code == "invalid_grant":
		return "invalid_code"
	}
	return code
}
