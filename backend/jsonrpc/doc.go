// Package jsonrpc reads and writes JSON-RPC 2.0 frames strictly: case-sensitive, no duplicate keys, valid UTF-8, bounded depth, batches split.
//
// It has its own scanner, because what we govern and what the other side runs must be the same thing. encoding/json
// takes "Method" for "method", keeps the last of two equal keys and repairs broken UTF-8; a peer that does otherwise
// would then see another call than the one the policy saw.
package jsonrpc
