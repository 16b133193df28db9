package lan

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/lantest"
)

// says has the peer send one answer of records.
func says(t *testing.T, p *lantest.Peer, records ...string) {
	t.Helper()
	packet, err := answer(records...)
	if err != nil {
		t.Fatal(err)
	}
	p.Do(lantest.Order{Do: "packet", Packet: packet})
}

func TestHostileAnnouncements(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p := inNetwork(t)
	e := NewBrowser(browse(t).log, 0, func() {}) // this one asks so rarely that the silent ones below do not expire
	seen := &eye{Browser: e, t: t, changes: make(chan struct{}, 1)}
	e.changed = func() {
		select {
		case seen.changes <- struct{}{}:
		default:
		}
	}
	running(t, e.Run)
	seen.sees(0)

	for _, garbage := range [][]byte{nil, {0}, []byte(strings.Repeat("\xc0\x0c", 600)), make([]byte, 60_000)} {
		p.Do(lantest.Order{Do: "packet", Packet: garbage})
	}
	long := make([]string, 40)
	for i := range long {
		long[i] = strings.Repeat("x", 250)
	}
	says(t, p, announced("a long", 8080, themThere, append([]string{"path=/x"}, long...)...)...)
	says(t, p, announced("b \x1b[31m\u202egnp\x00\xff", 8080, themThere)...)
	says(t, p, announced("c metadata", 80, "169.254.169.254")...)
	says(t, p, announced("d ourselves", 80, "127.0.0.1")...)
	says(t, p, announced("e far", 80, "8.8.8.8")...)
	says(t, p, announced("f no port", 0, themThere)...)
	says(t, p, announced("g path", 80, themThere, "path=//evil.example/mcp")...)
	says(t, p, announced("h transport", 80, themThere, "transport=stdio", "v=2")...)

	found := seen.until("all of them, told apart by their faults", func(s domain.NetworkSight) bool { return len(s.Servers) == 8 }).Servers
	faults := make([]string, len(found))
	for i, s := range found {
		faults[i] = strings.Join(s.Faults, " ")
		for _, text := range []string{s.Instance, s.Name, s.Host, s.Path} {
			if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) || len([]rune(text)) > maxPath {
				t.Errorf("%q is not fit to be shown", text)
			}
		}
	}
	want := []string{reasonTooLong, "", reasonNoAddress, reasonNoAddress, reasonNoAddress, reasonNoAddress, reasonPath, reasonVersion + " " + reasonTransport}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Error(diff)
	}
	refused := func(s domain.NetworkServer) string { return s.Addresses[0].Refused }
	if got := []string{refused(found[2]), refused(found[3]), refused(found[4]), refused(found[1])}; !cmp.Equal(got, []string{"metadata", "this_computer", "public", ""}) {
		t.Errorf("refused addresses: %q", got)
	}
}

func TestOneSenderCannotFillTheList(t *testing.T) {
	t.Parallel()
	if !lantest.Alone(t) {
		return
	}
	p, honest := inNetwork(t), lantest.Connect(t, "here2", "10.99.8.1/24", "10.99.8.2/24")
	e := browse(t)
	e.sees(0)
	for i := range maxOfSender + 50 {
		says(t, p, announced(fmt.Sprintf("many %d", i), 80, themThere)...)
	}
	honest.Do(lantest.Order{Do: "register", Name: "honest", Host: "honest", Port: 8080, Addresses: []string{"10.99.8.2"}})
	e.until("the honest one, and that there are more", func(s domain.NetworkSight) bool {
		heard := false
		for _, found := range s.Servers {
			heard = heard || found.Instance == "honest"
		}
		return heard
	})
}

func TestAnswersFromElsewhereAreNotHeard(t *testing.T) {
	t.Parallel()
	l := link{prefixes: []netip.Prefix{netip.MustParsePrefix("10.99.7.1/24"), netip.MustParsePrefix("fd00:77::1/64")}}
	l.Name = "here"
	for text, want := range map[string]bool{
		"10.99.7.9": true, "10.99.8.9": false, "203.0.113.1": false, "fd00:77::9": true, "fd00:78::9": false,
		"fe80::1%here": true, "fe80::1%there": false,
	} {
		if got := l.has(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is of the link: %t", text, got)
		}
	}
}
