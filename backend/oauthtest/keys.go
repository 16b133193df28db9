package oauthtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// leeway is how far the clocks of client and server may differ.
const leeway = time.Minute

// claims are those of every JWT here (RFC 7519 section 4.1, and the draft of the identity assertion grant).
type claims struct {
	jwt.Claims
	ClientID string `json:"client_id,omitempty"`
	Resource string `json:"resource,omitempty"`
	Scope    string `json:"scope,omitempty"`
}

// keys sign what the server and the identity provider assert.
type keys struct {
	private jose.JSONWebKey
}

func newKeys() (*keys, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return &keys{private: jose.JSONWebKey{Key: private, KeyID: "key-1", Algorithm: string(jose.ES256), Use: "sig"}}, nil
}

func (k *keys) public() jose.JSONWebKeySet {
	return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{k.private.Public()}}
}

func (q *request) jwks() { writeJSON(q.w, http.StatusOK, object{"keys": q.keys.public().Keys}) }

// sign makes a JWT whose header says what it is for.
func (k *keys) sign(kind string, c claims) (string, error) {
	options := (&jose.SignerOptions{}).WithType(jose.ContentType(kind))
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: k.private}, options)
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(c).Serialize()
}

// verified reads a JWT that one of the keys has signed, and the type in its header.
func verified(token string, set jose.JSONWebKeySet) (c claims, kind string, err error) {
	parsed, err := jwt.ParseSigned(token, algorithms())
	if err != nil {
		return claims{}, "", err
	}
	kind, _ = parsed.Headers[0].ExtraHeaders[jose.HeaderType].(string)
	for _, key := range set.Keys {
		if parsed.Claims(key, &c) == nil {
			return c, kind, nil
		}
	}
	return claims{}, "", errors.New("no key fits the signature")
}

// subjectOf reads of whom a JWT speaks without believing it.
func subjectOf(token string) string {
	var c claims
	if parsed, err := jwt.ParseSigned(token, algorithms()); err == nil {
		_ = parsed.UnsafeClaimsWithoutVerification(&c) // then it has no subject
	}
	return c.Subject
}

func algorithms() []jose.SignatureAlgorithm {
	return []jose.SignatureAlgorithm{jose.ES256, jose.ES384, jose.PS256, jose.RS256, jose.EdDSA}
}

func algorithmNames() []string {
	var names []string
	for _, algorithm := range algorithms() {
		names = append(names, string(algorithm))
	}
	return names
}

// replays remembers the ids of assertions, which count once (RFC 7523 section 3).
type replays struct {
	mu   sync.Mutex
	seen map[string]bool
}

func newReplays() *replays { return &replays{seen: make(map[string]bool)} }

// first reports whether an id is new.
func (r *replays) first(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.seen[id]
	r.seen[id] = true
	return !known
}

// fresh says why an assertion does not count any more.
func (r *replays) fresh(c claims, now time.Time) error {
	switch {
	case c.Expiry == nil:
		return errors.New("it never expires")
	case c.ValidateWithLeeway(jwt.Expected{Time: now}, leeway) != nil:
		return errors.New("it has expired, or is not valid yet")
	case c.ID == "":
		return errors.New("it has no id")
	case !r.first(c.Issuer + " " + c.ID):
		return errors.New("it has been used")
	}
	return nil
}
