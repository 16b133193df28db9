package model

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

const (
	connectTime    = 10 * time.Second
	maxAnswer      = 8 << 20 // bytes
	maxHeaderBytes = 64 << 10
)

// line is the way to one endpoint for one question.
type line struct {
	place place
	gate  *gate
}

// open makes the way to the endpoint that is set, with its key where there is one.
func (c *Client) open() (*line, error) {
	place, err := c.place()
	if err != nil {
		return nil, err
	}
	state, err := c.KeyState()
	if err != nil {
		return nil, err
	}
	g := &gate{place: place, elsewhere: state == KeyElsewhere}
	if state == KeyKept {
		if g.key, _, err = c.options.Keys.Get(place.keyName()); err != nil {
			return nil, err
		}
	}
	if g.next, err = c.options.transport(); err != nil {
		return nil, err
	}
	return &line{place: place, gate: g}, nil
}

// withoutKey is the same way for a question that shows no key.
func (l *line) withoutKey() *line {
	g := *l.gate
	g.key = ""
	return &line{place: l.place, gate: &g}
}

func (l *line) close() { l.gate.next.CloseIdleConnections() }

// transport reaches an endpoint as the rest of the program reaches servers.
func (o Options) transport() (*http.Transport, error) {
	t := &http.Transport{
		Proxy:               func(*http.Request) (*url.URL, error) { return nil, nil },
		DialContext:         (&net.Dialer{Timeout: connectTime}).DialContext,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: connectTime, MaxResponseHeaderBytes: maxHeaderBytes, ForceAttemptHTTP2: true,
	}
	if o.Proxy != nil {
		t.Proxy = func(r *http.Request) (*url.URL, error) { return o.Proxy(r.URL) }
	}
	if o.Authorities != nil {
		roots, err := o.Authorities()
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig.RootCAs = roots
	}
	return t, nil
}

// gate lets a question out as it should be and an answer in as it must be: bounded, JSON, and without the key. Every
// other answer is an error that names the cause. It follows no redirect: what a server asked is for this endpoint.
type gate struct {
	place place
	key   string
	// elsewhere says that there is a key, for another address.
	elsewhere bool
	next      *http.Transport
}

// hidden stands for a key in what an endpoint says.
const hidden = "[secret]"

// leastSecret is how long a key must be to be struck out of a text: the placeholder that some endpoints want, such as
// "ollama", is an ordinary word there. Errors never have any key.
const leastSecret = 16

// hide strikes the key out of what an error says.
func (g *gate) hide(text string) string {
	if g.key == "" {
		return text
	}
	return strings.ReplaceAll(text, g.key, hidden)
}

// strike strikes a key that is long enough out of an answer.
func (g *gate) strike(answer []byte) []byte {
	if len(g.key) < leastSecret {
		return answer
	}
	return bytes.ReplaceAll(answer, []byte(g.key), []byte(hidden))
}

// RoundTrip sends a question and reads its answer whole.
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	ask := r.Clone(r.Context())
	// Nothing tells of the system.
	ask.Header = http.Header{"Accept": {"application/json"}, "User-Agent": {"apollia-connexions"}}
	if content := r.Header.Get("Content-Type"); content != "" {
		ask.Header.Set("Content-Type", content)
	}
	if g.key != "" {
		ask.Header.Set("Authorization", "Bearer "+g.key)
	}
	resp, err := g.next.RoundTrip(ask)
	if err != nil {
		return nil, g.unreachable(r.Context(), err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return nil, g.unreachable(r.Context(), err)
	}
	body = g.strike(body)
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return nil, g.refused(resp, body)
	case len(body) > maxAnswer:
		return nil, g.place.refuse(reasonTooLarge, "its answer is larger than "+strconv.Itoa(maxAnswer>>20)+" MiB")
	case !json.Valid(body):
		return nil, g.place.refuse(reasonNoChat, "it does not answer in JSON")
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return resp, nil
}

// failure says why a question got no answer. ctx is that of the question, with its limit.
func (l *line) failure(ctx context.Context, err error) error {
	switch {
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return l.place.unreachable(reasonSlow, "does not answer in time", context.DeadlineExceeded)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	return l.badAnswer(err)
}
