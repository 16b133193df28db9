package lan

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"
	"pgregory.net/rapid"

	"apollia.fr/connexions/backend/domain"
)

func TestReadRecord(t *testing.T) {
	t.Parallel()
	plain := Record{Transport: domain.StreamableHTTP, Path: "/mcp"}
	with := func(change func(*Record)) Record {
		r := plain
		change(&r)
		return r
	}
	for name, c := range map[string]struct {
		text   []string
		want   Record
		faults []string
	}{
		"nothing":          {nil, plain, nil},
		"keys of any case": {[]string{"PATH=/x", "Name=n"}, with(func(r *Record) { r.Path, r.Name = "/x", "n" }), nil},
		"the first counts": {[]string{"path=/x", "path=/y"}, with(func(r *Record) { r.Path = "/x" }), nil},
		"a key alone":      {[]string{"path", "tls"}, plain, nil},
		"another spelling": {[]string{"transport=http", "tls=true", "auth=oauth"}, with(func(r *Record) { r.TLS, r.Auth = true, "oauth" }), nil},
		"unknown auth":     {[]string{"auth=<b>"}, plain, nil},
		"a query":          {[]string{"path=/mcp?team=1"}, with(func(r *Record) { r.Path = "/mcp?team=1" }), nil},
		"a program":        {[]string{"transport=stdio"}, with(func(r *Record) { r.Transport = "" }), []string{reasonTransport}},
		"another host":     {[]string{"path=//evil.example/"}, with(func(r *Record) { r.Path = "//evil.example/" }), []string{reasonPath}},
		"no slash":         {[]string{"path=@evil.example"}, with(func(r *Record) { r.Path = "@evil.example" }), []string{reasonPath}},
		"a back slash":     {[]string{`path=/\\evil.example`}, with(func(r *Record) { r.Path = `/\evil.example` }), []string{reasonPath}},
		"a variable":       {[]string{"path=/mcp?k=${HOME}"}, with(func(r *Record) { r.Path = "/mcp?k=${HOME}" }), []string{reasonPath}},
		"a part":           {[]string{"path=/a#b"}, with(func(r *Record) { r.Path = "/a#b" }), []string{reasonPath}},
		"not seen":         {[]string{"path=/a\u200bb"}, with(func(r *Record) { r.Path = "/a\u200bb" }), []string{reasonPath}},
		"a later form":     {[]string{"v=2"}, plain, []string{reasonVersion}},
		"too many":         {append(slices.Repeat([]string{"x"}, maxStrings), "path=/x"), plain, []string{reasonTooLong}},
		"too long":         {append(slices.Repeat([]string{strings.Repeat("x", 255)}, 6), "path=/x"), plain, []string{reasonTooLong}},
	} {
		r, faults := readRecord(c.text)
		if diff := cmp.Diff(c.want, r); diff != "" || !slices.Equal(faults, c.faults) {
			t.Errorf("%s: faults %v, record %s", name, faults, diff)
		}
	}
}

// What we announce, packed and unpacked as the network has it, reads back as it was.
func TestOurRecordReadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := Record{
			Name: rapid.StringN(0, 50, 200).Draw(t, "name"), Path: "/" + rapid.StringMatching(`[a-z0-9%?=&._-]{0,60}`).Draw(t, "path"),
			Transport: rapid.SampledFrom([]domain.Transport{domain.SSE, domain.StreamableHTTP}).Draw(t, "transport"),
			Auth:      rapid.SampledFrom([]string{"", "none", "token", "oauth"}).Draw(t, "auth"), TLS: rapid.Bool().Draw(t, "tls"),
		}
		sent := dns.Msg{Answer: []dns.RR{&dns.TXT{Hdr: dns.RR_Header{Name: "x.", Rrtype: dns.TypeTXT, Class: dns.ClassINET}, Txt: r.strings()}}}
		packet, err := sent.Pack()
		if err != nil {
			t.Fatal(err)
		}
		var got dns.Msg
		if err := got.Unpack(packet); err != nil {
			t.Fatal(err)
		}
		back, _ := readRecord(got.Answer[0].(*dns.TXT).Txt)
		if diff := cmp.Diff(r, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Names of instances go through DNS as they are, in the very form in which the libraries compare them.
func TestNamesOfInstancesReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		label := string(rapid.SliceOfN(rapid.Byte(), 1, maxInstance).Draw(t, "label"))
		name := escape(label) + "." + serviceName
		sent := dns.Msg{Question: []dns.Question{question(name, dns.TypeSRV)}}
		packet, err := sent.Pack()
		if err != nil {
			t.Fatal(err)
		}
		var got dns.Msg
		if err := got.Unpack(packet); err != nil {
			t.Fatal(err)
		}
		if got.Question[0].Name != name {
			t.Fatalf("%q went as %q", got.Question[0].Name, name)
		}
		instance, ours := instanceOf(got.Question[0].Name)
		if !ours || unescape(instance) != label {
			t.Fatalf("%q came back as %q", label, unescape(instance))
		}
	})
}

func TestShownTextIsBoundedAndSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 20).Draw(t, "most")
		given := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		got := []rune(shown(given, most))
		if len(got) > most || slices.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) && r != unicode.ReplacementChar }) {
			t.Fatalf("%q is shown as %q", given, string(got))
		}
		if plain(given) && len([]rune(given)) <= most && string(got) != given {
			t.Fatalf("%q is shown as %q though nothing speaks against it", given, string(got))
		}
	})
	for _, host := range []string{"desk", "desk.", "desk.local", "desk.local."} {
		if got := localName(host); got != "desk.local" {
			t.Errorf("%s is called %s", host, got)
		}
	}
	if got := cut("aé", 2); got != "a" {
		t.Errorf("cut between letters: %q", got)
	}
}

func FuzzPackets(f *testing.F) {
	for _, records := range [][]string{{point}, {point, place, text, addr}, announced("a \x00 long.name", 1, "10.0.0.1", "path=/x")} {
		packet, err := answer(records...)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packet)
	}
	f.Fuzz(func(t *testing.T, packet []byte) {
		e := &ear{log: slog.New(slog.DiscardHandler)}
		m := e.parse(packet)
		if m == nil {
			return
		}
		s := newSightings()
		s.hear(heard{msg: m}, time.Unix(1, 0))
		for _, found := range s.list(nowhere) {
			if !plain(strings.ReplaceAll(found.Name+found.Instance+found.Host+found.Path, string(unicode.ReplacementChar), "")) {
				t.Errorf("not fit to be shown: %+v", found)
			}
		}
	})
}

// answer packs an answer of records, written as in a zone file.
func answer(records ...string) ([]byte, error) {
	m := dns.Msg{MsgHdr: dns.MsgHdr{Response: true}, Compress: true}
	for _, line := range records {
		rr, err := dns.NewRR(line)
		if err != nil {
			return nil, fmt.Errorf("record %q: %w", line, err)
		}
		m.Answer = append(m.Answer, rr)
	}
	return m.Pack()
}

// announced are the records of one server, at a host of its own: pointer, place, text, address.
func announced(label string, port int, address string, text ...string) []string {
	name, host := escape(label)+"."+serviceName, "host-"+label[:1]+".local."
	if len(text) == 0 {
		text = []string{"v=1"}
	}
	return []string{
		fmt.Sprintf("%s 120 IN PTR %s", serviceName, name),
		fmt.Sprintf("%s 120 IN SRV 0 0 %d %s", name, port, host),
		name + ` 120 IN TXT "` + strings.Join(text, `" "`) + `"`,
		fmt.Sprintf("%s 120 IN A %s", host, address),
	}
}
