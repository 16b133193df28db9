// Package mcptest offers small real MCP servers for tests, over stdio, Streamable HTTP and SSE, well-behaved and not.
package mcptest
