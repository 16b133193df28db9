// Package oauth signs in to MCP servers by OAuth 2.1: discovery, registration, PKCE, callback, refresh, step-up.
//
// A Client holds what is known of every sign-in. Client.Transport puts the token of one subject into the requests to one
// server and never opens a browser: a server that wants a person gets an error that says so. Client.Begin, called when a
// person asked for it, comes to the address to open; the loopback listener, or the API, takes the answer to Client.Finish.
//
// Whatever an authorization server says is bounded and checked: addresses against the class of the server they speak for,
// issuers and resources byte for byte, answers by state and issuer. Credentials belong to the issuer that gave them and are
// sent to nobody else.
package oauth
