package human

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"apollia.fr/connexions/backend/domain"
)

// maxAddress bounds an address to open, in bytes: browsers take no longer ones everywhere.
const maxAddress = 8 << 10

// asBrowsers reads names as browsers do (UTS 46): case and width do not count, and no letter is silently another one.
func asBrowsers() *idna.Profile {
	return idna.New(idna.MapForLookup(), idna.BidiRule(), idna.Transitional(false), idna.StrictDomainName(false))
}

// ReadAddress takes apart an address that a server wants opened. site is the URL from which that server answers, "" for a
// program. What browsers read in more than one way is an error, and so is what is no web page.
func ReadAddress(raw, site string) (domain.Address, error) {
	u, err := webAddress(raw)
	if err != nil {
		return domain.Address{}, err
	}
	name, err := hostName(u.Hostname())
	if err != nil {
		return domain.Address{}, err
	}
	a := domain.Address{Before: u.Scheme + "://", Host: name, Signs: []domain.AddressFinding{}}
	if strings.Contains(name, ":") {
		a.Host = "[" + name + "]"
	}
	if port := u.Port(); port != "" && port != defaultPort(u.Scheme) {
		a.Host += ":" + port
	}
	if u.User != nil {
		a.User = u.User.String() + "@"
	}
	u.User, u.Host = nil, a.Host
	a.URL = u.String()
	a.After = strings.TrimPrefix(a.URL, a.Before+a.Host)
	if shown, err := idna.Display.ToUnicode(name); err == nil && shown != name {
		a.Shown = shown
	}
	a.Signs = signsOf(a, u, name, site)
	return a, nil
}

// webAddress reads the address of a web page.
func webAddress(raw string) (*url.URL, error) {
	if len(raw) > maxAddress {
		return nil, fmt.Errorf("the address has more than %d bytes", maxAddress)
	}
	if !utf8.ValidString(raw) || strings.ContainsFunc(raw, func(r rune) bool { return r == '\\' || r <= ' ' || !unicode.IsGraphic(r) }) {
		return nil, errors.New("the address has characters that no address has")
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	if u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "" {
		return nil, errors.New("the address is none of a web page")
	}
	return u, nil
}

// hostName is a host as the network knows it. Numbers that only some programs take for an IP address are none.
func hostName(host string) (string, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.WithZone("").Unmap().String(), nil
	}
	name, err := asBrowsers().ToASCII(host)
	again, unstable := asBrowsers().ToASCII(name)
	if err != nil || unstable != nil || again != name || name == "" || strings.ContainsAny(name, "%:/?#[]@") {
		return "", errors.New("the host of the address has no such name")
	}
	labels := strings.Split(strings.TrimSuffix(name, "."), ".")
	last := labels[len(labels)-1]
	if _, err := strconv.ParseUint(last, 0, 64); err == nil || last == "" {
		return "", errors.New("the host of the address is a number that can be read in more than one way")
	}
	return name, nil
}

func defaultPort(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}
