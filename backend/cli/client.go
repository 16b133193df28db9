package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// maxAnswer bounds one answer of the API, in bytes: a tool's result may be as large as the largest message ceiling.
const maxAnswer = 2 << 30

// client speaks to the API, wherever it is: in an owner's process or in this one.
type client struct {
	http *http.Client
	base string
	// local says that the core is in this process and ends with the command.
	local bool
	// problems are those of a core in this process.
	problems []*domain.Error
	close    func() error
}

// Close lets go of the connection, and ends a core in this process.
func (c *client) Close() error { return c.close() }

// get fetches a document. The query is pairs of names and values; empty values are left out.
func get[T any](ctx context.Context, c *client, path string, query ...string) (T, error) {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	if len(values) > 0 {
		path += "?" + values.Encode()
	}
	return send[T](ctx, c, http.MethodGet, path, nil)
}

// post sends a document, or nothing for a nil body, and reads the answer.
func post[T any](ctx context.Context, c *client, path string, body any) (T, error) {
	return send[T](ctx, c, http.MethodPost, path, body)
}

// drop deletes what is at path.
func drop(ctx context.Context, c *client, path string) error {
	_, err := send[struct{}](ctx, c, http.MethodDelete, path, nil)
	return err
}

func send[T any](ctx context.Context, c *client, method, path string, body any) (T, error) {
	var answer T
	response, err := c.do(ctx, method, path, body)
	if err != nil {
		return answer, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return answer, lost(ctx, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return answer, failureIn(response.StatusCode, data)
	}
	if len(data) == 0 {
		return answer, nil
	}
	if err := json.Unmarshal(data, &answer); err != nil {
		return answer, fmt.Errorf("read the answer of %s %s: %w", method, path, err)
	}
	return answer, nil
}

func (c *client) do(ctx context.Context, method, path string, body any) (*http.Response, error) {
	var content io.Reader = http.NoBody
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("encode the request %s: %w", path, err)
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, content)
	if err != nil {
		return nil, fmt.Errorf("make the request %s: %w", path, err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, lost(ctx, err)
	}
	return response, nil
}

// lost is a connection that broke: the person ended the command, or the owner went away.
func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx.Err())
	}
	return &domain.Error{
		Code: domain.CodeNotRunning, Message: "Apollia ended while this command was using it",
		Hint: "Run the command again.", Cause: err,
	}
}

func canceled(cause error) error {
	return &domain.Error{Code: domain.CodeCanceled, Message: "the command was cancelled", Cause: cause}
}

// failureIn reads the error of a failed answer.
func failureIn(status int, data []byte) error {
	var answer failure
	if json.Unmarshal(data, &answer) == nil && answer.Error != nil && answer.Error.Code != "" {
		return answer.Error
	}
	return &domain.Error{
		Code: domain.CodeInternal, Message: fmt.Sprintf("the API answered with HTTP status %d", status),
		Hint: "See the log of apollia serve.", Proof: firstLine(string(data)),
	}
}

// at builds the path of an item from words that may hold any character.
func at(parts ...string) string {
	var b strings.Builder
	b.WriteString("/api")
	for _, part := range parts {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(part))
	}
	return b.String()
}
