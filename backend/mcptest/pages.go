package mcptest

import (
	"context"
	"strconv"
)

const defaultPage = "https://pages.example/sign?f=1"

func pageOf(p callParams) string {
	if p.Arguments.URL != "" {
		return p.Arguments.URL
	}
	return defaultPage
}

// page is an elicitation of an address. Only the revision 2025-11-25 has names for them.
func page(url, id string) object {
	asked := object{"mode": "url", "message": "Sign in at our site.", "url": url}
	if id != "" {
		asked["elicitationId"] = id
	}
	return asked
}

// visit has a page opened. Once it was, the server says that it is done with.
func (s *session) visit(ctx context.Context, p callParams, send func(message)) any {
	id := s.pageID()
	answer := s.ask(ctx, "elicitation/create", page(pageOf(p), id), send)
	if member(answer, "action") == "accept" {
		s.completed(id)
	}
	return text(string(answer))
}

// locked refuses until a page was opened and unlock was called (URLElicitationRequiredError).
func (s *session) locked(p callParams) (any, *rpcError) {
	url := pageOf(p)
	s.mu.Lock()
	id, known := s.locks[url]
	s.mu.Unlock()
	if known && id == "" {
		return text("unlocked"), nil
	}
	if !known {
		id = s.pageID()
		s.mu.Lock()
		s.locks[url] = id
		s.mu.Unlock()
	}
	return nil, &rpcError{Code: -32042, Message: "Open the page first", Data: object{"elicitations": []any{page(url, id)}}}
}

// unlock is the end of what a person does at the page of locked.
func (s *session) unlock(p callParams) any {
	url := pageOf(p)
	s.mu.Lock()
	id := s.locks[url]
	s.locks[url] = ""
	s.mu.Unlock()
	if id != "" {
		s.completed(id)
	}
	return text("unlocking " + id)
}

func (s *session) pageID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nextPage++
	return "page-" + strconv.Itoa(s.nextPage)
}

// completed says that a page is done with, and something of pages that never were.
func (s *session) completed(id string) {
	for _, done := range []string{"page-of-nobody", id, id} {
		s.emit(message{Method: "notifications/elicitation/complete", Params: mustJSON(object{"elicitationId": done})})
	}
}
