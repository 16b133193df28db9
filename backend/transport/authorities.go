package transport

import (
	"crypto/x509"
	"errors"
	"os"

	"apollia.fr/connexions/backend/domain"
)

// maxAuthorities is the longest file of certificates that is read, in bytes; the system's own have about 250 kB.
const maxAuthorities = 4 << 20

// Authorities are those of the system and those of a PEM file. Without a file they are nil, which means the system's. It
// fails with CodeTLSFailed when the file cannot be used.
func Authorities(file string) (*x509.CertPool, error) {
	if file == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // those of the file are all there are
	}
	info, err := os.Stat(file)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxAuthorities) {
		err = errors.New("it is not a file of certificates")
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(file)
	}
	if err == nil && !pool.AppendCertsFromPEM(text) {
		err = errors.New("it holds no certificate in PEM form")
	}
	if err != nil {
		return nil, &domain.Error{
			Code: domain.CodeTLSFailed, Message: "The authorities in \"" + file + "\" cannot be used.",
			Hint:  "Correct the setting tls.ca_file: it names a PEM file of certificates.",
			Args:  map[string]string{"reason": "ca_file", "file": file, "setting": "tls.ca_file"},
			Proof: err.Error(), Cause: err,
		}
	}
	return pool, nil
}
