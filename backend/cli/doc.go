// Package cli holds the commands of the command line, each a client of the API.
package cli
