package pool

import (
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// maxSameFailures is after how many failed starts in a row, each of a kind that trying again does not mend, a server
// is parked.
const maxSameFailures = 3

// tries counts failures to find how long to wait before the next start.
type tries struct {
	patience Patience
	// known says that the same definition was ready before, so that what fails now may be the network between.
	known    bool
	failures int // since the last sustained session
	hopeless int // failed starts in a row that trying again does not mend
}

// never is the pause of a server that is parked.
const never time.Duration = -1

// failed notes a failed start and returns how long to wait, or never.
func (t *tries) failed(err *domain.Error, transport domain.Transport) time.Duration {
	t.failures++
	switch class := err.Code.Class(); {
	case class == domain.SignIn, class == domain.Usage:
		return never // only a person can mend it
	case mendsItself(err, transport):
		t.hopeless = 0
	default:
		t.hopeless++
	}
	if t.hopeless >= maxSameFailures {
		if t.known && isInBetween(err, transport) {
			return t.patience.Longest
		}
		return never
	}
	return t.pause(t.patience.FirstRetry, t.failures)
}

// lost notes the end of a session that was ready and returns how long to wait.
func (t *tries) lost(uptime time.Duration) time.Duration {
	t.hopeless = 0
	if uptime >= t.patience.Sustained {
		t.failures = 0
	}
	t.failures++
	if t.failures == 1 {
		return t.patience.FirstRestart
	}
	return t.pause(t.patience.FirstRetry, t.failures-1)
}

func (t *tries) pause(first time.Duration, doublings int) time.Duration {
	pause := first
	for range doublings - 1 {
		if pause >= t.patience.Longest {
			break
		}
		pause *= 2
	}
	return min(pause, t.patience.Longest)
}

// mendsItself reports whether a failed start may well go right later with nothing changed here: a network that comes
// back, a remote server that is restarted, the one that gives tokens too.
func mendsItself(err *domain.Error, transport domain.Transport) bool {
	switch err.Code {
	case domain.CodeDNSFailed, domain.CodeConnRefused, domain.CodeConnTimeout, domain.CodeConnFailed, domain.CodeConnClosed,
		domain.CodeSignInUnreachable:
		return true
	case domain.CodeNoAnswer:
		return transport != domain.Stdio
	case domain.CodeHTTPStatus:
		status := err.Args["status"]
		return status == "429" || status >= "500"
	}
	return false
}

// isInBetween reports whether a failure may be of something between us and a remote server, such as the page of a hotel
// that wants a room number first.
func isInBetween(err *domain.Error, transport domain.Transport) bool {
	if transport == domain.Stdio {
		return false
	}
	switch err.Code {
	case domain.CodeTLSFailed, domain.CodeHTML, domain.CodeNotJSONRPC:
		return true
	}
	return strings.HasPrefix(statusOf(err), "3")
}
