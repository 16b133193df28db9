package domain

// FindingCode names one way in which the words of a server may speak to the model behind the person's back.
type FindingCode string

// The codes of findings, stable.
const (
	// HiddenCharacters are written but not seen: zero-width, bidi controls, tags, private use.
	HiddenCharacters FindingCode = "hidden_characters"
	// DisguisedLetters make words that read like others: look-alikes of another alphabet, letters spaced out.
	DisguisedLetters FindingCode = "disguised_letters"
	// OverridesInstructions tells the reader to drop what it was told before.
	OverridesInstructions FindingCode = "overrides_instructions"
	// PosesAsSystem wears the dress of the system, the developer or the person.
	PosesAsSystem FindingCode = "poses_as_system"
	// SteersTools tells the reader to use, avoid or change tools that are not the server's own.
	SteersTools FindingCode = "steers_tools"
	// HidesFromPerson tells the reader to keep something from the person.
	HidesFromPerson FindingCode = "hides_from_person"
	// AsksForSecrets wants keys, private files, the conversation or the system prompt handed over.
	AsksForSecrets FindingCode = "asks_for_secrets"
	// EncodedText is text that a model can decode and a person does not.
	EncodedText FindingCode = "encoded_text"
	// HiddenMarkup is text in comments, styles or links that a page would not show.
	HiddenMarkup FindingCode = "hidden_markup"
	// OutOfSight is text pushed out of view by its length or by blank space.
	OutOfSight FindingCode = "out_of_sight"
)

// TextFinding is one suspicious passage of what a server says: of a tool, a prompt, a resource, or to the model at once.
// It warns and never blocks.
type TextFinding struct {
	Code FindingCode `json:"code"`
	// Field is the path of the text, such as "description", "input_schema.properties.note.description" or "arguments.note.description".
	Field string `json:"field"`
	// Start and End bound the first passage in the field's text, in UTF-16 code units, as JavaScript counts.
	Start int `json:"start"`
	End   int `json:"end"`
	// Text is that passage, cut short, with characters that are not seen written as U+XXXX.
	Text string `json:"text"`
	// Count is how many passages of the field have this code.
	Count int `json:"count"`
}
