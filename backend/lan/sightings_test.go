package lan

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"apollia.fr/connexions/backend/domain"
)

func from(t *testing.T, sender string, records ...string) heard {
	t.Helper()
	packet, err := answer(records...)
	if err != nil {
		t.Fatal(err)
	}
	var m dns.Msg
	if err := m.Unpack(packet); err != nil {
		t.Fatal(err)
	}
	return heard{netip.MustParseAddr(sender), "here", &m}
}

func nowhere(netip.Addr) bool { return false }

const (
	point = "_apollia-mcp._tcp.local. 120 IN PTR notes._apollia-mcp._tcp.local."
	place = "notes._apollia-mcp._tcp.local. 120 IN SRV 0 0 8080 box.local."
	text  = `notes._apollia-mcp._tcp.local. 120 IN TXT "path=/notes"`
	addr  = "box.local. 120 IN A 10.0.0.7"
)

func TestWhatAnAnswerLeavesOutIsAskedFor(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	_, ask := s.hear(from(t, "10.0.0.7", point), now)
	if want := []dns.Question{question("notes."+serviceName, dns.TypeSRV), question("notes."+serviceName, dns.TypeTXT)}; !cmp.Equal(ask, want) {
		t.Errorf("after a name alone: %v", ask)
	}
	_, ask = s.hear(from(t, "10.0.0.7", place, addr), now)
	if want := []dns.Question{question("notes."+serviceName, dns.TypeTXT)}; !cmp.Equal(ask, want) {
		t.Errorf("after all but what it says of itself: %v", ask)
	}
	s = newSightings()
	_, ask = s.hear(from(t, "10.0.0.7", place, text), now)
	if want := []dns.Question{question("box.local.", dns.TypeA), question("box.local.", dns.TypeAAAA)}; !cmp.Equal(ask, want) {
		t.Errorf("after its place: %v", ask)
	}
	changed, ask := s.hear(from(t, "10.0.0.7", addr), now)
	if !changed || len(ask) > 0 {
		t.Errorf("after its address: changed %t, still asks %v", changed, ask)
	}
	if changed, _ := s.hear(from(t, "10.0.0.7", point, place, text, addr), now.Add(time.Second)); changed {
		t.Error("the same again is a change")
	}
	list := s.list(nowhere)
	if len(list) != 1 || list[0].Path != "/notes" || len(list[0].Addresses) != 1 || len(list[0].Faults) != 0 {
		t.Errorf("listed: %+v", list)
	}
}

func TestAGoodbyeCountsAfterASecond(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	s.hear(from(t, "10.0.0.7", point, place, text, addr), now)
	s.hear(from(t, "10.0.0.7", "_apollia-mcp._tcp.local. 0 IN PTR notes._apollia-mcp._tcp.local."), now)
	changed, next := s.sweep(now)
	if changed || !next.Equal(now.Add(time.Second)) {
		t.Fatalf("at the goodbye: changed %t, next %v", changed, next)
	}
	// One that comes back within it never left.
	s.hear(from(t, "10.0.0.7", place), now.Add(500*time.Millisecond))
	if changed, next = s.sweep(now.Add(2 * time.Second)); changed || !next.IsZero() {
		t.Fatalf("after it came back: changed %t, next %v", changed, next)
	}
	s.hear(from(t, "10.0.0.7", "notes._apollia-mcp._tcp.local. 0 IN SRV 0 0 8080 box.local."), now.Add(3*time.Second))
	if changed, _ = s.sweep(now.Add(4 * time.Second)); !changed || len(s.list(nowhere)) != 0 {
		t.Errorf("after a second: changed %t, listed %v", changed, s.list(nowhere))
	}
}

func TestAStrangerCannotSendAnotherAway(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	s.hear(from(t, "10.0.0.7", point, place, text, addr), now)
	s.hear(from(t, "10.0.0.66", "notes._apollia-mcp._tcp.local. 0 IN SRV 0 0 8080 box.local.", "box.local. 120 IN A 10.0.0.66",
		`notes._apollia-mcp._tcp.local. 120 IN TXT "path=/stolen"`), now)
	s.sweep(now.Add(time.Minute))
	list := s.list(nowhere)
	if len(list) != 1 || list[0].Path != "/notes" || !slices.Equal(list[0].Addresses, []domain.NetworkAddress{{Addr: netip.MustParseAddr("10.0.0.7")}}) {
		t.Errorf("listed: %+v", list)
	}
}

func TestThreeUnansweredQuestionsAreTheEnd(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	s.hear(from(t, "10.0.0.7", point, place, text, addr), now)
	for i := range missedLooks {
		asked := now.Add(time.Duration(i+1) * time.Second)
		if gone := s.miss(asked); gone != (i == missedLooks-1) {
			t.Errorf("after question %d: gone %t", i+1, gone)
		}
	}
	s.hear(from(t, "10.0.0.7", place), now)
	s.miss(now.Add(time.Second))
	s.miss(now.Add(2 * time.Second))
	s.hear(from(t, "10.0.0.7", point), now.Add(2500*time.Millisecond))
	if s.miss(now.Add(2*time.Second)) || s.miss(now.Add(3*time.Second)) || s.miss(now.Add(4*time.Second)) {
		t.Error("an answer does not count")
	}
}

func TestSeveralSendersOfOneServerAreOne(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	s.hear(from(t, "10.0.0.7", point, place, text, addr, "box.local. 120 IN AAAA fd00::7"), now)
	s.hear(from(t, "fd00::7", point, place, text, "box.local. 120 IN AAAA fd00::7"), now.Add(time.Second))
	list := s.list(nowhere)
	if len(list) != 1 || len(list[0].Addresses) != 2 || len(list[0].Faults) != 0 || !list[0].Since.Equal(now) || !list[0].Seen.Equal(now.Add(time.Second)) {
		t.Errorf("listed: %+v", list)
	}
}

func TestOneWhoSpeaksForAnotherIsTold(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	const both, text2 = "box.local. 120 IN A 10.0.0.3", `notes._apollia-mcp._tcp.local. 120 IN TXT "path=/stolen"`
	for name, c := range map[string]struct {
		says  []string
		fault bool
	}{
		"the same":              {[]string{point, place, text, addr}, false},
		"the same and itself":   {[]string{point, place, text, addr, both}, false},
		"something else":        {[]string{point, place, text2, addr, both}, true},
		"another place":         {[]string{point, place, text, both}, true},
		"no record of any kind": {[]string{point, place, addr}, false},
	} {
		s := newSightings()
		s.hear(from(t, "10.0.0.7", point, place, text, addr), now)
		s.hear(from(t, "10.0.0.3", c.says...), now.Add(time.Second))
		list := s.list(nowhere)
		if len(list) != 1 || slices.Contains(list[0].Faults, reasonDisputed) != c.fault || list[0].Path == "/stolen" && !c.fault {
			t.Errorf("%s: listed %+v", name, list)
		}
		// What all of them say is tried before what one of them adds.
		if first := list[0].Addresses[0].Addr.String(); !c.fault && first != "10.0.0.7" {
			t.Errorf("%s: the first address is %s", name, first)
		}
	}
}

func TestWhatIsKeptOfARecordIsBounded(t *testing.T) {
	t.Parallel()
	s := newSightings()
	s.hear(from(t, "10.0.0.7", place, addr), time.Unix(1000, 0))
	s.describe(netip.MustParseAddr("10.0.0.7"), "notes", slices.Repeat([]string{strings.Repeat("x", 250)}, 200))
	kept := 0
	for found := range s.each {
		for _, one := range found.text {
			kept += len(one)
		}
	}
	if kept > 2*maxText {
		t.Errorf("%d bytes are kept", kept)
	}
	if list := s.list(nowhere); len(list) != 1 || !slices.Contains(list[0].Faults, reasonTooLong) {
		t.Errorf("listed: %+v", list)
	}
}

func TestTheListIsBounded(t *testing.T) {
	t.Parallel()
	s, now := newSightings(), time.Unix(1000, 0)
	for port := range maxOfSender + 1 {
		s.place(netip.MustParseAddr("10.0.0.7"), key{"notes", "box.local.", uint16(port + 1)}, 120, now)
	}
	if s.count != maxOfSender || !s.more {
		t.Errorf("%d of one sender, more %t", s.count, s.more)
	}
	for i := range 2 * maxListed {
		sender := netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)})
		s.place(sender, key{"notes", "box.local.", 1}, 120, now)
	}
	if s.count != maxListed {
		t.Errorf("%d of all", s.count)
	}
}
