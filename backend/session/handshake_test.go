package session

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// The handshake tells what a server with one can use: extensions came with the stateless revision.
func TestTheHandshakeAnnouncesNoExtension(t *testing.T) {
	said := make(map[string]string)
	fake := mcptest.NewHTTP(mcptest.Options{Revision: Stateless, Behave: []mcptest.Behaviour{mcptest.Dual}})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		var sent struct {
			Method string
			Params struct {
				Capabilities json.RawMessage
				Meta         map[string]json.RawMessage `json:"_meta"`
			}
		}
		_ = json.Unmarshal(raw, &sent)
		switch sent.Method {
		case "initialize":
			said[sent.Method] = string(sent.Params.Capabilities)
		case "server/discover":
			said[sent.Method] = string(sent.Params.Meta[metaCapabilities])
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		fake.ServeHTTP(w, r)
	}))
	for _, handshake := range []bool{true, false} {
		open(t, d, Options{Handshake: handshake})
	}
	if got := said["initialize"]; got != `{"roots":{"listChanged":true}}` {
		t.Errorf("the handshake announces %s", got)
	}
	if got := said["server/discover"]; got != `{"extensions":{"`+extensionTasks+`":{}},"roots":{}}` {
		t.Errorf("the question for revisions announces %s", got)
	}
}
