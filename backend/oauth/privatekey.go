package oauth

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"

	"github.com/go-jose/go-jose/v4"

	"apollia.fr/connexions/backend/domain"
)

// readPrivateKey reads a key in PEM form, PKCS#8 or the older forms of its kind, and names the usual algorithm of it.
func readPrivateKey(text string) (key any, algorithm string, err error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, "", badKey("it is not in PEM form", nil)
	}
	key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if ec, wrong := x509.ParseECPrivateKey(block.Bytes); wrong == nil {
			key, err = ec, nil
		} else if r, wrong := x509.ParsePKCS1PrivateKey(block.Bytes); wrong == nil {
			key, err = r, nil
		}
	}
	if err != nil {
		return nil, "", badKey("it cannot be read", errors.New("no private key")) // the parser's words may repeat bytes of it
	}
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		curves := map[int]jose.SignatureAlgorithm{256: jose.ES256, 384: jose.ES384, 521: jose.ES512}
		return key, string(curves[k.Curve.Params().BitSize]), nil
	case *rsa.PrivateKey:
		return key, string(jose.RS256), nil
	case ed25519.PrivateKey:
		return key, string(jose.EdDSA), nil
	}
	return nil, "", badKey("its kind is not known", nil)
}

func badKey(what string, cause error) error {
	return &domain.Error{
		Code: domain.CodeConfigInvalid, Message: "The private key of the sign-in cannot be used: " + what + ".",
		Hint: "Give an EC, RSA or Ed25519 key in PEM form (PKCS#8).", Cause: cause,
		Args: map[string]string{"reason": "private_key", "field": "auth.private_key"},
	}
}
