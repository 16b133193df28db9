package core

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// remote is the API of another process that owns the data folder, for a window beside it.
type remote struct {
	instance owner.Instance
	client   *http.Client
	proxy    *httputil.ReverseProxy
}

func newRemote(ctx context.Context, instance owner.Instance, version string) (*remote, error) {
	base, err := url.Parse(instance.URL)
	if err != nil {
		return nil, err
	}
	// No proxy of the environment stands between two programs on one computer.
	transport := &http.Transport{Proxy: nil}
	r := &remote{instance: instance, client: &http.Client{Transport: transport}}
	if err := r.verify(ctx, version); err != nil {
		r.close()
		return nil, err
	}
	r.proxy = &httputil.ReverseProxy{
		Transport: transport,
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(base)
			p.Out.Host = base.Host
			p.Out.Header.Del("Origin")
			r.sign(p.Out)
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) {
			api.WriteError(w, &domain.Error{
				Code: domain.CodeNotRunning, Message: "the running Apollia does not answer any more", Hint: "Wait a moment.",
			})
		},
	}
	return r, nil
}

// proofLife is how long an owner may take to prove itself: one that hangs must not keep a window from opening.
const proofLife = 2 * time.Second

func (r *remote) verify(ctx context.Context, version string) error {
	bounded, cancel := context.WithTimeout(ctx, proofLife)
	defer cancel()
	err := r.instance.Verify(bounded, r.client, version)
	if _, known := errors.AsType[*domain.Error](err); err == nil || known {
		return err
	}
	pid := strconv.Itoa(r.instance.PID)
	return &domain.Error{
		Code: domain.CodeNotRunning, Message: "the running Apollia does not answer at " + r.instance.URL, Cause: err,
		Hint: "If process " + pid + " hangs, end it and start again.", Args: map[string]string{"url": r.instance.URL, "pid": pid},
	}
}

func (r *remote) sign(request *http.Request) {
	request.Header.Set("Authorization", "Bearer "+r.instance.Token)
	request.Header.Set(api.DoorHeader, "window")
}

func (r *remote) ServeHTTP(w http.ResponseWriter, q *http.Request) { r.proxy.ServeHTTP(w, q) }

// follow passes the owner's events on until the stream ends: the owner is gone, or ctx is.
func (r *remote) follow(ctx context.Context, notify func(domain.Event)) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.instance.URL+"/api/events", http.NoBody)
	if err != nil {
		return
	}
	r.sign(request)
	response, err := r.client.Do(request)
	if err != nil {
		return
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var event domain.Event
		if json.Unmarshal([]byte(data), &event) == nil {
			notify(event)
		}
	}
}

func (r *remote) close() { r.client.CloseIdleConnections() }
