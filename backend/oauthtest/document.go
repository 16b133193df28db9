package oauthtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// identify finds the client of an authorization request, in the document that its id names if need be.
func (q *request) identify(id string) (Client, error) {
	if client, ok := q.clients.find(id); ok && !client.Document {
		return client, nil
	}
	if !q.o.knowsDocuments() {
		return Client{}, errors.New("no such client")
	}
	if err := checkDocumentURL(id); err != nil {
		return Client{}, err
	}
	fetch := q.o.Fetch
	if fetch == nil {
		fetch = fetchDocument
	}
	raw, err := fetch(q.r.Context(), id)
	if err != nil {
		return Client{}, fmt.Errorf("fetch client document: %w", err)
	}
	client, err := readDocument(id, raw)
	if err != nil {
		return Client{}, fmt.Errorf("client document: %w", err)
	}
	q.clients.put(client)
	return client, nil
}

// checkDocumentURL says why an id cannot be the URL of a document (draft-ietf-oauth-client-id-metadata-document section 3).
// Loopback is let in without TLS, for the documents of tests.
func checkDocumentURL(id string) error {
	address, err := url.Parse(id)
	switch {
	case err != nil:
		return errors.New("no such client")
	case address.Scheme != "https" && !isLoopback(address):
		return errors.New("no such client, and not the https URL of a document")
	case address.Path == "" || address.Path == "/" || address.Fragment != "" || address.User != nil:
		return errors.New("the URL of a document has a path, and neither a fragment nor a user")
	}
	return nil
}

// readDocument reads what the document says, and what it must not say (section 4 of the draft).
func readDocument(id string, raw []byte) (Client, error) {
	client := Client{AuthMethod: methodNone, GrantTypes: []string{grantCode}}
	if err := json.Unmarshal(raw, &client); err != nil {
		return Client{}, err
	}
	switch {
	case client.ID != id:
		return Client{}, fmt.Errorf("client_id is %q", client.ID)
	case client.Secret != "":
		return Client{}, errors.New("it has a client_secret")
	case !slices.Contains([]string{methodNone, methodKey}, client.AuthMethod):
		return Client{}, fmt.Errorf("token_endpoint_auth_method is %q", client.AuthMethod)
	}
	client.Document = true
	return client, nil
}

// fetchDocument follows no redirect: the document is at the URL itself.
func fetchDocument(ctx context.Context, address string) ([]byte, error) {
	client := &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, errors.New(answer.Status)
	}
	return io.ReadAll(io.LimitReader(answer.Body, maxBody))
}
