package domain

// AddressSign names what may deceive a person about an address that a server wants opened.
type AddressSign string

// The signs, stable. A sign warns and never blocks.
const (
	// UserBeforeHost is a user name in the address, which many read as the site.
	UserBeforeHost AddressSign = "user_before_host"
	// LookAlikeLetter is a letter of another alphabet that looks like a Latin one.
	LookAlikeLetter AddressSign = "look_alike_letter"
	// OtherLetter is a letter outside of ASCII that looks like no other.
	OtherLetter AddressSign = "other_letter"
	// OtherSite is a site that is not the one from which the server answers.
	OtherSite AddressSign = "other_site"
	// NumberForName is an IP address where a site has a name.
	NumberForName AddressSign = "number_for_name"
	// OwnNetwork is this computer or a computer of the same network.
	OwnNetwork AddressSign = "own_network"
	// NotEncrypted is an address without TLS: others on the way read what is typed there.
	NotEncrypted AddressSign = "not_encrypted"
	// UnusualPort is a port that the scheme does not have by itself.
	UnusualPort AddressSign = "unusual_port"
)

// AddressFinding is one sign of an address.
type AddressFinding struct {
	Sign AddressSign `json:"sign"`
	// Args are the parts that its words need, such as "letter", "code" (U+0430), "latin", "script", "site" or "port".
	Args map[string]string `json:"args,omitempty"`
}

// Address is a page that a server wants opened, taken apart so that a person sees where it really leads. All of it is
// plain text.
type Address struct {
	// URL is what would be opened: without a user name, the host as the network knows it.
	URL string `json:"url"`
	// Before, User, Host and After are the address in its order: "https://", what would be taken out, the host with its
	// port, and the rest.
	Before string `json:"before"`
	User   string `json:"user,omitempty"`
	Host   string `json:"host"`
	After  string `json:"after"`
	// Shown is how a browser may show the host, where that differs.
	Shown string           `json:"shown,omitempty"`
	Signs []AddressFinding `json:"signs"`
	// Opened says that the same call has had this page opened before, so that the person may only have to say that it is done.
	Opened bool `json:"opened,omitempty"`
}
