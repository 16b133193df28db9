// Package transport dials a server and moves raw frames over stdio, Streamable HTTP or SSE, and keeps the traffic log.
package transport
