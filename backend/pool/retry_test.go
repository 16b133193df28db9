package pool

import (
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestFailedStarts(t *testing.T) {
	const s = time.Second
	tests := []struct {
		name      string
		transport domain.Transport
		err       domain.Error
		want      []time.Duration
	}{
		{"a program that dies", domain.Stdio, domain.Error{Code: domain.CodeServerExited}, []time.Duration{s, 2 * s, never}},
		{"a program that is mute", domain.Stdio, domain.Error{Code: domain.CodeNoAnswer}, []time.Duration{s, 2 * s, never}},
		{"a server that is down", domain.StreamableHTTP, domain.Error{Code: domain.CodeConnRefused}, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 60 * s, 60 * s}},
		{"a server that is mute", domain.SSE, domain.Error{Code: domain.CodeNoAnswer}, []time.Duration{s, 2 * s, 4 * s, 8 * s}},
		{"a server in trouble", domain.StreamableHTTP, domain.Error{Code: domain.CodeHTTPStatus, Args: map[string]string{"status": "503"}}, []time.Duration{s, 2 * s, 4 * s, 8 * s}},
		{"a wrong path", domain.StreamableHTTP, domain.Error{Code: domain.CodeHTTPStatus, Args: map[string]string{"status": "404"}}, []time.Duration{s, 2 * s, never}},
		{"a sign-in", domain.StreamableHTTP, domain.Error{Code: domain.CodeSignInNeeded}, []time.Duration{never}},
		{"an unset variable", domain.Stdio, domain.Error{Code: domain.CodeVariableUnset}, []time.Duration{never}},
	}
	for _, test := range tests {
		counted := tries{patience: DefaultPatience()}
		for i, want := range test.want {
			if got := counted.failed(&test.err, test.transport); got != want {
				t.Errorf("%s, failure %d: pause %v, want %v", test.name, i+1, got, want)
			}
		}
	}
}

func TestLostSessionsComeBackFastAndThenSlower(t *testing.T) {
	counted := tries{patience: DefaultPatience()}
	steps := []struct {
		uptime, want time.Duration
	}{
		{time.Second, 100 * time.Millisecond},
		{time.Second, time.Second},
		{0, 2 * time.Second},
		{time.Second, 4 * time.Second},
		{time.Minute, 100 * time.Millisecond}, // it held: all is forgotten
		{time.Second, time.Second},
	}
	for i, step := range steps {
		if got := counted.lost(step.uptime); got != step.want {
			t.Errorf("loss %d after %v: pause %v, want %v", i+1, step.uptime, got, step.want)
		}
	}
}

// What answers instead of a server that worked before may go away again, such as the page of a hotel.
func TestAServerThatWasReadyIsNotGivenUpForWhatIsInBetween(t *testing.T) {
	moved := &domain.Error{Code: domain.CodeHTTPStatus, Args: map[string]string{"status": "302"}}
	const s = time.Second
	tests := []struct {
		name      string
		known     bool
		transport domain.Transport
		err       *domain.Error
		third     time.Duration
	}{
		{"a web page", true, domain.StreamableHTTP, &domain.Error{Code: domain.CodeHTML}, 60 * s},
		{"another certificate", true, domain.SSE, &domain.Error{Code: domain.CodeTLSFailed}, 60 * s},
		{"sent elsewhere", true, domain.StreamableHTTP, moved, 60 * s},
		{"never seen ready", false, domain.StreamableHTTP, moved, never},
		{"a wrong path", true, domain.StreamableHTTP, &domain.Error{Code: domain.CodeHTTPStatus, Args: map[string]string{"status": "404"}}, never},
		{"a program that prints", true, domain.Stdio, &domain.Error{Code: domain.CodeNotJSONRPC}, never},
	}
	for _, test := range tests {
		counted := tries{patience: DefaultPatience(), known: test.known}
		want := []time.Duration{s, 2 * s, test.third}
		for i := range want {
			if got := counted.failed(test.err, test.transport); got != want[i] {
				t.Errorf("%s, failure %d: pause %v, want %v", test.name, i+1, got, want[i])
			}
		}
	}
}

func TestHopelessFailuresMustComeInARow(t *testing.T) {
	counted := tries{patience: DefaultPatience()}
	exited, refused := &domain.Error{Code: domain.CodeServerExited}, &domain.Error{Code: domain.CodeConnRefused}
	for i, err := range []*domain.Error{exited, exited, refused, exited, exited} {
		if counted.failed(err, domain.StreamableHTTP) == never {
			t.Errorf("parked at failure %d", i+1)
		}
	}
	if counted.failed(exited, domain.StreamableHTTP) != never {
		t.Error("not parked after three in a row")
	}
}
