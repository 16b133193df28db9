package human

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/jsonrpc"
	"apollia.fr/connexions/backend/session"
)

// maxPages bounds how many pages are remembered that servers wanted opened; the oldest go first.
const maxPages = 500

// page is one that a server wanted opened.
type page struct {
	server, elicitation, call, url string
	// request is the one that a person opened it from; it is set before opened is.
	request string
	opened  bool
	// done is closed when the server says that what a person does there is finished.
	done chan struct{}
}

// pages are those that a person was asked to open, the oldest first.
type pages struct {
	mu   sync.Mutex
	list []*page
}

// begin remembers a page before anybody can open it, so that no word of the server comes too early.
func (p *pages) begin(q session.Question, elicitation, url string) *page {
	fresh := &page{server: q.Server, elicitation: elicitation, url: url, done: make(chan struct{})}
	if q.Call != nil {
		fresh.call = q.Call.ID
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.list) == maxPages {
		p.list = p.list[1:]
	}
	p.list = append(p.list, fresh)
	return fresh
}

// wasOpened reports whether the call has had the page opened before.
func (p *pages) wasOpened(q session.Question, url string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return q.Call != nil && slices.ContainsFunc(p.list, func(known *page) bool {
		return known.opened && known.call == q.Call.ID && known.server == q.Server && known.url == url
	})
}

// opened notes that a person went there, and reports whether the server has said already that it is finished.
func (p *pages) opened(of *page, request string) (finished bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of.request, of.opened = request, true
	select {
	case <-of.done:
		return true
	default:
		return false
	}
}

// finish ends the page of a server's elicitation. It gives the request from which it was opened, "" when none is known:
// a server that names another one, or the same one twice, is not heard (MCP 2025-11-25, client/elicitation).
func (p *pages) finish(server, elicitation string) (request string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.list {
		if known.server != server || known.elicitation != elicitation || elicitation == "" {
			continue
		}
		select {
		case <-known.done:
		default:
			close(known.done)
			return known.request
		}
	}
	return ""
}

// forget drops a page that nobody opened.
func (p *pages) forget(gone *page) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.list = slices.DeleteFunc(p.list, func(known *page) bool { return known == gone })
}

// Completed hears from a server that what a person did at a page is finished.
func (h *Human) Completed(server, elicitation string) {
	h.complete(h.pages.finish(server, elicitation))
}

// complete writes on a request that the server is content. That only tells the person so; a disk that fails says it
// elsewhere.
func (h *Human) complete(request string) {
	if request != "" {
		_ = h.desk.Complete(request)
	}
}

// visit has a person open a page, or not (MCP 2025-11-25 and 2026-07-28, client/elicitation, URL mode).
func (h *Human) visit(ctx context.Context, q session.Question, a asked) (json.RawMessage, *jsonrpc.Error) {
	address, err := ReadAddress(a.URL, h.options.Site(q.Server))
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	address.Opened = h.pages.wasOpened(q, address.URL)
	r := requestOf(domain.ElicitationURLRequest, q)
	r.Address = &address
	if err := h.within(h.questions, r); err != nil {
		return nil, refusalFor(err)
	}
	open := h.pages.begin(q, a.ElicitationID, address.URL)
	ended, err := h.ask(ctx, r, q)
	if err != nil {
		h.pages.forget(open)
		return nil, notAsked(err)
	}
	action := actionOf(ended.Answer)
	if action != Accept {
		h.pages.forget(open)
		return answered(reply{Action: action})
	}
	if h.pages.opened(open, ended.ID) {
		h.complete(ended.ID)
	}
	if q.Again && !address.Opened {
		if action, err = h.stay(ctx, q, r, open); err != nil {
			return nil, notAsked(err)
		}
	}
	return answered(reply{Action: action})
}

// stay waits until the server says that the page is done with, or the person does.
func (h *Human) stay(ctx context.Context, q session.Question, r domain.Request, open *page) (Action, error) {
	address := *r.Address
	address.Opened = true
	r.Address = &address
	over, end := context.WithCancel(ctx)
	defer end()
	var telling sync.WaitGroup
	defer telling.Wait()
	defer end() // before the wait
	ended, err := h.askWith(ctx, r, q, func(id string) {
		telling.Go(func() {
			select {
			case <-open.done:
				by := domain.Caller{Kind: domain.CallerServer, Name: q.Server, User: domain.LocalUser}
				_, _ = h.desk.Answer(id, domain.Answer{Approve: true, By: by}) // the person may have been faster
			case <-over.Done():
			}
		})
	})
	return actionOf(ended.Answer), err
}
