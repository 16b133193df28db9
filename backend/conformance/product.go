package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// product uses the core as the window does: by its API.
type product struct {
	handler http.Handler
	server  string
}

// request sends one request to the API and reads its answer into out, unless that is nil.
func (p product) request(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return err
		}
		body = bytes.NewReader(raw)
	}
	r := httptest.NewRequestWithContext(ctx, method, path, body)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	if w.Code >= http.StatusBadRequest {
		var refused struct{ Error *domain.Error }
		if json.Unmarshal(w.Body.Bytes(), &refused) == nil && refused.Error != nil {
			return refused.Error
		}
		return fmt.Errorf("%s %s: %s", method, path, w.Body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(w.Body.Bytes(), out)
}

// connect adds the suite's server and starts its session.
func (p *product) connect(ctx context.Context, address string, auth *domain.Auth) error {
	added := struct{ ID string }{}
	err := p.request(ctx, http.MethodPost, "/api/servers", api.NewServer{
		Definition: domain.Definition{
			Name: "suite", Transport: domain.StreamableHTTP, URL: address, DefaultVerdict: domain.Allow, Auth: auth,
		},
		SkipTest: true,
	}, &added)
	if err != nil {
		return err
	}
	p.server = added.ID
	return p.signedIn(ctx, func() error { return p.request(ctx, http.MethodPost, p.path("connect"), nil, nil) })
}

func (p product) path(rest string) string {
	return "/api/servers/" + url.PathEscape(p.server) + "/" + rest
}

// call makes one call and waits for its end.
func (p product) call(ctx context.Context, kind domain.CallKind, name string, arguments json.RawMessage) error {
	var view api.CallView
	in := api.CallRequest{Server: p.server, Kind: kind, Name: name, Arguments: arguments, ApprovalWaitMS: -1, WaitMS: 1000}
	err := p.request(ctx, http.MethodPost, "/api/calls", in, &view)
	for err == nil && view.Status != api.CallDone {
		err = first(ctx.Err(), p.request(ctx, http.MethodGet, "/api/calls/"+view.ID+"?wait_ms=1000", nil, &view))
	}
	if err == nil && view.Error != nil {
		err = view.Error
	}
	return err
}

// signedIn does something, again whenever a person has signed in because the product asked for it.
func (p product) signedIn(ctx context.Context, do func() error) error {
	for {
		err := do()
		if !domain.CodeOf(err).WantsSignIn() {
			return err
		}
		if err := p.signIn(ctx); err != nil {
			return err
		}
	}
}

// signIn begins a sign-in, opens the address in what stands for a browser, and waits for the end.
func (p product) signIn(ctx context.Context) error {
	var now servers.SignIn
	if err := p.request(ctx, http.MethodPost, "/api/sign-ins", api.NewSignIn{ServerID: p.server}, &now); err != nil {
		return err
	}
	if !now.Running {
		return nil
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, now.AuthorizeURL, http.NoBody)
	if err != nil {
		return err
	}
	page, err := new(http.Client).Do(r) // ctx bounds it
	if err != nil {
		return err
	}
	_ = page.Body.Close()
	err = p.request(ctx, http.MethodGet, "/api/sign-ins/"+now.ID+"?wait_ms=10000", nil, &now)
	if err == nil && now.Error != nil {
		err = now.Error
	}
	return err
}

func (p product) tool(ctx context.Context, name, arguments string) error {
	return p.signedIn(ctx, func() error { return p.call(ctx, domain.ToolCall, name, json.RawMessage(arguments)) })
}
