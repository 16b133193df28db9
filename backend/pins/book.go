package pins

import (
	"log/slog"
	"slices"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// Records keeps, for each server, the definitions that a person accepted.
type Records interface {
	Pins(server string) (pins []domain.Pin, known bool, err error)
	SavePins(server string, pins []domain.Pin) error
	DeletePins(server string) error
}

// Desk is where a person is asked.
type Desk interface {
	// File keeps a request without staying for the answer; where the same one waits already, it gives that.
	File(domain.Request) (domain.Request, error)
	// Lapse ends a request that waits; one that was answered stays as it is.
	Lapse(id string) error
	// Spend marks an approved request as done.
	Spend(id string) error
}

// Options are what a Book works with; all are required.
type Options struct {
	Records Records
	Desk    Desk
	// Requests lists what is and was asked, newest first.
	Requests func(domain.RequestFilter) ([]domain.Request, error)
	// EndApprovals ends the standing approvals of a tool, and says whose they were.
	EndApprovals func(server, tool string) ([]domain.Caller, error)
	// Publish tells that the tools of a server are to be looked at again.
	Publish func(domain.Event)
	Now     func() time.Time
	Logger  *slog.Logger
}

// Book remembers which definitions of tools a person accepted, and asks about those that differ. The first list of a
// server that a person added is accepted as a whole: the person saw it at the test, or is asked at each call. From then on
// a tool that says something else, or that came later to a server whose calls are asked for, is held.
//
// What is written down decides; the rest is for speed. It is safe for concurrent use.
type Book struct {
	options Options
	// changing is held over each change, from reading the records to telling.
	changing sync.Mutex

	mu      sync.RWMutex
	servers map[string]*page
}

// page is what is known of one server.
type page struct {
	// known says that a list of its tools was accepted; accepted are the digests by tool.
	known    bool
	accepted map[string]string
	// waiting are the requests that wait, by tool.
	waiting map[string]domain.Request
}

// NewBook makes a book. Call Recover before anything else.
func NewBook(o Options) *Book { return &Book{options: o, servers: make(map[string]*page)} }

// Recover keeps what was accepted just before an earlier run ended.
func (b *Book) Recover() error {
	open, err := b.options.Requests(domain.RequestFilter{Status: domain.RequestApproved, Open: true})
	if err != nil {
		return err
	}
	for _, r := range slices.Backward(open) { // the oldest first
		if !Concerns(r) {
			continue
		}
		if err := b.Settle(r); err != nil {
			return err
		}
	}
	return nil
}

// Concerns reports whether a request is about the definition of a tool.
func Concerns(r domain.Request) bool { return r.Kind == domain.DefinitionRequest && r.Tool != "" }

// Held reports whether a tool with this digest may not be called until a person accepts its definition, and which request
// asks for that, empty when none waits. What cannot be read is held.
func (b *Book) Held(server domain.Server, tool, digest string) (held bool, request string) {
	p, err := b.page(server.ID)
	if err != nil {
		b.options.Logger.Error("read the accepted definitions", "server", server.ID, "error", err)
		return true, ""
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	if !p.holds(server, tool, digest) {
		return false, ""
	}
	return true, p.waiting[tool].ID
}

// Waiting counts the tools of a server that a person is asked about, and gives the oldest request, empty without. What cannot
// be read counts as none: its tools are held all the same.
func (b *Book) Waiting(server string) (count int, oldest string) {
	p, err := b.page(server)
	if err != nil {
		return 0, ""
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	var first domain.Request
	for _, r := range p.waiting {
		if first.ID == "" || r.CreatedAt.Before(first.CreatedAt) || r.CreatedAt.Equal(first.CreatedAt) && r.Tool < first.Tool {
			first = r
		}
	}
	return len(p.waiting), first.ID
}

// holds is the whole rule. The caller holds mu.
func (p *page) holds(server domain.Server, tool, digest string) bool {
	if !p.known {
		return false
	}
	accepted, pinned := p.accepted[tool]
	if !pinned {
		return server.DefaultVerdict != domain.Allow
	}
	return accepted != digest
}

// page finds what is known of a server, and reads it where nobody asked before.
func (b *Book) page(server string) (*page, error) {
	b.mu.RLock()
	p := b.servers[server]
	b.mu.RUnlock()
	if p != nil {
		return p, nil
	}
	pinned, known, err := b.options.Records.Pins(server)
	if err != nil {
		return nil, err
	}
	waiting, err := b.options.Requests(domain.RequestFilter{Server: server, Status: domain.RequestWaiting})
	if err != nil {
		return nil, err
	}
	p = &page{waiting: make(map[string]domain.Request)}
	for _, r := range waiting {
		if Concerns(r) {
			p.waiting[r.Tool] = short(r)
		}
	}
	p.accept(server, pinned, known)
	b.mu.Lock()
	defer b.mu.Unlock()
	if earlier := b.servers[server]; earlier != nil {
		return earlier, nil // somebody read it meanwhile, and may have changed it since
	}
	b.servers[server] = p
	return p, nil
}

// short is a request without what it shows, which is long.
func short(r domain.Request) domain.Request {
	r.Params = nil
	return r
}

func (p *page) accept(server string, pinned []domain.Pin, known bool) {
	p.known, p.accepted = known, make(map[string]string, len(pinned))
	for _, pin := range pinned {
		p.accepted[pin.Tool] = digestOf(server, pin)
	}
}

// keep writes the definitions of a server down, then remembers them.
func (b *Book) keep(server string, p *page, pinned []domain.Pin) error {
	if err := b.options.Records.SavePins(server, pinned); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p.accept(server, pinned, true)
	return nil
}

func (b *Book) pinOf(tool domain.Tool, digest, version string) domain.Pin {
	return domain.Pin{Tool: tool.Name, Digest: digest, Scheme: domain.DigestScheme, Seen: seenOf(tool, version), At: b.options.Now()}
}

func (b *Book) changed(server string) {
	b.options.Publish(domain.Event{Topic: domain.TopicServers, ID: server})
}
