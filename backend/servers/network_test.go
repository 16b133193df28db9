package servers_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// notes are announced at the given addresses; those marked with ! are refused.
func notes(addresses ...string) domain.NetworkServer {
	found := domain.NetworkServer{
		ID: "n1", Instance: "notes", Name: "Team notes", Host: "annexe.local", Port: 8080, Transport: domain.SSE, Path: "/no%74es?x=1",
	}
	for _, text := range addresses {
		a := domain.NetworkAddress{}
		if text[0] == '!' {
			text, a.Refused = text[1:], "refused"
		}
		a.Addr = netip.MustParseAddr(text)
		found.Addresses = append(found.Addresses, a)
	}
	return found
}

func TestADraftOfTheNetworkHasTheFirstAddressThatAnswers(t *testing.T) {
	b := newBench(t)
	found := notes("10.0.0.7", "fd00::7", "fe80::7%here", "!169.254.169.254")
	b.network = []domain.NetworkServer{found}
	for answering, want := range map[string]string{
		"10.0.0.7:8080":        "http://10.0.0.7:8080/no%74es?x=1",
		"[fd00::7]:8080":       "http://[fd00::7]:8080/no%74es?x=1",
		"[fe80::7%here]:8080":  "http://[fe80::7%25here]:8080/no%74es?x=1",
		"169.254.169.254:8080": "http://10.0.0.7:8080/no%74es?x=1", // refused ones are not even tried
		"10.0.0.9:1":           "http://10.0.0.7:8080/no%74es?x=1",
	} {
		b.answering = []netip.AddrPort{netip.MustParseAddrPort(answering)}
		d, err := b.DraftFound(t.Context(), "n1")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(domain.Definition{Name: "Team notes", Transport: domain.SSE, URL: want, Instance: "notes"}, d); diff != "" {
			t.Errorf("%s answers: %s", answering, diff)
		}
	}
	if _, err := b.DraftFound(t.Context(), "n2"); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("one that is not there: %v", err)
	}
}

func TestAnAnnouncementIsNotFilledInFromThisComputer(t *testing.T) {
	b := newBench(t)
	found := notes("10.0.0.7")
	for _, path := range []string{"/mcp?k=${HOME}", "/mcp?k=$${HOME}", "/${HOME}/mcp", "/mcp?k=${secret:github/TOKEN}"} {
		for _, host := range []string{"annexe.local", "${HOME}.local"} {
			for _, addresses := range [][]domain.NetworkAddress{found.Addresses, nil} {
				found.Path, found.Host, found.Addresses = path, host, addresses
				b.network = []domain.NetworkServer{found}
				d, err := b.DraftFound(t.Context(), "n1")
				if err != nil {
					t.Fatal(err)
				}
				if config.HasReference(d.URL) || strings.Contains(d.URL, "${") {
					t.Errorf("%s at %s: the draft reads a variable: %s", path, host, d.URL)
				}
			}
		}
	}
}

func TestADraftOfTheNetworkIsRefusedAtItsTest(t *testing.T) {
	b := newBench(t)
	for name, c := range map[string]struct {
		change func(*domain.NetworkServer)
		reason string
	}{
		"ourselves":   {func(n *domain.NetworkServer) { *n = notes("!127.0.0.1") }, "network_address"},
		"metadata":    {func(n *domain.NetworkServer) { *n = notes("!169.254.169.254") }, "network_address"},
		"a fault":     {func(n *domain.NetworkServer) { n.Faults = []string{"announcement_path"} }, "announcement_path"},
		"no fault":    {func(*domain.NetworkServer) {}, ""},
		"no address":  {func(n *domain.NetworkServer) { *n = notes(); n.Faults = []string{"announcement_no_address"} }, "announcement_no_address"},
		"other names": {func(n *domain.NetworkServer) { n.Name = "Other" }, ""},
	} {
		found := notes("10.0.0.7")
		c.change(&found)
		b.network = []domain.NetworkServer{found}
		d, err := b.DraftFound(t.Context(), "n1")
		if err != nil {
			t.Fatal(err)
		}
		check, err := b.Check(d, "")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, fault := range check.Errors {
			got = fault.Error.Args["reason"]
		}
		if got != c.reason {
			t.Errorf("%s: reason %q, want %q", name, got, c.reason)
		}
	}
	// The same address, typed by a person, is theirs to know.
	check, err := b.Check(domain.Definition{Name: "mine", Transport: domain.SSE, URL: "http://127.0.0.1:8080/sse"}, "")
	if err != nil || len(check.Errors) > 0 {
		t.Errorf("typed: %v, %v", check.Errors, err)
	}
}

func TestAServerOfTheNetworkThatMovedWaits(t *testing.T) {
	b := newBench(t)
	b.network = []domain.NetworkServer{notes("10.0.0.7")}
	d, err := b.DraftFound(t.Context(), "n1")
	if err != nil {
		t.Fatal(err)
	}
	added, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true})
	if err != nil {
		t.Fatal(err)
	}
	if added.Trust != domain.Community || added.Instance != "notes" || added.Moved != nil {
		t.Errorf("added: trust %s, instance %q, moved %v", added.Trust, added.Instance, added.Moved)
	}
	second, err := b.DraftFound(t.Context(), "n1")
	if err != nil || second.Name != "Team notes 2" {
		t.Errorf("the name of a second one: %q, %v", second.Name, err)
	}
	moved := func() *domain.NetworkMove {
		view, err := b.Get(added.ID)
		if err != nil {
			t.Fatal(err)
		}
		if view.URL != d.URL {
			t.Fatalf("followed silently to %s", view.URL)
		}
		return view.Moved
	}
	another, rival, other := notes("10.0.0.8"), notes("10.0.0.9"), notes("10.0.0.8")
	another.Faults = []string{"announcement_disputed"}
	other.Transport = domain.StreamableHTTP
	for name, network := range map[string][]domain.NetworkServer{
		"gone": nil, "here and there": {notes("10.0.0.8"), notes("10.0.0.7")}, "with a fault": {another}, "by several": {notes("10.0.0.8"), rival},
		"another transport": {other}, "more addresses": {notes("10.0.0.1", "10.0.0.7")},
	} {
		if b.network = network; moved() != nil {
			t.Errorf("%s: moved %v", name, moved())
		}
	}
	b.network = []domain.NetworkServer{notes("10.0.0.8")}
	want := &domain.NetworkMove{From: d.URL, To: "http://10.0.0.8:8080/no%74es?x=1"}
	if diff := cmp.Diff(want, moved()); diff != "" {
		t.Error(diff)
	}
	if _, err := b.FollowMove(t.Context(), added.ID, "http://10.0.0.9:8080/notes", nil); domain.CodeOf(err) != domain.CodeInvalidInput {
		t.Errorf("an address that nobody saw: %v", err)
	}
	moved()
	view, err := b.FollowMove(t.Context(), added.ID, want.To, nil)
	if err != nil || view.URL != want.To || view.Moved != nil || view.Trust != domain.Community {
		t.Errorf("followed: %+v, %v", view.Server, err)
	}
}

func TestOnlyWhatTheNetworkReachesIsAnnounced(t *testing.T) {
	b := newBench(t)
	b.own = []netip.Addr{netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("fd00::5")}
	b.answering = []netip.AddrPort{netip.MustParseAddrPort("10.0.0.5:8080"), netip.MustParseAddrPort("10.0.0.6:8080")}
	for name, c := range map[string]struct {
		definition domain.Definition
		reason     string
	}{
		"program": {domain.Definition{Transport: domain.Stdio, Command: "sh"}, "announce_program"},
		"other":   {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://10.0.0.6:8080/mcp"}, "announce_elsewhere"},
		"world":   {domain.Definition{Transport: domain.StreamableHTTP, URL: "https://mcp.example/mcp"}, "announce_elsewhere"},
		"unknown": {domain.Definition{Transport: domain.StreamableHTTP, URL: "${TOKEN}"}, "announce_elsewhere"},
		"later":   {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8080/mcp?team=${TEAM:-notes}"}, "announce_elsewhere"},
		"keyed":   {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8080/mcp?api_key=s3cr3t"}, "announce_elsewhere"},
		"path":    {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8080/ghp_0123456789abcdef/mcp"}, "announce_elsewhere"},
		"closed":  {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8081/mcp"}, "announce_unreachable"},
		"loop":    {domain.Definition{Transport: domain.SSE, URL: "http://localhost:8080/sse?team=1"}, ""},
		"named":   {domain.Definition{Transport: domain.StreamableHTTP, URL: "http://10.0.0.5:8080/mcp"}, ""},
	} {
		c.definition.Name = name
		if _, err := b.Add(t.Context(), servers.Addition{Definition: c.definition, SkipTest: true}); err != nil {
			t.Fatal(err)
		}
		a, err := b.Announcement(t.Context(), name)
		if reason := domain.AsError(err); c.reason != "" && (reason == nil || reason.Args["reason"] != c.reason) {
			t.Errorf("%s: %v", name, err)
		} else if c.reason == "" && (err != nil || a.Port != 8080 || a.Host != "desk.local" || !cmp.Equal(a.Addresses, b.own[:1], cmp.Comparer(func(a, b netip.Addr) bool { return a == b }))) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
		if name == "loop" && (a.Path != "/sse?team=1" || a.Transport != domain.SSE || a.Auth != "none") {
			t.Errorf("what is told of it: %+v", a)
		}
	}
	b.own = nil
	if _, err := b.Announcement(t.Context(), "loop"); domain.AsError(err).Args["reason"] != "announce_no_network" {
		t.Errorf("without a network: %v", err)
	}
}

func TestARemovedServerIsNotAnnouncedWhenAnotherGetsItsName(t *testing.T) {
	b := newBench(t)
	d := domain.Definition{Name: "notes", Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8080/mcp"}
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	if err := b.Store.SetSetting(config.AnnounceKey, "other,notes"); err != nil {
		t.Fatal(err)
	}
	if err := b.Remove(t.Context(), "notes"); err != nil {
		t.Fatal(err)
	}
	settings, err := b.Store.Settings()
	if err != nil || settings[config.AnnounceKey] != "other" {
		t.Errorf("announced is %q, %v", settings[config.AnnounceKey], err)
	}
}

func TestALongNameIsShownAsTheNetworkHasIt(t *testing.T) {
	b := newBench(t)
	b.own = []netip.Addr{netip.MustParseAddr("10.0.0.5")}
	b.answering = []netip.AddrPort{netip.MustParseAddrPort("10.0.0.5:8080")}
	d := domain.Definition{Name: "notes " + strings.Repeat("€", 30), Transport: domain.StreamableHTTP, URL: "http://127.0.0.1:8080/mcp"}
	added, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := b.Announcement(t.Context(), added.ID); err != nil || a.Instance != "notes "+strings.Repeat("€", 19) {
		t.Errorf("announced as %q, %v", a.Instance, err)
	}
}

func TestAKeyInAnAddressIsNotAnnounced(t *testing.T) {
	b := newBench(t)
	b.own = []netip.Addr{netip.MustParseAddr("10.0.0.5")}
	b.answering = []netip.AddrPort{netip.MustParseAddrPort("10.0.0.5:8080")}
	for url, reason := range map[string]string{
		"http://127.0.0.1:8080/mcp?api_key=s3cr3t":           "announce_secret",
		"http://127.0.0.1:8080/ghp_0123456789abcdef/mcp":     "announce_secret",
		"http://127.0.0.1:8080/mcp?team=notes&mode=readonly": "",
		"http://127.0.0.1:8080/mcp?a=1;api_key=s3cr3t":       "announce_secret",
		"http://127.0.0.1:8080//mcp":                         "announce_path",
		"http://127.0.0.1:8080/" + strings.Repeat("a", 250):  "announce_path",
	} {
		filed := domain.Definition{Name: "filed", Transport: domain.StreamableHTTP, URL: url}
		b.file = config.Config{Servers: []domain.Server{{ID: "filed", Definition: filed, Enabled: true, Source: domain.FromConfig, Line: 3}}}
		_, err := b.Announcement(t.Context(), "filed")
		if got := domain.AsError(err); (got == nil) != (reason == "") || got != nil && got.Args["reason"] != reason {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestTheNetworkTellsOfServersOnlyWhenOneMoves(t *testing.T) {
	b := newBench(t)
	b.network = []domain.NetworkServer{notes("10.0.0.7")}
	d, err := b.DraftFound(t.Context(), "n1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	told := 0
	b.Publish = func(domain.Event) { told++ }
	other := notes("10.0.0.9")
	other.Instance = "other"
	for i, step := range []struct {
		network []domain.NetworkServer
		told    int
	}{
		{[]domain.NetworkServer{notes("10.0.0.7")}, 0},
		{[]domain.NetworkServer{notes("10.0.0.7"), other}, 0},
		{[]domain.NetworkServer{notes("10.0.0.8"), other}, 1},
		{[]domain.NetworkServer{notes("10.0.0.8")}, 0},
		{[]domain.NetworkServer{notes("10.0.0.6")}, 1},
		{nil, 1},
	} {
		told, b.network = 0, step.network
		b.NetworkChanged()
		if told != step.told {
			t.Errorf("step %d: told %d times, want %d", i, told, step.told)
		}
	}
}

func TestWhatWentEncryptedIsNotFollowedIntoTheClear(t *testing.T) {
	b := newBench(t)
	safe := notes("10.0.0.7")
	safe.TLS = true
	b.network = []domain.NetworkServer{safe}
	d, err := b.DraftFound(t.Context(), "n1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Add(t.Context(), servers.Addition{Definition: d, SkipTest: true}); err != nil {
		t.Fatal(err)
	}
	for address, tls := range map[string]bool{"10.0.0.8": false, "10.0.0.9": true} {
		safe = notes(address)
		safe.TLS = tls
		b.network = []domain.NetworkServer{safe}
		view, err := b.Get(d.Name)
		if err != nil || (view.Moved != nil) != tls {
			t.Errorf("at %s, encrypted %t: moved %v, %v", address, tls, view.Moved, err)
		}
	}
}
