package pins_test

import (
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/store"
)

// desk is a book over a real store and inbox, which can be opened again as after a crash.
type desk struct {
	t     *testing.T
	store *store.Store
	inbox *inbox.Inbox
	book  *pins.Book
	// ended are the tools whose approvals were ended.
	ended []string
}

var acme = domain.Server{ID: "acme", Definition: domain.Definition{Name: "Acme"}}

func newDesk(t *testing.T) *desk {
	t.Helper()
	kept, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, store: kept}
	t.Cleanup(func() {
		d.inbox.Close()
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	d.start()
	return d
}

// start takes the records up as a new process does.
func (d *desk) start() {
	d.t.Helper()
	if d.inbox != nil {
		d.inbox.Close()
	}
	d.inbox = inbox.New(d.store, func(domain.Event) {}, inbox.Options{})
	if _, err := d.inbox.Recover(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	d.book = pins.NewBook(pins.Options{
		Records: d.store, Desk: d.inbox, Requests: d.inbox.List, Publish: func(domain.Event) {}, Now: time.Now,
		EndApprovals: func(_, tool string) ([]domain.Caller, error) {
			d.ended = append(d.ended, tool)
			return []domain.Caller{{Kind: domain.CallerClient, Name: "Cursor", User: domain.LocalUser}}, nil
		},
		Logger: slog.New(slog.DiscardHandler),
	})
	if err := d.book.Recover(); err != nil {
		d.t.Fatal(err)
	}
}

func told(name, description string) domain.Tool {
	raw, err := json.Marshal(map[string]any{"name": name, "description": description, "annotations": map[string]any{"readOnlyHint": true}})
	if err != nil {
		panic(err)
	}
	return domain.Tool{
		Server: "acme", Name: name, Description: description, Effect: domain.Reads, Raw: raw,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}}}`),
	}
}

func (d *desk) list(tools ...domain.Tool) {
	d.t.Helper()
	d.listFor(acme, tools...)
}

func (d *desk) listFor(server domain.Server, tools ...domain.Tool) {
	d.t.Helper()
	if err := d.book.Listed(server, "1.0", tools); err != nil {
		d.t.Fatal(err)
	}
}

// held gives the request that asks for a tool, or fails when the tool is not held.
func (d *desk) held(tool domain.Tool) domain.Request {
	d.t.Helper()
	held, id := d.book.Held(acme, tool.Name, tool.Digest())
	if !held || id == "" {
		d.t.Fatalf("%s is held: %t, by %q", tool.Name, held, id)
	}
	r, err := d.inbox.Get(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *desk) free(tools ...domain.Tool) {
	d.t.Helper()
	for _, tool := range tools {
		if held, id := d.book.Held(acme, tool.Name, tool.Digest()); held {
			d.t.Errorf("%s is held by %q", tool.Name, id)
		}
	}
}

func (d *desk) waiting() []string {
	d.t.Helper()
	waiting, err := d.inbox.Waiting()
	if err != nil {
		d.t.Fatal(err)
	}
	var tools []string
	for _, r := range waiting {
		tools = append(tools, r.Tool)
	}
	return tools
}

func (d *desk) answer(id string, approve bool) domain.Request {
	d.t.Helper()
	r, err := d.inbox.Answer(id, domain.Answer{Approve: approve})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *desk) settle(r domain.Request) {
	d.t.Helper()
	if err := d.book.Settle(r); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) status(id string) domain.RequestStatus {
	d.t.Helper()
	r, err := d.inbox.Get(id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r.Status
}
