package mcptest

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Behaviour is one way in which a server departs from what is right, or from what is usual.
type Behaviour string

// Behaviours of every transport.
const (
	Silent      Behaviour = "silent"       // never answers
	NoTools     Behaviour = "no-tools"     // announces prompts only
	NoPrompts   Behaviour = "no-prompts"   // announces prompts, and then says "method not found"
	SlowInit    Behaviour = "slow-init"    // answers initialize after Delay, writing to stderr meanwhile
	StuckCursor Behaviour = "stuck-cursor" // every page of tools names the same next page
	BrokenItems Behaviour = "broken-items" // some entries of the lists are not what they should be
	RefuseInit  Behaviour = "refuse-init"  // answers initialize with an error
	RefuseLists Behaviour = "refuse-lists" // answers every list with an error
	Dual        Behaviour = "dual"         // speaks the stateless revision and those with a handshake
	SilentProbe Behaviour = "silent-probe" // never answers server/discover
	EmptyProbe  Behaviour = "empty-probe"  // answers server/discover with an empty result, as some answer anything
	Skills      Behaviour = "skills"       // has a skill of two files (SEP-2640)
	// EagerUpdates tells that a resource changed before it answers that it is followed.
	EagerUpdates Behaviour = "eager-updates"
	// Hostile has words that give their reader orders the person does not see: in a tool, a prompt, resources and its instructions.
	Hostile Behaviour = "hostile"
	// Restless has a tool, retell, that gives the tool echo another description and says that its tools changed.
	Restless Behaviour = "restless"
	// Monstrous has tools that are hard to handle: see monsters.
	Monstrous Behaviour = "monstrous"
	// Library has tools to search for books and to lend them: see books.
	Library Behaviour = "library"
	// Stumble ends the process at the first call with each message, once that is in its Ledger.
	Stumble Behaviour = "stumble"
	// TamperedSkills has it too, and each file is longer than its entry says.
	TamperedSkills Behaviour = "tampered-skills"
)

// Behaviours of stdio only.
const (
	Banner     Behaviour = "banner"       // writes log lines to stdout, before and between messages
	Garbage    Behaviour = "garbage"      // writes nothing but log lines to stdout
	DieOnProbe Behaviour = "die-on-probe" // exits when the first message is not initialize
	Die        Behaviour = "die"          // writes to stderr and exits with code 3 at once
	Stubborn   Behaviour = "stubborn"     // ignores the end of its input and SIGTERM
	Grandchild Behaviour = "grandchild"   // starts a stubborn process of its own
	Escapee    Behaviour = "escapee"      // starts a stubborn process in a session of its own, where the system has those
	// Daemon starts a stubborn process as daemons do: in a session of its own, where the system has those, with nothing of
	// our environment, and by way of a forker.
	Daemon Behaviour = "daemon"
	Forker Behaviour = "forker" // starts that process and ends
)

// Behaviours of HTTP and SSE only.
const (
	HTML         Behaviour = "html"         // answers with a web page
	Unauthorized Behaviour = "unauthorized" // answers 401 with a challenge
	Forbidden    Behaviour = "forbidden"    // answers 403 without one
	Broken       Behaviour = "broken"       // answers 500
	PlainJSON    Behaviour = "plain-json"   // answers with JSON instead of an event stream
	NoListen     Behaviour = "no-listen"    // has no stream between requests
	Bad400       Behaviour = "bad-400"      // answers 400 instead of 404 to a session it does not know
	Bad400JSON   Behaviour = "bad-400-json" // the same, and gives the reason as a JSON-RPC error
	Moved        Behaviour = "moved"        // answers 308 with an address elsewhere
	ForeignPost  Behaviour = "foreign-post" // SSE: names an endpoint at another host
)

// known lists all behaviours, so that a misspelt one is noticed.
func known() []Behaviour {
	return []Behaviour{
		Silent, NoTools, NoPrompts, SlowInit, StuckCursor, BrokenItems, RefuseInit, RefuseLists, Dual, SilentProbe, EmptyProbe,
		Skills, TamperedSkills, EagerUpdates, Hostile, Restless, Stumble, Monstrous, Library,
		Banner, Garbage, DieOnProbe, Die, Stubborn, Grandchild, Escapee, Daemon, Forker,
		HTML, Unauthorized, Forbidden, Broken, PlainJSON, NoListen, Bad400, Bad400JSON, Moved, ForeignPost,
	}
}

// Options say what kind of server it is. The zero value is a well-behaved one.
type Options struct {
	Name string
	// Revision is what the server answers to initialize; empty means what the client asked for.
	Revision string
	// Tools is how many tools it has besides the standing ones; see Standing.
	Tools int
	// PageSize is how many entries a list gives at a time; 0 means all.
	PageSize int
	Delay    time.Duration
	// Fresh is for how long a stateless server says that its lists are fresh.
	Fresh  time.Duration
	Behave []Behaviour
	// Text is what Die, Banner and Garbage write, and crash before it ends the process.
	Text string
	// Echo names the environment variable, or the header, whose value the server repeats wherever it says something,
	// but for the results of calls.
	Echo string
	// Ledger is a file to which a line is added for each call of a tool, with its message, before it runs.
	Ledger string
}

func (o Options) is(b Behaviour) bool { return slices.Contains(o.Behave, b) }

// args writes o as the flags that parse reads.
func (o Options) args() []string {
	var behave []string
	for _, b := range o.Behave {
		behave = append(behave, string(b))
	}
	return []string{
		"-name", o.Name, "-revision", o.Revision, "-tools", strconv.Itoa(o.Tools), "-page", strconv.Itoa(o.PageSize),
		"-delay", o.Delay.String(), "-behave", strings.Join(behave, ","), "-text", o.Text,
		"-echo", o.Echo, "-ledger", o.Ledger, "-fresh", o.Fresh.String(),
	}
}

// Flags adds the options to a set of command line flags; the result is complete once the set has been parsed.
func Flags(set *flag.FlagSet) *Options {
	o := &Options{}
	set.StringVar(&o.Name, "name", "fake", "name of the server")
	set.StringVar(&o.Revision, "revision", "", "protocol revision to answer with; empty: the client's")
	set.IntVar(&o.Tools, "tools", 0, "number of tools besides the standing ones")
	set.IntVar(&o.PageSize, "page", 0, "entries in one page of a list; 0: all")
	set.DurationVar(&o.Delay, "delay", 0, "how long slow-init takes")
	set.DurationVar(&o.Fresh, "fresh", 0, "for how long a stateless server says that its lists are fresh")
	set.StringVar(&o.Text, "text", "", "what banner and die write")
	set.StringVar(&o.Echo, "echo", "", "environment variable or header whose value is repeated everywhere")
	set.StringVar(&o.Ledger, "ledger", "", "file that gets a line for each call of a tool")
	set.Func("behave", "comma-separated behaviours", func(list string) error {
		for name := range strings.SplitSeq(list, ",") {
			switch {
			case name == "":
			case slices.Contains(known(), Behaviour(name)):
				o.Behave = append(o.Behave, Behaviour(name))
			default:
				return fmt.Errorf("no behaviour %q: want some of %v", name, known())
			}
		}
		return nil
	})
	return o
}

func parse(args []string) (Options, error) {
	set := flag.NewFlagSet("mcptest", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	o := Flags(set)
	err := set.Parse(args)
	return *o, err
}
