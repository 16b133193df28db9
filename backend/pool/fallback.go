package pool

import (
	"context"
	"strings"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/transport"
)

// maxOlder bounds the wait for a server to speak the older transport after it refused the newer one.
const maxOlder = 5 * time.Second

// connectHTTP reaches a server by Streamable HTTP, or by the older transport that the same address may speak instead
// (MCP 2025-11-25, basic/transports, backwards compatibility). What it is known to speak is tried first, and the other
// one only when the server answers in a way that says so.
func (o opening) connectHTTP(ctx context.Context) (*live, error) {
	older := o
	older.definition.Transport = domain.SSE
	if !o.sse {
		live, err := o.tryHTTP(ctx)
		if !isOlder(err) {
			return live, err
		}
		older.hooks = o.hooks.again()
		return older.instead(ctx, err)
	}
	link, err := older.dial(ctx)
	if err == nil {
		return older.greet(ctx, link)
	}
	if !isNoStream(err) {
		return nil, err
	}
	return o.tryHTTP(ctx)
}

func (o opening) tryHTTP(ctx context.Context) (*live, error) {
	link, err := o.dial(ctx)
	if err != nil {
		return nil, err
	}
	return o.greet(ctx, link)
}

// instead tries the older transport after another was refused. When that is not there either, the refusal stands.
func (o opening) instead(ctx context.Context, refusal error) (*live, error) {
	bounded, cancel := context.WithTimeout(ctx, maxOlder)
	defer cancel()
	link, err := o.dial(bounded)
	if err != nil {
		if domain.CodeOf(err).Class() == domain.SignIn {
			return nil, err
		}
		return nil, refusal
	}
	o.log.Add(transport.StreamLifecycle, "the server does not speak Streamable HTTP: "+refusal.Error()+" It is reached by SSE.")
	return o.greet(ctx, link)
}

// isOlder holds when a handshake by Streamable HTTP got a status that servers answer which do not know that transport.
// One that says no in JSON-RPC does know it, and 401 and 403 are about who asks.
func isOlder(err error) bool {
	status := statusOf(err)
	return strings.HasPrefix(status, "4") && status != "401" && status != "403"
}

// isNoStream holds when a server answered, but not with the stream that it is known for.
func isNoStream(err error) bool {
	switch domain.CodeOf(err) {
	case domain.CodeHTML, domain.CodeNotJSONRPC:
		return true
	}
	return isOlder(err)
}

// statusOf is the HTTP status that an error is about; empty when it is about something else.
func statusOf(err error) string {
	if domain.CodeOf(err) != domain.CodeHTTPStatus {
		return ""
	}
	return domain.AsError(err).Args["status"]
}
