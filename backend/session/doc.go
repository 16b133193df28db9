// Package session speaks MCP with one server over a link, in whichever revision both know.
package session
