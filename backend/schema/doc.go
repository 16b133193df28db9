// Package schema validates values against the JSON Schemas that servers declare.
//
// A schema is the server's word and as hostile as the server may be: nothing it names is fetched, the work it asks for
// is bounded, and one that cannot be used blocks no call, since the server checks its arguments itself.
package schema
