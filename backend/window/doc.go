// Package window keeps one window per data folder, and the place it had on the screen.
package window
