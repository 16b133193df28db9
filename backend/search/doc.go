// Package search finds tools by words and meaning.
//
// A question and the tools meet in words: identifiers are split, accents folded, endings taken off in English and French.
// Where the words differ, curated groups of words that mean the same, a French-English lexicon and paraphrases bring them
// together, each with less weight than the word itself. Nothing is downloaded and no model is needed; one that turns texts
// into vectors can be put on top.
package search
