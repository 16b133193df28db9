// Package domain holds the nouns of the product, with the JSON names that the stores, the API and the user interface share.
package domain

// Nothing of ours and no library is imported here, so that every other package can speak these words.
