package oauthtest

import (
	"crypto"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	headerProof = "DPoP"
	headerNonce = "DPoP-Nonce"
	proofType   = "dpop+jwt"
)

// errNonce is why a proof is refused that would be good with the nonce of the server.
var errNonce = errors.New("the proof needs the nonce of this server")

// proofs knows which proofs have been seen, and what nonces new ones must have.
type proofs struct {
	*replays

	mu     sync.Mutex
	nonces map[audience]string
}

// audience is who asks for a nonce: each has its own (RFC 9449 section 9).
type audience string

const (
	forToken    audience = "token"
	forResource audience = "resource"
)

func newProofs() *proofs { return &proofs{replays: newReplays(), nonces: make(map[audience]string)} }

func (p *proofs) nonce(a audience) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.nonces[a] == "" {
		p.nonces[a] = "nonce-" + rand.Text()
	}
	return p.nonces[a]
}

// RenewNonces makes new nonces, so that those that clients have seen are refused.
func (s *Server) RenewNonces() {
	s.proofs.mu.Lock()
	defer s.proofs.mu.Unlock()
	clear(s.proofs.nonces)
}

// proof is what the claims of a proof say (RFC 9449 section 4.2).
type proof struct {
	ID       string           `json:"jti"`
	Method   string           `json:"htm"`
	URL      string           `json:"htu"`
	IssuedAt *jwt.NumericDate `json:"iat"`
	Token    string           `json:"ath"`
	Nonce    string           `json:"nonce"`
}

// expected is what a proof must say.
type expected struct {
	method, address string
	token           string // the access token that comes with it, if any
	nonce           string // empty where none is asked for
	now             time.Time
}

// check reads the only proof of a request and gives the thumbprint of its key (RFC 9449 section 4.3).
func (p *proofs) check(header http.Header, want expected) (thumbprint string, err error) {
	values := header.Values(headerProof)
	if len(values) != 1 {
		return "", fmt.Errorf("%d proofs instead of one", len(values))
	}
	key, claimed, err := readProof(values[0])
	if err != nil {
		return "", err
	}
	if err := want.judge(claimed); err != nil {
		return "", err
	}
	sum, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", err
	}
	thumbprint = base64.RawURLEncoding.EncodeToString(sum)
	if claimed.ID == "" || !p.first(thumbprint+" "+claimed.ID) {
		return "", errors.New("jti is missing, or has been used")
	}
	return thumbprint, nil
}

func readProof(token string) (*jose.JSONWebKey, proof, error) {
	parsed, err := jwt.ParseSigned(token, algorithms())
	if err != nil {
		return nil, proof{}, err
	}
	header := parsed.Headers[0]
	key := header.JSONWebKey
	var claimed proof
	switch {
	case header.ExtraHeaders[jose.HeaderType] != proofType:
		return nil, proof{}, errors.New("typ is not " + proofType)
	case key == nil || !key.Valid() || !key.IsPublic():
		return nil, proof{}, errors.New("jwk is not a public key")
	}
	err = parsed.Claims(key, &claimed)
	return key, claimed, err
}

func (e expected) judge(claimed proof) error {
	switch {
	case claimed.Method != e.method:
		return fmt.Errorf("htm is %q", claimed.Method)
	case claimed.URL != e.address:
		return fmt.Errorf("htu is %q", claimed.URL)
	case claimed.IssuedAt == nil || e.now.Sub(claimed.IssuedAt.Time()).Abs() > leeway:
		return errors.New("iat is not now")
	case e.token != "" && claimed.Token != hashed(e.token):
		return errors.New("ath is not the hash of the token")
	case e.nonce != "" && claimed.Nonce != e.nonce:
		return errNonce
	}
	return nil
}

// tokenProof gives the thumbprint of the key to which new tokens are bound; none if they are not (RFC 9449 section 5).
func (q *request) tokenProof() (thumbprint string, refused *refusal) {
	sent := len(q.r.Header.Values(headerProof)) > 0
	if q.o.DPoP == DPoPOff || q.o.DPoP == DPoPAllowed && !sent {
		return "", nil
	}
	want := expected{method: http.MethodPost, address: q.issuer() + "/token", now: q.o.now()}
	if q.o.DPoPNonce {
		want.nonce = q.proofs.nonce(forToken)
	}
	thumbprint, err := q.proofs.check(q.r.Header, want)
	switch {
	case errors.Is(err, errNonce):
		return "", refuse("use_dpop_nonce", err.Error())
	case err != nil:
		return "", refuse("invalid_dpop_proof", err.Error())
	}
	return thumbprint, nil
}

// offerNonce tells the nonce for the next proof (RFC 9449 section 8.2).
func (q *request) offerNonce() {
	if q.o.DPoP != DPoPOff && q.o.DPoPNonce {
		q.w.Header().Set(headerNonce, q.proofs.nonce(forToken))
	}
}
