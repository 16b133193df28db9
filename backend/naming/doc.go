// Package naming gives servers and tools their ids, FQNs and wire names, and reads them back.
package naming
