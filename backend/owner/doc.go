// Package owner knows which process owns the data folder: who holds the lock, and where that one listens.
package owner
