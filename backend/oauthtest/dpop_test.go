package oauthtest_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"apollia.fr/connexions/backend/oauthtest"
)

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func sign(t *testing.T, key *ecdsa.PrivateKey, options *jose.SignerOptions, claims object) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// prover makes proofs with a key; change may spoil their claims.
func prover(t *testing.T, key *ecdsa.PrivateKey, spoil func(object)) func(method, address, token string) string {
	t.Helper()
	return func(method, address, token string) string {
		claims := object{"jti": rand.Text(), "htm": method, "htu": address, "iat": time.Now().Unix()}
		if token != "" {
			sum := sha256.Sum256([]byte(token))
			claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
		}
		spoil(claims)
		options := &jose.SignerOptions{EmbedJWK: true}
		return sign(t, key, options.WithType("dpop+jwt"), claims)
	}
}

func untouched(object) {}

func TestDPoPBindsTokensToAKey(t *testing.T) {
	a := newAgent(t, oauthtest.Options{DPoP: oauthtest.DPoPRequired, Rotate: true})
	a.call(nil, "echo").challenged(t, http.StatusUnauthorized, "DPoP ", `algs="ES256`)
	if metadata := a.get(a.server.Issuer() + serverDocument).body; metadata["dpop_signing_alg_values_supported"] == nil {
		t.Errorf("metadata %v", metadata)
	}
	code := a.browse(nil).Get("code")
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_dpop_proof")

	a.proof = prover(t, newKey(t), untouched)
	tokens := a.token(codeParams(code)).body
	if tokens["token_type"] != "DPoP" {
		t.Fatalf("tokens %v", tokens)
	}
	if r := a.call(tokens, "echo"); r.status != http.StatusNoContent {
		t.Fatalf("a good proof: %d %v", r.status, r.header)
	}
	a.call(object{"token_type": "Bearer", "access_token": tokens["access_token"]}, "echo").
		challenged(t, http.StatusUnauthorized, "the scheme of this token is DPoP")

	mine := a.proof
	a.proof = prover(t, newKey(t), untouched)
	a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "bound to another key")
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusBadRequest, "invalid_dpop_proof")
	a.proof = mine
	a.token(refreshParams(tokens["refresh_token"])).wants(t, http.StatusOK, "")
}

func TestCodeIsBoundToTheAnnouncedKey(t *testing.T) {
	a := newAgent(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed})
	key := newKey(t)
	sum, err := (&jose.JSONWebKey{Key: key.Public()}).Thumbprint(crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	code := a.browse(url.Values{"dpop_jkt": {base64.RawURLEncoding.EncodeToString(sum)}}).Get("code")
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_dpop_proof")
	a.proof = prover(t, newKey(t), untouched)
	a.token(codeParams(code)).wants(t, http.StatusBadRequest, "invalid_dpop_proof")
	a.proof = prover(t, key, untouched)
	a.token(codeParams(code)).wants(t, http.StatusOK, "")
}

func TestProofsAreVerified(t *testing.T) {
	key := newKey(t)
	once := rand.Text()
	tests := []struct {
		name  string
		spoil func(object)
		fine  bool
	}{
		{"good", untouched, true},
		{"method", func(c object) { c["htm"] = "GET" }, false},
		{"address", func(c object) { c["htu"] = "https://elsewhere.invalid/" }, false},
		{"old", func(c object) { c["iat"] = time.Now().Add(-5 * time.Minute).Unix() }, false},
		{"no time", func(c object) { delete(c, "iat") }, false},
		{"no id", func(c object) { delete(c, "jti") }, false},
		{"no hash of the token", func(c object) { delete(c, "ath") }, false},
		{"hash of another token", func(c object) { c["ath"] = "x" }, false},
		{"first use", func(c object) { c["jti"] = once }, true},
		{"second use", func(c object) { c["jti"] = once }, false},
	}
	a := newAgent(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed})
	a.proof = prover(t, key, untouched)
	tokens := a.signIn("")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a.proof = prover(t, key, tt.spoil)
			r := a.call(tokens, "echo")
			if tt.fine && r.status != http.StatusNoContent {
				t.Errorf("refused: %v", r.header)
			} else if !tt.fine {
				r.challenged(t, http.StatusUnauthorized, "invalid_dpop_proof")
			}
		})
	}
	bad := map[string]string{
		"type":      sign(t, key, (&jose.SignerOptions{EmbedJWK: true}).WithType("JWT"), object{"jti": "1"}),
		"no key":    sign(t, key, (&jose.SignerOptions{}).WithType("dpop+jwt"), object{"jti": "2"}),
		"no proof":  "x.y.z",
		"signature": strings.TrimSuffix(prover(t, key, untouched)("POST", a.mcp, tokens["access_token"].(string)), "A") + "AAAA",
	}
	for name, proof := range bad {
		t.Run(name, func(t *testing.T) {
			a.proof = func(string, string, string) string { return proof }
			a.call(tokens, "echo").challenged(t, http.StatusUnauthorized, "invalid_dpop_proof")
		})
	}
}

func TestAllowedDPoPGivesBearerTokensToThoseWithoutProof(t *testing.T) {
	a := newAgent(t, oauthtest.Options{DPoP: oauthtest.DPoPAllowed})
	a.call(nil, "echo").challenged(t, http.StatusUnauthorized, "Bearer ", "DPoP ")
	tokens := a.signIn("")
	if tokens["token_type"] != "Bearer" || a.call(tokens, "echo").status != http.StatusNoContent {
		t.Errorf("tokens %v", tokens)
	}
}

func TestNonces(t *testing.T) {
	a := newAgent(t, oauthtest.Options{DPoP: oauthtest.DPoPRequired, DPoPNonce: true})
	key, nonce := newKey(t), ""
	a.proof = prover(t, key, func(claims object) { claims["nonce"] = nonce })
	code := a.browse(nil).Get("code")
	refused := a.token(codeParams(code))
	refused.wants(t, http.StatusBadRequest, "use_dpop_nonce")
	nonce = refused.header.Get("DPoP-Nonce")
	answer := a.token(codeParams(code))
	answer.wants(t, http.StatusOK, "")

	r := a.call(answer.body, "echo")
	r.challenged(t, http.StatusUnauthorized, "use_dpop_nonce")
	if r.header.Get("DPoP-Nonce") == nonce {
		t.Error("both have the same nonce")
	}
	nonce = r.header.Get("DPoP-Nonce")
	if r := a.call(answer.body, "echo"); r.status != http.StatusNoContent {
		t.Errorf("with the nonce: %d %v", r.status, r.header)
	}
	a.server.RenewNonces()
	a.call(answer.body, "echo").challenged(t, http.StatusUnauthorized, "use_dpop_nonce")
}
