package lan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/miekg/dns"

	"apollia.fr/connexions/backend/domain"
)

const (
	// maxListed is how many servers are listed, maxOfSender how many of them one sender can fill.
	maxListed   = 1000
	maxOfSender = 250
	maxAddrs    = 16 // of one host
	// missedLooks is after how many questions that a server did not answer it is gone without having said so.
	missedLooks = 3
	// goneAfter is how long a server that says goodbye is kept (RFC 6762 section 10.1), so that one that starts again stays.
	goneAfter = time.Second
)

// sighting is one announcement as one sender makes it. Two servers of one name are two, and so is what two senders say.
type sighting struct {
	sender  netip.Addr
	key     key
	text    []string
	heardOf bool // whether text is there; a record may be empty
	addrs   []netip.Addr
	since   time.Time
	seen    time.Time
	missed  int
	goneAt  time.Time // zero for one that is there
}

// key tells what one sender announces apart. Names are in presentation form.
type key struct {
	instance string
	host     string
	port     uint16
}

// sightings are what was heard. Not safe for concurrent use.
type sightings struct {
	// of has what each sender says by itself, so that an answer costs no more when others say much.
	of    map[netip.Addr]map[key]*sighting
	count int
	more  bool // whether some had no room
}

func newSightings() *sightings { return &sightings{of: make(map[netip.Addr]map[key]*sighting)} }

// hear takes in an answer of one sender, and is true if what is listed may be another now. It returns the names of instances
// and hosts that were named only, so that the rest can be asked for.
func (s *sightings) hear(h heard, now time.Time) (changed bool, ask []dns.Question) {
	sender := h.sender
	records := slices.Concat(h.msg.Answer, h.msg.Ns, h.msg.Extra)
	for _, rr := range records {
		if srv, ok := rr.(*dns.SRV); ok {
			if instance, ours := instanceOf(srv.Hdr.Name); ours {
				changed = s.place(sender, key{instance, strings.ToLower(srv.Target), srv.Port}, srv.Hdr.Ttl, now) || changed
			}
		}
	}
	for _, rr := range records {
		switch rr := rr.(type) {
		case *dns.PTR:
			if instance, ours := instanceOf(rr.Ptr); ours && strings.EqualFold(rr.Hdr.Name, serviceName) {
				changed = s.point(sender, instance, rr.Hdr.Ttl, now, &ask) || changed
			}
		case *dns.TXT:
			if instance, ours := instanceOf(rr.Hdr.Name); ours && rr.Hdr.Ttl > 0 {
				changed = s.describe(sender, instance, rr.Txt) || changed
			}
		}
	}
	changed = s.locate(h, records) || changed
	for _, found := range s.of[sender] {
		if !found.seen.Equal(now) || !found.goneAt.IsZero() {
			continue
		}
		if !found.heardOf {
			ask = append(ask, question(found.key.instance+"."+serviceName, dns.TypeTXT))
		}
		if len(found.addrs) == 0 {
			ask = append(ask, question(found.key.host, dns.TypeA), question(found.key.host, dns.TypeAAAA))
		}
	}
	return changed, ask
}

// place notes where an instance is, or that it is going.
func (s *sightings) place(sender netip.Addr, k key, ttl uint32, now time.Time) bool {
	found, known := s.of[sender][k]
	switch {
	case ttl == 0:
		return known && found.leave(now)
	case known:
		back := !found.goneAt.IsZero()
		found.seen, found.missed, found.goneAt = now, 0, time.Time{}
		return back
	case s.count >= maxListed || len(s.of[sender]) >= maxOfSender:
		s.more = true
		return false
	}
	if s.of[sender] == nil {
		s.of[sender] = make(map[key]*sighting)
	}
	s.of[sender][k] = &sighting{sender: sender, key: k, since: now, seen: now}
	s.count++
	return true
}

// remove makes room.
func (s *sightings) remove(found *sighting) {
	delete(s.of[found.sender], found.key)
	if len(s.of[found.sender]) == 0 {
		delete(s.of, found.sender)
	}
	s.count--
	s.more = false
}

// point notes that an instance was named, or is going.
func (s *sightings) point(sender netip.Addr, instance string, ttl uint32, now time.Time, ask *[]dns.Question) (changed bool) {
	known := false
	for k, found := range s.of[sender] {
		if k.instance != instance {
			continue
		}
		known = true
		if ttl == 0 {
			changed = found.leave(now) || changed
		} else {
			found.seen, found.missed = now, 0
		}
	}
	if !known && ttl > 0 && len(s.of[sender]) < maxOfSender {
		name := instance + "." + serviceName
		*ask = append(*ask, question(name, dns.TypeSRV), question(name, dns.TypeTXT))
	}
	return changed
}

// describe notes what an instance says of itself, as far as it is read, and one string more where there was more.
func (s *sightings) describe(sender netip.Addr, instance string, text []string) (changed bool) {
	text = slices.Clone(text[:min(len(text), readable(text)+1)])
	for k, found := range s.of[sender] {
		if k.instance != instance || found.heardOf && slices.Equal(found.text, text) {
			continue
		}
		found.text, found.heardOf, changed = text, true, true
	}
	return changed
}

// locate notes the addresses of hosts. Those of one answer stand for all, as the records say that are not shared
// (RFC 6762 section 10.2).
func (s *sightings) locate(h heard, records []dns.RR) (changed bool) {
	at := make(map[string][]netip.Addr)
	for _, rr := range records {
		addr, host := addressOf(rr, h.link)
		if addr.IsValid() && len(at[host]) < maxAddrs && !slices.Contains(at[host], addr) {
			at[host] = append(at[host], addr)
		}
	}
	for k, found := range s.of[h.sender] {
		addrs := at[k.host]
		if len(addrs) == 0 {
			continue
		}
		slices.SortFunc(addrs, netip.Addr.Compare)
		if !slices.Equal(found.addrs, addrs) {
			found.addrs, changed = addrs, true
		}
	}
	return changed
}

// addressOf reads a record of an address; of one of this link only it keeps through which interface it is reached.
func addressOf(rr dns.RR, zone string) (addr netip.Addr, host string) {
	switch rr := rr.(type) {
	case *dns.A:
		addr, _ = netip.AddrFromSlice(rr.A)
	case *dns.AAAA:
		addr, _ = netip.AddrFromSlice(rr.AAAA)
	}
	if !addr.IsValid() || rr.Header().Ttl == 0 {
		return netip.Addr{}, ""
	}
	addr = addr.Unmap()
	if addr.Is6() && addr.IsLinkLocalUnicast() {
		addr = addr.WithZone(zone)
	}
	return addr, strings.ToLower(rr.Header().Name)
}

// leave notes a goodbye.
func (s *sighting) leave(now time.Time) bool {
	if !s.goneAt.IsZero() {
		return false
	}
	s.goneAt = now.Add(goneAfter)
	return true
}

// each is all that was heard. What it yields may be removed.
func (s *sightings) each(yield func(*sighting) bool) {
	for _, ofOne := range s.of {
		for _, found := range ofOne {
			if !yield(found) {
				return
			}
		}
	}
}

// sweep removes what is gone, and is true if something was. The next time at which something will be gone is zero if nothing
// waits for it.
func (s *sightings) sweep(now time.Time) (changed bool, next time.Time) {
	for found := range s.each {
		switch {
		case found.goneAt.IsZero():
		case !found.goneAt.After(now):
			s.remove(found)
			changed = true
		case next.IsZero() || found.goneAt.Before(next):
			next = found.goneAt
		}
	}
	return changed, next
}

// miss counts a question that was asked at some time for those that have not been heard of since, and is true if that
// removed some.
func (s *sightings) miss(asked time.Time) (changed bool) {
	for found := range s.each {
		if !found.seen.Before(asked) {
			continue
		}
		found.missed++
		if found.missed >= missedLooks {
			s.remove(found)
			changed = true
		}
	}
	return changed
}

// list is what there is to see, sorted by name, with what several senders tell of one server taken together. near reports
// whether an address is in a range of this computer's own networks.
func (s *sightings) list(near func(netip.Addr) bool) []domain.NetworkServer {
	merged := make(map[key][]*sighting)
	for found := range s.each {
		merged[found.key] = append(merged[found.key], found)
	}
	list := make([]domain.NetworkServer, 0, len(merged))
	for k, same := range merged {
		list = append(list, server(k, same, near))
	}
	slices.SortFunc(list, func(a, b domain.NetworkServer) int {
		byName := strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
		return cmp.Or(byName, strings.Compare(a.Host, b.Host), cmp.Compare(a.Port, b.Port), strings.Compare(a.ID, b.ID))
	})
	return list
}

// server puts together what is said of one instance at one host and port. What was heard last counts.
func server(k key, same []*sighting, near func(netip.Addr) bool) domain.NetworkServer {
	slices.SortFunc(same, func(a, b *sighting) int {
		return cmp.Or(b.seen.Compare(a.seen), a.sender.Compare(b.sender))
	})
	latest := same[0]
	if i := slices.IndexFunc(same, func(s *sighting) bool { return s.heardOf }); i >= 0 {
		latest = same[i]
	}
	record, faults := readRecord(latest.text)
	instance := unescape(k.instance)
	n := domain.NetworkServer{
		ID: idOf(k), Instance: shown(instance, maxName), Name: shown(cmp.Or(record.Name, instance), maxName),
		Host: shown(strings.TrimSuffix(unescape(k.host), "."), maxName), Port: int(k.port),
		Transport: record.Transport, Path: shown(record.Path, maxPath), Auth: record.Auth, TLS: record.TLS,
		Since: same[0].since, Seen: same[0].seen,
	}
	var addrs []netip.Addr
	for _, s := range same {
		addrs = append(addrs, s.addrs...)
		if s.since.Before(n.Since) {
			n.Since = s.since
		}
	}
	n.Addresses = judge(addrs, near)
	if !slices.ContainsFunc(n.Addresses, func(a domain.NetworkAddress) bool { return a.Refused == "" }) || k.port == 0 {
		faults = append(faults, reasonNoAddress)
	}
	if disputed(same) {
		faults = append(faults, reasonDisputed)
	}
	n.Faults = faults
	return n
}

// disputed reports whether two senders claim one name at one host and port and say different things of it, or are nowhere in
// common: one of them may only pretend to be the other.
func disputed(same []*sighting) bool {
	for i, a := range same {
		for _, b := range same[i+1:] {
			shared := slices.ContainsFunc(a.addrs, func(addr netip.Addr) bool { return slices.Contains(b.addrs, addr) })
			if !shared && len(a.addrs) > 0 && len(b.addrs) > 0 || a.heardOf && b.heardOf && !slices.Equal(a.text, b.text) {
				return true
			}
		}
	}
	return false
}

// idOf is short, and the same for one instance at one place whenever it is heard of.
func idOf(k key) string {
	sum := sha256.Sum256([]byte(k.instance + "\x00" + k.host + "\x00" + string([]byte{byte(k.port >> 8), byte(k.port)})))
	return hex.EncodeToString(sum[:6])
}

// instanceOf is the instance that a name of our service type belongs to, in presentation form.
func instanceOf(name string) (instance string, ours bool) {
	at := len(name) - len(serviceName) - 1
	if at <= 0 || name[at] != '.' || !strings.EqualFold(name[at+1:], serviceName) {
		return "", false
	}
	return name[:at], true
}

func question(name string, kind uint16) dns.Question {
	return dns.Question{Name: name, Qtype: kind, Qclass: dns.ClassINET}
}
