package lan

import (
	"bytes"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/lantest"
)

// inNetwork is a test with one other computer.
func inNetwork(tb testing.TB) *lantest.Peer {
	tb.Helper()
	return lantest.Connect(tb, "here", usHere+"/24", themThere+"/24")
}

func files(text ...string) lantest.Order {
	return lantest.Order{Do: "register", Name: escape("files.of the team"), Host: "annexe", Port: 8080, Addresses: []string{themThere}, Text: text}
}

func TestServersAppearChangeAndLeave(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	e := browse(t)
	e.sees(0)
	p.Do(files("path=/files", "transport=sse", "name=Fichiers de l'équipe", "auth=oauth", "tls=1", "v=1"))
	found := e.sees(1)[0]
	want := domain.NetworkServer{
		ID: found.ID, Instance: "files.of the team", Name: "Fichiers de l'équipe", Host: "annexe.local", Port: 8080,
		Addresses: []domain.NetworkAddress{{Addr: netip.MustParseAddr(themThere)}},
		Transport: domain.SSE, Path: "/files", Auth: "oauth", TLS: true,
	}
	// The first answer may leave the record to the next.
	found = e.until("the record", func(s domain.NetworkSight) bool { return len(s.Servers) == 1 && s.Servers[0].TLS }).Servers[0]
	if diff := cmp.Diff(want, found, cmpopts.IgnoreFields(domain.NetworkServer{}, "Since", "Seen"), cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
	p.Do(lantest.Order{Do: "text", Name: escape("files.of the team"), Text: []string{"path=/mcp/v2"}})
	changed := e.until("the change", func(s domain.NetworkSight) bool { return len(s.Servers) == 1 && s.Servers[0].Path == "/mcp/v2" }).Servers[0]
	if changed.ID != found.ID || !changed.Since.Equal(found.Since) || changed.TLS || changed.Transport != domain.StreamableHTTP {
		t.Errorf("after the change: %+v", changed)
	}
	p.Do(lantest.Order{Do: "leave", Name: escape("files.of the team")})
	e.sees(0)
}

func TestAKilledAnnouncerExpires(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p, quiet := inNetwork(t), lantest.Connect(t, "here2", "10.99.8.1/24", "10.99.8.2/24")
	quiet.Do(lantest.Order{Do: "register", Name: "other", Host: "other", Port: 1, Addresses: []string{"10.99.8.2"}})
	p.Do(files())
	e := browse(t)
	e.sees(2)
	p.Kill()
	if left := e.sees(1)[0]; left.Instance != "other" {
		t.Errorf("left is %q", left.Instance)
	}
}

func TestTheNetworkGoesAndComesBack(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	e := browse(t)
	e.until("no network", func(s domain.NetworkSight) bool { return s.NoNetwork && !s.Off })
	p := inNetwork(t)
	p.Do(files())
	e.sees(1)
	lantest.IP(t, "link", "set", "here", "down")
	gone := e.until("no network", func(s domain.NetworkSight) bool { return s.NoNetwork })
	if len(gone.Servers) != 0 {
		t.Errorf("without a network there are still %d servers", len(gone.Servers))
	}
	lantest.Up(t, "here", usHere+"/24")
	e.sees(1)
}

func TestTwoHundredServersNeedNoMoreThanOne(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	e := browse(t)
	e.sees(0)
	before := runtime.NumGoroutine()
	p.Do(lantest.Order{Do: "register", Name: "server", Count: 200, Host: "annexe", Port: 9000, Addresses: []string{themThere}, Text: []string{"v=1"}})
	first := e.sees(200)
	// Three questions later all of them are still there.
	last := first[0].Seen
	for range 3 {
		sight := e.until("another answer", func(s domain.NetworkSight) bool { return len(s.Servers) == 200 && s.Servers[0].Seen.After(last) })
		last = sight.Servers[0].Seen
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d with 200 servers", before, after)
	}
}

func TestOnlyIPv6(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := lantest.Connect(t, "here", "fd00:77::1/64", "fd00:77::2/64")
	p.Do(lantest.Order{Do: "register", Name: "six", Host: "six", Port: 8080, Addresses: []string{"fe80::5", "fd00:77::2"}})
	found := browse(t).sees(1)[0].Addresses
	if len(found) != 2 || found[0].Addr.String() != "fd00:77::2" || found[1].Addr.String() != "fe80::5%here" {
		t.Errorf("addresses %v", found)
	}
}

func TestOffMeansNoSocket(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	p.Do(files())
	open := func() bool {
		for _, file := range []string{"/proc/net/udp", "/proc/net/udp6"} {
			table, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(table, []byte(":14E9 ")) { // 5353
				return true
			}
		}
		return false
	}
	if open() {
		t.Fatal("a socket is open before anything was switched on")
	}
	e := browse(t)
	e.sees(1)
	if !open() {
		t.Fatal("no socket is open while the browser finds something, so this test sees nothing")
	}
	e.end()
	if open() || !e.Sight().Off || len(e.Sight().Servers) != 0 {
		t.Errorf("after the search: socket open %t, sight %+v", open(), e.Sight())
	}
	a := NewAnnouncer(e.log, func() {})
	end := running(t, a.Run)
	a.Announce([]Announcement{{Instance: "ours", Host: "desk", Addresses: addresses(usHere), Port: 7433}})
	p.Do(lantest.Order{Do: "find", Name: "ours"})
	if !open() {
		t.Fatal("no socket is open while something is announced, so this test sees nothing")
	}
	end()
	if open() {
		t.Error("a socket is open after the announcement")
	}
}

func TestWhatWeAnnounceIsFound(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	moved := make(chan struct{}, 1)
	a := NewAnnouncer(browse(t).log, func() { moved <- struct{}{} })
	running(t, a.Run)
	notes := Announcement{
		Instance: `Notes v1.2 d'Élodie (\)`, Host: "desk.local", Addresses: addresses(usHere), Port: 7433,
		Record: Record{Name: `Né\"`, Path: "/mcp", Auth: "token"},
	}
	a.Announce([]Announcement{notes})
	found := p.Do(lantest.Order{Do: "find", Name: escape(`Notes v1.2 d'Élodie (\)`)})
	for _, part := range []string{"port 7433", "path=/mcp", "transport=streamable_http", "auth=token", usHere} {
		if !strings.Contains(found, part) {
			t.Errorf("found %s, without %q", found, part)
		}
	}
	e := browse(t)
	ours := e.until("our own", func(s domain.NetworkSight) bool { return len(s.Servers) == 1 && s.Servers[0].Auth == "token" }).Servers[0]
	if ours.Instance != `Notes v1.2 d'Élodie (\)` || ours.Name != `Né\"` {
		t.Errorf("our own browser found instance %q, name %q", ours.Instance, ours.Name)
	}
	if ours.Host != "desk.local" {
		t.Errorf("our own browser found host %q", ours.Host)
	}
	// A network that changes takes the announcement along, and whoever knows the addresses is told.
	later := lantest.Connect(t, "here2", "10.99.8.1/24", "10.99.8.2/24")
	await(t, moved)
	notes.Addresses = addresses(usHere, "10.99.8.1")
	a.Announce([]Announcement{notes})
	e.until("the new address", func(s domain.NetworkSight) bool { return len(s.Servers) == 1 && len(s.Servers[0].Addresses) == 2 })
	if found := later.Do(lantest.Order{Do: "find", Name: escape(`Notes v1.2 d'Élodie (\)`)}); !strings.Contains(found, "10.99.8.1") {
		t.Errorf("on the new network: %s", found)
	}
	a.Announce(nil)
	e.sees(0)
}

func TestWhatIsNotAnnouncedAnyMoreEndsAlone(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	lantest.IP(t, "addr", "add", "10.99.7.9/24", "dev", "here")
	a := NewAnnouncer(browse(t).log, func() {})
	running(t, a.Run)
	stays := Announcement{Instance: "stays", Host: "desk", Addresses: addresses(usHere), Port: 7433}
	a.Announce([]Announcement{stays, {Instance: "goes", Host: "desk", Addresses: addresses(usHere), Port: 7434}})
	e := browse(t)
	since := e.sees(2)[1].Since
	a.Announce([]Announcement{stays})
	left := e.sees(1)[0]
	if left.Instance != "stays" || !left.Since.Equal(since) {
		t.Errorf("left is %+v", left)
	}
	// The other address of this computer is nobody's business.
	if found := p.Do(lantest.Order{Do: "find", Name: "stays"}); !strings.Contains(found, "addresses [10.99.7.1]") {
		t.Errorf("found %s", found)
	}
}

func TestTwoOfOneName(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p, q := inNetwork(t), lantest.Connect(t, "here2", "10.99.8.1/24", "10.99.8.2/24")
	p.Do(files())
	second := files()
	second.Addresses, second.Host = []string{"10.99.8.2"}, "cave"
	q.Do(second)
	e := browse(t)
	both := e.sees(2)
	if both[0].Instance != both[1].Instance || both[0].ID == both[1].ID || both[0].Host == both[1].Host {
		t.Errorf("two of one name: %+v", both)
	}
	// One that claims even the host and the port of another is told from it by nothing, and so is both.
	third := files()
	third.Addresses = []string{"10.99.8.3"}
	q.Do(third)
	e.until("the dispute", func(s domain.NetworkSight) bool {
		return len(s.Servers) == 2 && cmp.Equal(s.Servers[0].Faults, []string{reasonDisputed})
	})
}
