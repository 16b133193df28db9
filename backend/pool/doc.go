// Package pool keeps live sessions and tasks: it starts, shares, counts references, watches and restarts them.
package pool
