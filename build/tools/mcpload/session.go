package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
)

// revision is what the driver speaks: the last one with a handshake, which everything understands.
const revision = "2025-11-25"

// session speaks with one endpoint, one request at a time. It decodes only what it must, so that what it costs itself is
// little and the same everywhere.
type session struct {
	lastID int64
	// exchange sends a frame; when the frame is a request, it reads on until the answer.
	exchange func(ctx context.Context, frame []byte, id int64) ([]byte, error)
	close    func() error
}

type frame struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      *int64          `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// dial opens a session and shakes hands.
func dial(ctx context.Context, address string) (*session, error) {
	s := overHTTP(address)
	if command, ok := strings.CutPrefix(address, "stdio:"); ok {
		var err error
		if s, err = overPipe(ctx, strings.Fields(command)); err != nil {
			return nil, err
		}
	}
	_, err := s.request(ctx, "initialize", map[string]any{
		"protocolVersion": revision, "capabilities": map[string]any{},
		"clientInfo": map[string]string{"name": "mcpload", "version": "1"},
	})
	if err == nil {
		_, err = s.send(ctx, frame{Method: "notifications/initialized"}, 0)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("shake hands: %w", err), s.close())
	}
	return s, nil
}

func (s *session) send(ctx context.Context, f frame, id int64) ([]byte, error) {
	f.JSONRPC = "2.0"
	raw, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return s.exchange(ctx, raw, id)
}

func (s *session) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	s.lastID++
	id := s.lastID
	raw, err := s.send(ctx, frame{ID: &id, Method: method, Params: params}, id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	var answer frame
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("%s: the server says %s", method, answer.Error)
	}
	return answer.Result, nil
}

// isAnswer looks at a frame of the server: what is no answer to id is passed over.
func isAnswer(raw []byte, id int64) bool {
	var f struct {
		ID     *int64 `json:"id"`
		Method string `json:"method"`
	}
	return json.Unmarshal(raw, &f) == nil && f.Method == "" && f.ID != nil && *f.ID == id
}

// overPipe starts a program for each session.
func overPipe(ctx context.Context, command []string) (*session, error) {
	if len(command) == 0 {
		return nil, errors.New("stdio: names no program")
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	exchange := func(_ context.Context, raw []byte, id int64) ([]byte, error) {
		if _, err := in.Write(append(raw, '\n')); err != nil || id == 0 {
			return nil, err
		}
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil || isAnswer(line, id) {
				return line, err
			}
		}
	}
	end := func() error { return errors.Join(in.Close(), cmd.Wait()) }
	return &session{exchange: exchange, close: end}, nil
}

// overHTTP keeps one connection for each session.
func overHTTP(address string) *session {
	connection := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	do := func(ctx context.Context, method string, raw []byte) (*http.Response, error) {
		request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(raw))
		if err != nil {
			return nil, err
		}
		request.Header = header.Clone()
		return connection.Do(request)
	}
	exchange := func(ctx context.Context, raw []byte, id int64) (_ []byte, err error) {
		response, err := do(ctx, http.MethodPost, raw)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, response.Body.Close()) }()
		if given := response.Header.Get("Mcp-Session-Id"); given != "" {
			header.Set("Mcp-Session-Id", given)
			header.Set("Mcp-Protocol-Version", revision)
		}
		if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
			return answerIn(response.Body, id)
		}
		body, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode/100 != 2 {
			err = fmt.Errorf("%s: %.200s", response.Status, body)
		}
		return body, err
	}
	end := func() error {
		defer connection.CloseIdleConnections()
		response, err := do(context.Background(), http.MethodDelete, nil)
		if err != nil {
			return err
		}
		return response.Body.Close()
	}
	return &session{exchange: exchange, close: end}
}

// answerIn reads events, whose data is on one line here, until the answer, and the rest so that the connection is kept.
func answerIn(body io.Reader, id int64) ([]byte, error) {
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok && isAnswer(data, id) {
			_, err = io.Copy(io.Discard, lines)
			return data, err
		}
		if err != nil {
			return nil, fmt.Errorf("the stream ended without the answer: %w", err)
		}
	}
}
