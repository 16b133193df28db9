package transport

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"apollia.fr/connexions/backend/domain"
)

// ParamHeaders gives the headers that mirror those arguments of a tool call that its schema marks with x-mcp-header
// (MCP 2026-07-28, basic/transports, SEP-2243). params are those of tools/call.
func ParamHeaders(inputSchema, params json.RawMessage) map[string]string {
	return mcp.GenerateParamHeaders(&mcp.Tool{RawInputSchema: inputSchema}, params)
}

// CheckParamHeaders says what is wrong with the x-mcp-header marks of a schema: a tool that has such a mark must not be
// called over HTTP. The error carries CodeProtocol and the name of the tool.
func CheckParamHeaders(tool string, inputSchema json.RawMessage) *domain.Error {
	err := mcp.ValidateParamHeaderAnnotations(&mcp.Tool{RawInputSchema: inputSchema})
	if err == nil {
		return nil
	}
	return &domain.Error{
		Code: domain.CodeProtocol, Message: "The tool \"" + tool + "\" was left out: " + err.Error() + ".",
		Hint: "Report this to the makers of the server.", Cause: err, Proof: err.Error(),
		Args: map[string]string{"section": "tools", "name": tool, "reason": "param_headers"},
	}
}

// standardHeaders are those that the stateless revision wants with every frame: its method, and the name it is about.
func standardHeaders(version, method string, params json.RawMessage) map[string]string {
	headers := mcp.StandardHeaders(version, mcp.MCPMethod(method), params)
	var about struct {
		TaskID string `json:"taskId"`
	}
	if headers != nil && strings.HasPrefix(method, "tasks/") && json.Unmarshal(params, &about) == nil {
		if value, ok := mcp.EncodeHeaderValue(about.TaskID); ok {
			headers[mcp.HeaderName] = value
		}
	}
	return headers
}

func isStateless(version string) bool { return mcp.IsModernProtocol(version) }
