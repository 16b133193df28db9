package domain

import (
	"net/url"
	"strings"
)

// SameOrigin reports whether two addresses are of one origin (RFC 6454): scheme, host and port. The case of the letters
// makes no difference, nor does it whether the default port is written.
func SameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && PortOf(a) == PortOf(b)
}

// PortOf is the port that an address leads to, "" when neither it nor its scheme says.
func PortOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[strings.ToLower(u.Scheme)]
}
