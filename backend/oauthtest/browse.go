package oauthtest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxRedirects is how often a browser lets itself be sent on.
const maxRedirects = 20

// Page is what a redirect URI answered to the browser.
type Page struct {
	Status int
	Body   string
}

// Browse does what a browser does with an authorization URL: it follows redirects up to that to the redirect URI, which it
// gives without fetching it. The server must redirect by itself, as with Options.Auto. A nil client is a plain one.
func Browse(ctx context.Context, client *http.Client, authorizeURL string) (redirect *url.URL, err error) {
	address, err := url.Parse(authorizeURL)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(address.Query().Get("redirect_uri"))
	if err != nil || !target.IsAbs() {
		return nil, fmt.Errorf("no redirect_uri in %s", authorizeURL)
	}
	for range maxRedirects {
		next, page, err := follow(ctx, client, address)
		switch {
		case err != nil:
			return nil, err
		case next == nil:
			return nil, fmt.Errorf("the server answers %d: %s", page.Status, page.Body)
		case next.Scheme == target.Scheme && next.Host == target.Host && next.Path == target.Path:
			return next, nil
		}
		address = next
	}
	return nil, fmt.Errorf("more than %d redirects", maxRedirects)
}

// Visit goes on to fetch the redirect URI, and gives the page that the client shows there.
func Visit(ctx context.Context, client *http.Client, authorizeURL string) (Page, error) {
	redirect, err := Browse(ctx, client, authorizeURL)
	if err != nil {
		return Page{}, err
	}
	_, page, err := follow(ctx, client, redirect)
	return page, err
}

// follow fetches one page; next is where it redirects to, if it does.
func follow(ctx context.Context, client *http.Client, address *url.URL) (next *url.URL, page Page, err error) {
	browser := http.Client{}
	if client != nil {
		browser = *client
	}
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), http.NoBody)
	if err != nil {
		return nil, Page{}, err
	}
	request.Header.Set("Accept", "text/html")
	answer, err := browser.Do(request)
	if err != nil {
		return nil, Page{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	if err != nil {
		return nil, Page{}, err
	}
	page = Page{Status: answer.StatusCode, Body: string(body)}
	if answer.Header.Get("Location") == "" {
		return nil, page, nil
	}
	next, err = answer.Location()
	return next, page, err
}
