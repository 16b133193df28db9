// Package pins remembers the definitions a person saw, diffs changes, flags hostile ones.
//
// The words that a server writes about its tools reach a model as if its owner had said them. A Scanner looks for the
// ones that speak to the model instead of telling what the tool does, and Diff shows what changed since a person last
// looked. Both only tell: what is held and until when is for the policy and the person.
package pins
