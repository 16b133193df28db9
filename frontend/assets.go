// Package frontend holds the built user interface, for the window and for the browser alike.
package frontend

import "embed"

// Dist is the build of the interface under "dist"; before the first build it holds nothing to show.
//
//go:embed all:dist
var Dist embed.FS
