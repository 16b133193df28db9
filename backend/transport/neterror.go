package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"syscall"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// networkError names the cause of a failed look-up, connection or TLS handshake with host, a name with or without a
// port. Errors that are named already, and a ctx that was cancelled, stay as they are.
func networkError(ctx context.Context, host string, err error) error {
	var known *domain.Error
	if errors.As(err, &known) || errors.Is(context.Cause(ctx), context.Canceled) {
		return err
	}
	if request, ok := errors.AsType[*url.Error](err); ok {
		err = request.Err // the rest of it is the URL, which may hold a secret
	}
	if e := tlsError(host, err); e != nil {
		return e
	}
	e := connectError(err).With("host", host)
	e.Message = fmt.Sprintf(e.Message, host)
	e.Proof, e.Cause = err.Error(), err
	return e
}

// connectError gives the code and the words, with %s in the place of the host.
func connectError(err error) *domain.Error {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return &domain.Error{
			Code: domain.CodeDNSFailed, Message: "The host \"%s\" was not found.",
			Hint: "Check the spelling of the URL and the network.",
		}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &domain.Error{
			Code: domain.CodeConnRefused, Message: "Nothing listens at %s.",
			Hint: "Start the server, or check the port of the URL.",
		}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &domain.Error{
			Code: domain.CodeConnTimeout, Message: "%s did not answer in time.",
			Hint: "Check the address, the network and the firewall.",
		}
	case hungUp(err):
		return &domain.Error{
			Code: domain.CodeConnClosed, Message: "%s closed the connection without an answer.",
			Hint: "Check the server's own log.",
		}
	case strings.Contains(err.Error(), "malformed HTTP "): // net/http has no name for it
		return &domain.Error{
			Code: domain.CodeConnFailed, Message: "What answers at %s does not speak HTTP.",
			Hint: "Check the port: another program listens there.", Args: map[string]string{"reason": "not_http"},
		}
	default:
		return &domain.Error{
			Code: domain.CodeConnFailed, Message: "The connection to %s failed.", Hint: "Check the address and the network.",
		}
	}
}

// hungUp holds when the other side ended a connection that was open. net/http has no name to compare with for the one
// that it kept for later and that was closed meanwhile, and for one that was closed before it was asked anything.
func hungUp(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return strings.Contains(err.Error(), "server closed idle connection") || strings.Contains(err.Error(), "readLoopPeekFailLocked")
}

func tlsError(host string, err error) *domain.Error {
	e := &domain.Error{
		Code: domain.CodeTLSFailed, Message: "The secure connection to " + host + " failed.", Proof: err.Error(), Cause: err,
		Args: map[string]string{"host": host},
	}
	var verification *tls.CertificateVerificationError
	if errors.As(err, &verification) {
		e.Proof += "\n" + chain(verification.UnverifiedCertificates)
	}
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &unknown):
		e.Args["reason"] = "unknown_authority"
		e.Hint = "The certificate is signed by an authority this machine does not know: add it to the system's certificates, " +
			"or name its file in the setting tls.ca_file."
	case errors.As(err, &name):
		e.Args["reason"] = "wrong_host"
		e.Hint = "The certificate is for another host: check the URL."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		e.Args["reason"] = "expired"
		e.Hint = "The certificate is not valid now: check this machine's clock, or have it renewed."
	case errors.As(err, &record):
		e.Args["reason"] = "not_tls"
		e.Hint = "The server does not speak TLS on this port: try http:// or another port."
	case verification != nil, errors.As(err, &invalid), errors.As(err, &alert), strings.Contains(err.Error(), "tls: "):
		e.Args["reason"] = "other"
		e.Hint = "Check the server's certificate and TLS settings."
	default:
		return nil
	}
	return e
}

func chain(certificates []*x509.Certificate) string {
	var lines []string
	for i, c := range certificates {
		lines = append(lines, fmt.Sprintf("%d: %s, signed by %s, valid %s to %s",
			i, c.Subject, c.Issuer, c.NotBefore.Format(time.DateOnly), c.NotAfter.Format(time.DateOnly)))
	}
	return strings.Join(lines, "\n")
}
