// Package lantest gives tests a network of their own, with other computers on it that announce MCP servers.
//
// Each computer is a network namespace of Linux, joined by a pair of links: what is sent there reaches nobody else, and all of it
// is gone with the processes. The others announce and look by a library that the product does not find servers with.
package lantest
