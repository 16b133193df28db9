package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/servers"
)

// decide shows what would run and asks the person at the terminal for a decision. When the person leaves the question,
// the request stays in the inbox.
func (in *invocation) decide(ctx context.Context, c *client, requestID string) error {
	request, err := get[domain.Request](ctx, c, at("inbox", requestID))
	if err != nil {
		return err
	}
	// The server's own words help to judge; without them the request still says everything that binds.
	view, _ := get[servers.View](ctx, c, at("servers", request.Server))
	if isQuestion(request) {
		return in.reply(ctx, c, request, view)
	}
	if request.Kind == domain.SamplingRequest {
		return in.decideText(ctx, c, request, view)
	}
	in.say("")
	in.say("%s", requestText(request, view))
	for {
		word, err := in.ask(ctx, "[o]nce  [s]ession  [a]lways  [d]eny: ")
		if unanswered(err) {
			return stillWaits(requestID, err)
		}
		if err != nil {
			return err
		}
		answer, ok := answerOf(word)
		if !ok {
			continue
		}
		_, err = post[domain.Request](ctx, c, at("inbox", requestID, "answer"), answer)
		if domain.CodeOf(err) == domain.CodeAlreadyAnswered {
			return nil // the first answer wins
		}
		return err
	}
}

func stillWaits(requestID string, cause error) error {
	return &domain.Error{
		Code: domain.CodeApprovalNeeded, Message: "request " + requestID + " still waits for an answer",
		Hint: "Answer it with: apollia inbox approve " + requestID + ", then run the command again.",
		Args: map[string]string{"request_id": requestID}, Cause: cause,
	}
}

func answerOf(word string) (answer api.AnswerRequest, ok bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "o", "once", "y", "yes":
		return api.AnswerRequest{Approve: true, Scope: domain.ScopeOnce}, true
	case "s", "session":
		return api.AnswerRequest{Approve: true, Scope: domain.ScopeSession}, true
	case "a", "always":
		return api.AnswerRequest{Approve: true, Scope: domain.ScopeAlways}, true
	case "d", "deny", "n", "no":
		return api.AnswerRequest{}, true
	default:
		return answer, false
	}
}

// isQuestion reports whether a server asks a person something, rather than a caller for an approval.
func isQuestion(r domain.Request) bool {
	return r.Kind == domain.ElicitationFormRequest || r.Kind == domain.ElicitationURLRequest
}

// requestText is what a person needs to judge a request. A server chose most of these words: none of them may move the
// cursor or turn the text around.
func requestText(r domain.Request, server servers.View) string {
	if r.Kind == domain.ElicitationFormRequest {
		return questionText(r, server)
	}
	if r.Kind == domain.ElicitationURLRequest {
		return pageText(r, server)
	}
	if servers.IsSetup(r) {
		return setupText(r, server)
	}
	if r.Kind == domain.SamplingRequest {
		return textRequest(r, server)
	}
	lines := []string{
		"Request " + r.ID + ": " + callerName(r.Caller) + " wants to " + deed(r) + " " + oneLine(r.Tool) + " of " + oneLine(nameOf(r, server)),
	}
	if server.Command != "" {
		lines = append(lines, "  runs        "+oneLine(strings.Join(append([]string{server.Command}, server.Args...), " ")))
	}
	if server.URL != "" {
		lines = append(lines, "  reaches     "+oneLine(server.URL))
	}
	if r.Effect != "" {
		lines = append(lines, "  says that it "+string(r.Effect))
	}
	lines = append(lines, "  asked by    "+because(r.Decision), "  arguments", indent(printable(argumentsText(r.Params)), "    "))
	return strings.Join(lines, "\n")
}

func nameOf(r domain.Request, server servers.View) string {
	if server.Name == "" {
		return r.Server
	}
	return server.Name
}

func deed(r domain.Request) string {
	switch r.CallKind {
	case domain.ResourceRead:
		return "read"
	case domain.PromptGet:
		return "get the prompt"
	default:
		return "call"
	}
}

// callerName is who asks, in one word or two.
func callerName(c domain.Caller) string {
	name := oneLine(c.Name)
	if c.User != "" && c.User != domain.LocalUser {
		name += " for " + oneLine(c.User)
	}
	return name
}

// because says which rule or default decided.
func because(d domain.Decision) string {
	switch {
	case d.Rule != nil && d.Rule.Line > 0:
		return "the rule in line " + strconv.Itoa(d.Rule.Line) + " of config.toml"
	case d.Rule != nil:
		return "rule " + d.Rule.ID
	case d.Because == policy.ServerDefault:
		return "the default of the server"
	case d.Because == policy.RulesLost:
		return "the loss of rules, until apollia policy accept-loss"
	case d.Because == policy.StandingApproval:
		return "a standing approval"
	case d.Because == policy.HeldDefinition:
		return "the changed definition, until a person accepts it"
	default:
		return becauseOfApp(d.Because)
	}
}

// becauseOfApp says which line of an app's capabilities decided.
func becauseOfApp(question string) string {
	words := map[string]string{
		policy.AppDeny: "the app denies it to itself", policy.AppApprove: "the app wants it approved",
		policy.AppGrant: "the app grants it to itself, as a person confirmed", policy.AppRisk: "the highest risk that the app allows itself",
		policy.AppDefault: "the default policy of the app",
	}
	return cmp.Or(words[question], question)
}

// argumentsText lays the arguments of a call out on lines.
func argumentsText(params json.RawMessage) string {
	var members struct {
		Arguments json.RawMessage `json:"arguments"`
		URI       string          `json:"uri"`
	}
	if json.Unmarshal(params, &members) != nil {
		return string(params)
	}
	switch {
	case len(members.Arguments) > 0:
		return pretty(members.Arguments)
	case members.URI != "":
		return members.URI
	default:
		return "none"
	}
}
