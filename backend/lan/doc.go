// Package lan finds and announces servers on the local network.
//
// It speaks DNS-SD (RFC 6763) over multicast DNS (RFC 6762) for the service type _apollia-mcp._tcp in local. A Browser lists
// what announces itself and connects to none of it; an Announcer publishes what a person named. Neither opens a socket
// before it runs, and both close all of theirs when it ends. docs/network.md has the keys of an announcement.
package lan

import "time"

const (
	// ServiceType is the service type of MCP servers that may be found, without its domain.
	ServiceType = "_apollia-mcp._tcp"
	domainLocal = "local."
	serviceName = ServiceType + "." + domainLocal
	// pollEvery is how often the interfaces of this computer are looked at, since no system tells of their changes in one way.
	pollEvery = 3 * time.Second
)
