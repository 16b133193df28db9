package human

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/publicsuffix"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/hosts"
	"apollia.fr/connexions/backend/pins"
)

// maxLetters bounds how many letters of one host are pointed at.
const maxLetters = 4

// signsOf are what a person should look at closely, the gravest first. u is without its user, name its host.
func signsOf(a domain.Address, u *url.URL, name, site string) []domain.AddressFinding {
	signs := letterSigns(a.Shown)
	if a.User != "" {
		signs = append(signs, finding(domain.UserBeforeHost, "user", strings.TrimSuffix(a.User, "@")))
	}
	if _, err := netip.ParseAddr(name); err == nil {
		signs = append(signs, finding(domain.NumberForName))
	}
	if hosts.OfName(name).IsOwn() {
		signs = append(signs, finding(domain.OwnNetwork))
	} else if u.Scheme == "http" {
		signs = append(signs, finding(domain.NotEncrypted))
	}
	if home := siteOf(site); home != "" && home != registrable(name) {
		signs = append(signs, finding(domain.OtherSite, "site", home))
	}
	if port := u.Port(); port != "" {
		signs = append(signs, finding(domain.UnusualPort, "port", port))
	}
	return signs
}

func finding(sign domain.AddressSign, args ...string) domain.AddressFinding {
	f := domain.AddressFinding{Sign: sign}
	for i := 0; i+1 < len(args); i += 2 {
		if f.Args == nil {
			f.Args = map[string]string{}
		}
		f.Args[args[i]] = args[i+1]
	}
	return f
}

// letterSigns points at the letters of a host that are not what they seem, or not what most read easily.
func letterSigns(shown string) []domain.AddressFinding {
	signs := []domain.AddressFinding{}
	seen := map[rune]bool{}
	for _, r := range shown {
		if r < unicode.MaxASCII || seen[r] || len(signs) == maxLetters {
			continue
		}
		seen[r] = true
		sign := finding(domain.OtherLetter, "letter", string(r), "code", pins.CodePoint(r), "script", scriptOf(r))
		if latin := pins.LatinOf(r); latin != 0 {
			sign.Sign, sign.Args["latin"] = domain.LookAlikeLetter, string(latin)
		}
		signs = append(signs, sign)
	}
	return signs
}

// scriptOf is the alphabet of a letter, as its words name it.
func scriptOf(r rune) string {
	for _, script := range []string{"Latin", "Cyrillic", "Greek", "Armenian"} {
		if unicode.Is(unicode.Scripts[script], r) {
			return strings.ToLower(script)
		}
	}
	return "other"
}

// siteOf is the site of a server's URL: what somebody registered, or the host where nobody did. It is "" for a program and
// for a server of this computer or network, which is at no site.
func siteOf(server string) string {
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	name, err := hostName(u.Hostname())
	if err != nil || hosts.OfName(name).IsOwn() {
		return ""
	}
	return registrable(name)
}

func registrable(name string) string {
	name = strings.TrimSuffix(name, ".")
	if site, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return site
	}
	return name
}
