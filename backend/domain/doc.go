// Package domain holds the nouns of the product: servers, tools, calls, results, verdicts, rules, requests, events and errors.
//
// It imports nothing of ours and no library, so every other package can speak its words. The JSON names of its
// fields are the names used in the stores, in the API and in the user interface.
package domain
