package human

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestReadAddress(t *testing.T) {
	tests := []struct {
		raw, site string
		url       string // that would be opened; the start of the error where the address is refused
		host      string
		shown     string
		signs     []string // sign and its most telling argument
	}{
		{"https://pay.example/1?a=b#c", "https://mcp.pay.example/x", "https://pay.example/1?a=b#c", "pay.example", "", nil},
		{"HTTPS://Pay.Example:443", "", "https://pay.example", "pay.example", "", nil},
		{"https://pay.example./x", "https://pay.example", "https://pay.example./x", "pay.example.", "", nil},
		{"https://ｐａｙ.example/", "", "https://pay.example/", "pay.example", "", nil},
		{
			"https://compte.acme.fr@\u0430cme-connexion.fr/valider?f=1017", "https://mcp.facturo.example/mcp",
			"https://xn--cme-connexion-v1k.fr/valider?f=1017", "xn--cme-connexion-v1k.fr", "\u0430cme-connexion.fr",
			[]string{"look_alike_letter U+0430", "user_before_host compte.acme.fr", "other_site facturo.example"},
		},
		{"https://xn--cme-connexion-v1k.fr/", "", "https://xn--cme-connexion-v1k.fr/", "xn--cme-connexion-v1k.fr", "\u0430cme-connexion.fr", []string{"look_alike_letter U+0430"}},
		{"https://société.fr/", "", "https://xn--socit-esab.fr/", "xn--socit-esab.fr", "société.fr", []string{"other_letter U+00E9"}},
		{"https://user:secret@pay.example/", "", "https://pay.example/", "pay.example", "", []string{"user_before_host user:secret"}},
		{"https://pay.example:8443/", "", "https://pay.example:8443/", "pay.example:8443", "", []string{"unusual_port 8443"}},
		{"http://pay.example/", "", "http://pay.example/", "pay.example", "", []string{"not_encrypted"}},
		{"http://127.0.0.1:8080/x", "", "http://127.0.0.1:8080/x", "127.0.0.1:8080", "", []string{"number_for_name", "own_network", "unusual_port 8080"}},
		{"https://[::1]/", "", "https://[::1]/", "[::1]", "", []string{"number_for_name", "own_network"}},
		{"https://[::ffff:192.168.0.1]/", "", "https://192.168.0.1/", "192.168.0.1", "", []string{"number_for_name", "own_network"}},
		{"https://93.184.216.34/", "https://one.example", "https://93.184.216.34/", "93.184.216.34", "", []string{"number_for_name", "other_site one.example"}},
		{"http://[64:ff9b::a9fe:a9fe]/latest", "", "http://[64:ff9b::a9fe:a9fe]/latest", "[64:ff9b::a9fe:a9fe]", "", []string{"number_for_name", "own_network"}},
		{"http://printer.local/", "", "http://printer.local/", "printer.local", "", []string{"own_network"}},
		{"http://intranet/", "", "http://intranet/", "intranet", "", []string{"own_network"}},
		{"https://one.github.io/", "https://two.github.io", "https://one.github.io/", "one.github.io", "", []string{"other_site two.github.io"}},
		{"https://one.example/", "http://127.0.0.1:9/mcp", "https://one.example/", "one.example", "", nil},

		{"javascript:alert(1)", "", "none of a web page", "", "", nil},
		{"file:///etc/passwd", "", "none of a web page", "", "", nil},
		{"//pay.example/", "", "none of a web page", "", "", nil},
		{"https:///x", "", "none of a web page", "", "", nil},
		{"https://pay.example\\@evil.example/", "", "characters that no address has", "", "", nil},
		{"https://pay.example/\u202egnp", "", "characters that no address has", "", "", nil},
		{"https://pay.example/ x", "", "characters that no address has", "", "", nil},
		{"https://2130706433/", "", "more than one way", "", "", nil},
		{"https://0x7f.1/", "", "more than one way", "", "", nil},
		{"https://127.1/", "", "more than one way", "", "", nil},
		{"https://pay.example%2eevil.example%2f/", "", "cannot be read", "", "", nil},
		{"https://" + strings.Repeat("a", maxAddress), "", "more than 8192 bytes", "", "", nil},
	}
	for _, test := range tests {
		a, err := ReadAddress(test.raw, test.site)
		if err != nil {
			if test.host != "" || !strings.Contains(err.Error(), test.url) {
				t.Errorf("%.80q: %v, want %q", test.raw, err, test.url)
			}
			continue
		}
		if a.URL != test.url || a.Host != test.host || a.Shown != test.shown || a.Before+a.Host+a.After != a.URL {
			t.Errorf("%q: %+v", test.raw, a)
		}
		if got := signs(a); !slices.Equal(got, test.signs) {
			t.Errorf("%q: the signs are %q, want %q", test.raw, got, test.signs)
		}
	}
}

func signs(a domain.Address) (all []string) {
	for _, s := range a.Signs {
		args := s.Args["code"] + s.Args["user"] + s.Args["site"] + s.Args["port"]
		all = append(all, strings.TrimSpace(string(s.Sign)+" "+args))
	}
	return all
}

func TestAFewLettersStandForAll(t *testing.T) {
	a, err := ReadAddress("https://абвгдежз.example/", "")
	if err != nil || len(a.Signs) != maxLetters {
		t.Errorf("%d signs, %v", len(a.Signs), err)
	}
}

// What is opened has the host that is shown, nobody's name, and is no other address for the next reader.
func FuzzReadAddress(f *testing.F) {
	for _, seed := range []string{
		"https://pay.example/1", "https://a@b@c.example", "https://\u0430cme.fr:8443/x?y#z", "http://[fe80::1%25eth0]/", "https://xn--a.example",
		"https://ex%61mple.com/", "https://1.2.3.4.5/", "https://a..b/", "https://a:b@[::1]:70/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		a, err := ReadAddress(raw, "")
		if err != nil {
			return
		}
		u, err := url.Parse(a.URL)
		if err != nil || u.User != nil || u.Host != a.Host || u.String() != a.URL {
			t.Errorf("%q is opened as %q: %v", raw, a.URL, err)
		}
		again, err := ReadAddress(a.URL, "")
		if err != nil || again.URL != a.URL || again.Host != a.Host || again.User != "" {
			t.Errorf("%q becomes %q, then %q: %v", raw, a.URL, again.URL, err)
		}
		if strings.ContainsFunc(a.Host, func(r rune) bool { return r > '~' || r <= ' ' }) {
			t.Errorf("%q has the host %q", raw, a.Host)
		}
	})
}
