// Package httpauth reads how a server says that it wants to be spoken to: the challenges of an HTTP answer, and the scopes in
// them.
package httpauth
