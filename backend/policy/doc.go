// Package policy decides what the rules say of a call.
//
// Everything in it is pure: who asks brings the question, the rules and the time. Calling and listing ask the same
// Decide, so what a call would refuse is not listed.
package policy
