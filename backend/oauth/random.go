package oauth

import (
	"crypto/rand"
	"encoding/base64"
)

// verifierBytes make a code verifier of 128 characters, the longest of RFC 7636 section 4.1.
const verifierBytes = 96

// newVerifier is a code verifier of PKCE.
func newVerifier() string { return randomText(verifierBytes) }

// newState names one sign-in: whoever knows it may end it.
func newState() string { return randomText(32) }

// randomText is n random bytes in base64url. crypto/rand never fails: it ends the program instead.
func randomText(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw)
	return base64.RawURLEncoding.EncodeToString(raw)
}
