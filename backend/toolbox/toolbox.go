package toolbox

import (
	"context"
	"encoding/json"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/search"
)

// Offered is one tool as an agent may see it. A tool that the rules deny, or that waits for a person to accept what it
// says of itself, is none.
type Offered struct {
	domain.Tool
	// FQN is its name for an agent that discovers, Wire for one that has it in its list.
	FQN, Wire string
	// Module is what groups it: mcp_{server id}, or the id of a native module.
	Module string
	// Source is where its results come from, as Metadata says it.
	Source string
	// Asks says that a person is asked before it runs.
	Asks bool
}

// Offers gives the tools that a caller may call, in the order of their names.
type Offers interface {
	Offered(ctx context.Context, caller domain.Caller) ([]Offered, error)
	// Unlisted reports whether a server is switched on and nobody knows its tools yet, since it wants a sign-in or does
	// not run.
	Unlisted(server string) bool
}

// Finder finds tools by words and meaning; keep says which may be found.
type Finder interface {
	Search(query string, limit int, keep func(fqn string) bool) []search.Hit
}

// Options are what a Toolbox works with.
type Options struct {
	Offers Offers
	Finder Finder
	// Servers and Readings are what the management actions work with; without them there are none of these actions.
	Servers  Servers
	Readings Readings
	// Call is the road of every call, with its rules.
	Call domain.CallFunc
	// SignIn offers a sign-in to an agent whose call lacks one; nil offers none.
	SignIn Offer
	// Longest is the longest output that an agent gets at once, in bytes; zero means DefaultLongest.
	Longest int
}

// Toolbox is what agents use: a few tools to find and to run all others.
type Toolbox struct {
	Options
	shelf *Shelf
}

// New makes a Toolbox.
func New(o Options) *Toolbox {
	if o.Longest <= 0 {
		o.Longest = DefaultLongest
	}
	return &Toolbox{Options: o, shelf: NewShelf()}
}

// Use is one use of the toolbox by an agent: who, and in what call of a tool.
type Use struct {
	Caller domain.Caller
	// Turn groups the calls of one turn of an agent's conversation.
	Turn string
	// Wait is how long the agent stays while a person decides, as in domain.Call.
	Wait time.Duration
	// Sink hears what happens while a call runs; nil when nobody listens.
	Sink func(domain.Notice)
}

// Run does what a tool of the agent's list stands for: a meta-tool by its name, a management action and any other tool by
// its FQN or wire name. All that can go wrong is in the result.
func (t *Toolbox) Run(ctx context.Context, use Use, name string, arguments json.RawMessage) ActionResult {
	meta, ok := metaTools()[name]
	if !ok {
		meta, ok = t.action(name)
	}
	if ok {
		if err := meta.check(arguments); err != nil {
			return failed("", err)
		}
		return meta.run(t, ctx, use, arguments)
	}
	return t.execute(ctx, use, name, arguments)
}
