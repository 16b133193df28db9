package transport

import "context"

type (
	callKey   struct{}
	duringKey struct{}
)

// InCall names the call that the requests made with ctx belong to, for AskedDuring. call is any word of the caller's.
func InCall(ctx context.Context, call string) context.Context {
	return context.WithValue(ctx, callKey{}, call)
}

// AskedDuring gives the call during which the server asked, to a handler of OnRequest with its ctx. ok is false where
// that cannot be told: on stdio and SSE, and on the listening stream of Streamable HTTP.
func AskedDuring(ctx context.Context) (call string, ok bool) {
	call, ok = ctx.Value(duringKey{}).(string)
	return call, ok
}

func callOf(ctx context.Context) string {
	call, _ := ctx.Value(callKey{}).(string)
	return call
}

// during is ctx for a request of the server that came on the stream of x, nil for none.
func during(ctx context.Context, x *exchange) context.Context {
	if x == nil {
		return ctx
	}
	return context.WithValue(ctx, duringKey{}, x.call)
}
