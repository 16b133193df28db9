package mcptest

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// Stateless is the revision without a handshake.
const Stateless = "2026-07-28"

const (
	codeHeaderMismatch     = -32020
	codeUnsupportedVersion = -32022

	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// stateless reports whether the server speaks the revision without a handshake; Dual says that it has others too.
func (o Options) stateless() bool { return o.Revision == Stateless || o.is(Dual) }

func (o Options) unsupported(requested string) *rpcError {
	supported := []string{Stateless}
	if o.is(Dual) {
		supported = append(supported, "2025-11-25")
	}
	return &rpcError{
		Code: codeUnsupportedVersion, Message: "Unsupported protocol version",
		Data: object{"supported": supported, "requested": requested},
	}
}

type requestMeta struct {
	Meta map[string]json.RawMessage `json:"_meta"`
}

func metaOf(params json.RawMessage) map[string]json.RawMessage {
	var p requestMeta
	_ = json.Unmarshal(params, &p) // what is not an object has none
	return p.Meta
}

// respondStateless answers a request that speaks for itself.
func (s *session) respondStateless(ctx context.Context, m message, send func(message)) (any, *rpcError) {
	meta := metaOf(m.Params)
	if meta[metaVersion] == nil || meta[metaCapabilities] == nil {
		return nil, &rpcError{Code: -32602, Message: "Invalid params: missing _meta keys"}
	}
	if version := string(meta[metaVersion]); version != `"`+Stateless+`"` {
		return nil, s.o.unsupported(strings.Trim(version, `"`))
	}
	s.mu.Lock()
	s.level = member(mustJSON(meta), "io.modelcontextprotocol/logLevel")
	s.mu.Unlock()
	var result any
	var failure *rpcError
	switch m.Method {
	case "server/discover":
		result = s.discovered()
	case "ping", "initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		failure = methodNotFound
	case "subscriptions/listen":
		result = s.subscribe(ctx, m, send)
	case "tools/call":
		result, failure = s.callStateless(ctx, m.Params, send)
	default:
		result, failure = s.serve(ctx, m, send)
	}
	return s.o.complete(m.Method, result), failure
}

func (s *session) discovered() any {
	capabilities := object{"tools": object{"listChanged": true}, "resources": object{"subscribe": true}, "prompts": object{}, "completions": object{}}
	if s.o.is(NoTools) {
		capabilities = object{"prompts": object{}}
	}
	return object{
		"supportedVersions": []string{Stateless}, "capabilities": s.o.announced(capabilities), "instructions": s.instructions(),
		"_meta": object{"io.modelcontextprotocol/serverInfo": object{"name": s.o.Name, "title": "Fake server", "version": "1.2.3"}},
	}
}

// complete adds what results of this revision have.
func (o Options) complete(method string, result any) any {
	r, ok := result.(object)
	if !ok {
		return result
	}
	if r["resultType"] == nil {
		r["resultType"] = "complete"
	}
	if strings.HasSuffix(method, "/list") || method == "server/discover" || method == "resources/read" {
		r["ttlMs"], r["cacheScope"] = o.Fresh.Milliseconds(), "private"
	}
	return r
}

// callStateless asks the client by its result instead of by a request.
func (s *session) callStateless(ctx context.Context, params json.RawMessage, send func(message)) (any, *rpcError) {
	var p struct {
		Name      string                     `json:"name"`
		Arguments struct{ URL string }       `json:"arguments"`
		Responses map[string]json.RawMessage `json:"inputResponses"`
		State     string                     `json:"requestState"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, &rpcError{Code: -32602, Message: "Invalid params"}
	}
	var question object
	switch p.Name {
	case "elicit":
		schema := object{"type": "object", "properties": object{"name": object{"type": "string"}}}
		question = object{"method": "elicitation/create", "params": object{"message": "Who are you?", "requestedSchema": schema}}
	case "visit":
		url := p.Arguments.URL
		if url == "" {
			url = defaultPage
		}
		question = object{"method": "elicitation/create", "params": page(url, "")}
	case "roots":
		question = object{"method": "roots/list"}
	case "sample":
		question = object{"method": "sampling/createMessage", "params": sampling()}
	default:
		return s.call(ctx, params, send)
	}
	if p.Responses == nil {
		return object{"resultType": "input_required", "inputRequests": object{"q": question}, "requestState": "state of " + p.Name}, nil
	}
	if p.State != "state of "+p.Name {
		return nil, &rpcError{Code: -32602, Message: "Invalid requestState: " + p.State}
	}
	return text(string(p.Responses["q"])), nil
}

// subscribe tells of changes until the client goes or the server is done.
func (s *session) subscribe(ctx context.Context, m message, send func(message)) any {
	var p struct {
		Notifications struct {
			Tools     bool     `json:"toolsListChanged"`
			Resources []string `json:"resourceSubscriptions"`
		} `json:"notifications"`
	}
	_ = json.Unmarshal(m.Params, &p) // a client that asks for nothing gets nothing
	meta := object{metaSubscription: m.ID}
	changes, leave := s.changes.join() // before the client hears that it is told of all
	defer leave()
	send(message{Method: "notifications/subscriptions/acknowledged", Params: mustJSON(object{"_meta": meta, "notifications": p.Notifications})})
	for {
		select {
		case method := <-changes:
			switch {
			case method == "notifications/tools/list_changed" && p.Notifications.Tools:
				send(message{Method: method, Params: mustJSON(object{"_meta": meta})})
			case method == "drop":
				return object{"_meta": meta}
			case slices.ContainsFunc(p.Notifications.Resources, func(uri string) bool { return strings.HasPrefix(method, uri) }):
				send(message{Method: "notifications/resources/updated", Params: mustJSON(object{"_meta": meta, "uri": method})})
			}
		case <-ctx.Done():
			return object{"_meta": meta}
		}
	}
}

// postStateless checks what the headers of a request must say, and answers it.
func (h *HTTPServer) postStateless(w http.ResponseWriter, r *http.Request, m message, raw []byte) {
	refused := func(status int, failure *rpcError) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(mustJSON(message{JSONRPC: "2.0", ID: m.ID, Error: failure})) // the client may be gone
	}
	version := r.Header.Get("Mcp-Protocol-Version")
	switch {
	case version != Stateless:
		refused(http.StatusBadRequest, h.o.unsupported(version))
	case r.Header.Get("Mcp-Method") != m.Method:
		refused(http.StatusBadRequest, &rpcError{Code: codeHeaderMismatch, Message: "Mcp-Method is not the method"})
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	default:
		s := newSession(h.o, func(message) {})
		s.crash = func() { panic(http.ErrAbortHandler) }
		s.changes, s.tasks = h.changes, h.tasks
		s.echo = r.Header.Get(h.o.Echo)
		if h.o.is(PlainJSON) {
			h.answerJSON(w, r, &httpSession{session: s}, raw)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		s.take(r.Context(), raw, newEventWriter(w).send)
	}
}
