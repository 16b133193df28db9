// Package servers holds what one can do with servers: draft, test, save, sign in, enable, remove.
package servers
