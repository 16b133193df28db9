package session

import (
	"encoding/json"
	"maps"
)

// The members of _meta that every request of the stateless revision has (MCP 2026-07-28, basic/index#meta).
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
)

func (s *Session) clientInfo() map[string]string {
	return map[string]string{"name": "apollia-connexions", "title": "Apollia Connexions", "version": s.options.Version}
}

// capabilities is what we can do for a server of an era: the extensions are those of the stateless one.
func (s *Session) capabilities(stateless bool) map[string]json.RawMessage {
	can := map[string]json.RawMessage{}
	maps.Copy(can, s.options.Answerer.Capabilities())
	can["roots"] = rootsCapability(stateless)
	if stateless {
		can["extensions"] = json.RawMessage(`{"` + extensionTasks + `":{}}`)
	}
	return can
}

// stateless reports whether requests speak for themselves: before the greeting, whatever asks does.
func (s *Session) stateless() bool { return s.greeting.Version == "" || s.greeting.IsStateless() }

// dress gives params what the revision in use wants every request to say, and the token that progress comes with.
func (s *Session) dress(params json.RawMessage, token string) (json.RawMessage, error) {
	var wanted []member
	if token != "" {
		wanted = append(wanted, member{"progressToken", quoted(token)})
	}
	if s.stateless() {
		wanted = append(wanted,
			member{metaVersion, quoted(Stateless)}, member{metaClientInfo, encoded(s.clientInfo())},
			member{metaCapabilities, encoded(s.capabilities(true))})
		if level := s.level.Load(); level != nil {
			wanted = append(wanted, member{metaLogLevel, quoted(*level)})
		}
	}
	if len(wanted) == 0 {
		return params, nil
	}
	if len(params) == 0 {
		params = json.RawMessage(`{}`)
	}
	return withMeta(params, wanted...)
}

func quoted(text string) json.RawMessage { return encoded(text) }

// encoded is v as JSON, of a type that always can be.
func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("encode what is sent with every request: " + err.Error())
	}
	return raw
}
