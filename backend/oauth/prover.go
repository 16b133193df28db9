package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// proofAlgorithm is the one that every server of DPoP knows.
const proofAlgorithm = jose.ES256

// prover shows that a token is in the hands of those that it was given to (DPoP, RFC 9449). It keeps the nonce that each
// server wants to see next.
type prover struct {
	kept   json.RawMessage // the key as it is stored; it is a secret
	signer jose.Signer
	now    func() time.Time

	mu     sync.Mutex
	nonces map[string]string // by origin
}

// newProver makes a key, or reads one that was kept.
func newProver(kept json.RawMessage, now func() time.Time) (*prover, error) {
	key := &jose.JSONWebKey{}
	if len(kept) > 0 {
		if err := json.Unmarshal(kept, key); err != nil {
			return nil, fmt.Errorf("read the key of a sign-in: %w", err)
		}
	} else {
		fresh, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			return nil, fmt.Errorf("make a key for a sign-in: %w", err)
		}
		key.Key, key.Algorithm, key.Use = fresh, string(proofAlgorithm), "sig"
	}
	public := key.Public()
	options := (&jose.SignerOptions{}).WithType("dpop+jwt").WithHeader("jwk", &public)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: proofAlgorithm, Key: key.Key}, options)
	if err == nil && len(kept) == 0 {
		kept, err = json.Marshal(key)
	}
	if err != nil {
		return nil, fmt.Errorf("use the key of a sign-in: %w", err)
	}
	return &prover{kept: kept, signer: signer, now: now, nonces: make(map[string]string)}, nil
}

// String keeps the key out of logs.
func (p *prover) String() string { return "prover" }

// GoString keeps %#v from printing more than String.
func (p *prover) GoString() string { return p.String() }

// proof is a new proof for one request (RFC 9449 section 4.2), and the nonce in it; token is empty at a token endpoint.
func (p *prover) proof(method string, u *url.URL, token string) (proof, nonce string, err error) {
	claims := map[string]any{
		"jti": randomText(16), "htm": method, "htu": target(u), "iat": jwt.NewNumericDate(p.now()),
	}
	if token != "" {
		digest := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(digest[:])
	}
	p.mu.Lock()
	nonce = p.nonces[origin(u)]
	p.mu.Unlock()
	if nonce != "" {
		claims["nonce"] = nonce
	}
	proof, err = jwt.Signed(p.signer).Claims(claims).Serialize()
	return proof, nonce, err
}

// target is an address without query and fragment, as htu wants it.
func target(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	return bare.String()
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// learn keeps the nonce of an answer to a request that held another one, or none, and reports whether that is to be sent
// again with it (RFC 9449 sections 8 and 9).
func (p *prover) learn(u *url.URL, sent string, resp *http.Response, wantsNonce bool) (again bool) {
	nonce := resp.Header.Get("DPoP-Nonce")
	if nonce == "" {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.nonces[origin(u)] = nonce
	return wantsNonce && nonce != sent && (resp.StatusCode == http.StatusBadRequest || resp.StatusCode == http.StatusUnauthorized)
}

// clientAssertion signs who we are (RFC 7523 section 3): for private_key_jwt.
func clientAssertion(pem, algorithm, clientID, audience string, now time.Time) (string, error) {
	key, usual, err := readPrivateKey(pem)
	if err != nil {
		return "", err
	}
	if algorithm == "" {
		algorithm = usual
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(algorithm), Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", badKey("the key does not fit the algorithm "+algorithm, err)
	}
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: clientID, Subject: clientID, Audience: jwt.Audience{audience}, ID: randomText(16),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(assertionLife)),
	}).Serialize()
}

// assertionLife is how long an assertion of ours may be used.
const assertionLife = 5 * time.Minute
