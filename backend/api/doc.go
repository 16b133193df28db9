// Package api is the local HTTP API that the window, the browser and the command line all use.
package api
