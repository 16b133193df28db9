// Package oauthtest offers a real OAuth 2.1 authorization server and a guard for MCP servers to tests, well-behaved and not.
package oauthtest
