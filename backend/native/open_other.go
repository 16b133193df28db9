//go:build !unix

package native

// withoutWaiting is nothing where pipes are no files.
const withoutWaiting = 0
