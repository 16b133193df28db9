package model

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"apollia.fr/connexions/backend/domain"
)

// Why no model is set.
const (
	reasonNoAddress = "no_model_address"
	reasonNoName    = "no_model_name"
)

// Why an endpoint was not reached.
const (
	reasonNoHost = "model_host"
	reasonNobody = "model_not_running"
	reasonSlow   = "model_slow"
	reasonHungUp = "model_hung_up"
	reasonTLS    = "model_certificate"
)

// Why an endpoint gave no text.
const (
	reasonKeyRefused   = "model_key_refused"
	reasonKeyNeeded    = "model_key_needed"
	reasonKeyElsewhere = "model_key_elsewhere"
	reasonUnknown      = "model_unknown"
	reasonTooMany      = "model_too_many"
	reasonRejected     = "model_rejected"
	reasonFailing      = "model_failing"
	reasonMoved        = "model_moved"
	reasonNoChat       = "model_no_chat"
	reasonTooLarge     = "model_too_large"
	reasonBadAnswer    = "model_bad_answer"
)

// hint says what to do next.
func hint(reason string) string {
	switch reason {
	case reasonNoHost:
		return "Check the spelling of the address and the network."
	case reasonNobody:
		return "Start it, or check the port of the address."
	case reasonSlow:
		return "Try again, or choose a faster model."
	case reasonHungUp, reasonFailing:
		return "See the log of the endpoint, then try again."
	case reasonTLS:
		return "Check the address, or name the authority that signed the certificate in the setting tls.ca_file."
	case reasonKeyRefused, reasonKeyNeeded, reasonKeyElsewhere:
		return "Give the key of this address: apollia settings set model.key"
	case reasonUnknown:
		return "Choose a model that the endpoint has: apollia settings set model.name NAME"
	case reasonTooMany:
		return "Wait, then try again; or look at your account there."
	case reasonRejected:
		return "Choose another model, or tell the makers of the server."
	case reasonMoved:
		return "Set the address that it names: apollia settings set model.base_url URL"
	case reasonNoChat:
		return "Check the address: for most endpoints it ends in /v1."
	case reasonTooLarge, reasonBadAnswer:
		return "Choose another endpoint or another model."
	}
	return "Check the address, the network and the proxy."
}

// notSet says that there is nothing to ask.
func notSet(reason string) *domain.Error {
	message, next := "no model is set: texts that servers ask for are refused", "Set its address: apollia settings set model.base_url URL"
	if reason == reasonNoName {
		message, next = "the address of the model is set, and its name is not", "Set it: apollia settings set model.name NAME"
	}
	return &domain.Error{Code: domain.CodeModelNotSet, Message: message, Hint: next, Args: map[string]string{"reason": reason}}
}

// unfit says that a request cannot be put to any endpoint; where names its part, what says why.
func unfit(where, what string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeSamplingUnfit, Message: "the request for a text cannot be put to a model: " + where + ": " + what,
		Hint: "Tell the makers of the server.", Args: map[string]string{"where": where, "detail": what},
	}
}

// refuse says that the endpoint answered, and not with a text; why completes "the model at URL refuses".
func (p place) refuse(reason, why string) *domain.Error {
	return &domain.Error{
		Code: domain.CodeModelRefused, Message: "the model at " + p.address() + " gives no text: " + why, Hint: hint(reason),
		Args: map[string]string{"reason": reason, "address": p.address(), "model": p.name, "said": why},
	}
}

// badAnswer is for an answer in JSON that is no chat completion.
func (l *line) badAnswer(err error) error {
	e := l.place.refuse(reasonBadAnswer, "its answer cannot be read")
	e.Proof = plain(l.gate.hide(err.Error())) // the error itself repeats the answer
	return e
}

func (p place) unreachable(reason, how string, cause error) *domain.Error {
	e := &domain.Error{
		Code: domain.CodeModelUnreachable, Message: "the model at " + p.address() + " " + how, Hint: hint(reason),
		Args: map[string]string{"address": p.address()}, Cause: cause,
	}
	if reason != "" {
		e.Args["reason"] = reason
	}
	return e
}

// unreachable names the cause of a connection that failed.
func (g *gate) unreachable(ctx context.Context, err error) error {
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var dns *net.DNSError
	var timeout net.Error
	var e *domain.Error
	switch {
	case errors.As(err, &dns):
		e = g.place.unreachable(reasonNoHost, "is not found", err)
	case errors.Is(err, syscall.ECONNREFUSED):
		e = g.place.unreachable(reasonNobody, "does not run", err)
	case errors.As(err, &timeout) && timeout.Timeout():
		e = g.place.unreachable(reasonSlow, "does not answer in time", err)
	case isTLS(err):
		e = g.place.unreachable(reasonTLS, "cannot be reached securely", err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		e = g.place.unreachable(reasonHungUp, "closed the connection", err)
	default:
		e = g.place.unreachable("", "cannot be reached", err)
	}
	e.Proof = plain(err.Error())
	return e
}

func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &record) || errors.As(err, &verification) || errors.As(err, &alert)
}

// refusal is what an endpoint says in place of a text. It holds no secret.
type refusal struct {
	status int
	said   string
}

// Error is what the endpoint said, after its status.
func (r *refusal) Error() string { return fmt.Sprintf("HTTP %d: %s", r.status, r.said) }

// refused reads an answer of another status than success.
func (g *gate) refused(resp *http.Response, body []byte) error {
	code, said := wordsOf(body, g.hide)
	if said == "" {
		said = "HTTP " + resp.Status
	}
	reason := g.reasonOf(resp.StatusCode, code, said)
	why := said
	if reason == reasonMoved {
		why = "it sends elsewhere"
		if to, err := resp.Location(); err == nil {
			to.User, to.RawQuery, to.Fragment = nil, "", ""
			why = "it sends to " + plain(g.hide(to.String()))
		}
	}
	e := g.place.refuse(reason, why)
	e.Args["status"], e.Cause = strconv.Itoa(resp.StatusCode), &refusal{resp.StatusCode, said}
	if after := retryAfter(resp.Header); after > 0 {
		e.Args["retry_after"] = strconv.Itoa(int(after.Seconds()))
		e.Hint = "Wait " + after.String() + ", then try again."
	}
	return e
}

func (g *gate) reasonOf(status int, code, said string) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		switch {
		case g.key != "":
			return reasonKeyRefused
		case g.elsewhere:
			return reasonKeyElsewhere
		}
		return reasonKeyNeeded
	case status == http.StatusTooManyRequests:
		return reasonTooMany
	case status >= 500:
		return reasonFailing
	case status < 400:
		return reasonMoved
	case code == "model_not_found", status == http.StatusNotFound && g.place.name != "" && strings.Contains(said, g.place.name):
		return reasonUnknown
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return reasonNoChat
	}
	return reasonRejected
}

// wordsOf reads the error of an endpoint: OpenAI's object, or the bare texts that others send. The key is struck out of what
// the JSON comes to, since there are many ways to write it in JSON, and before the text is made short, which could leave half.
func wordsOf(body []byte, hide func(string) string) (code, said string) {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return "", ""
	}
	var object struct {
		Message string `json:"message"`
		Code    any    `json:"code"`
	}
	if json.Unmarshal(answer.Error, &object) == nil && object.Message != "" {
		code, _ = object.Code.(string)
		return code, plain(hide(object.Message))
	}
	for _, raw := range []json.RawMessage{answer.Error, answer.Detail} {
		if json.Unmarshal(raw, &said) == nil && said != "" {
			return "", plain(hide(said))
		}
	}
	return "", plain(hide(answer.Message))
}

// longestWait is the longest wait that an endpoint is believed to ask for.
const longestWait = 24 * time.Hour

// retryAfter reads the seconds that an endpoint asks to wait (RFC 9110 section 10.2.3); its other form, a date, is left.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.ParseUint(h.Get("Retry-After"), 10, 31)
	if err != nil {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, longestWait)
}

// maxSaid is how much is repeated of what an endpoint says, in characters.
const maxSaid = 300

// plain makes one visible line of what strangers say.
func plain(text string) string {
	words := []rune(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsGraphic(r) }), " "))
	if len(words) > maxSaid {
		words = append(words[:maxSaid], '…')
	}
	return string(words)
}
