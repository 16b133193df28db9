package oauth

import "encoding/base64"

// boundPrefix begins the names under which it is kept to whom the client ID of a person, and what belongs to it, was shown.
const boundPrefix = "issuer/"

func boundKey(s Subject) string {
	encode := base64.RawURLEncoding.EncodeToString
	return boundPrefix + s.Server + "/" + encode([]byte(s.App)) + "/" + encode([]byte(s.User))
}

// bound says that a client ID of a person belongs to an issuer.
type bound struct {
	ClientID string `json:"client_id,omitempty"`
	Issuer   string `json:"issuer"`
}

// checkBound refuses to show what a person was given by one issuer to another one, which the MCP server names today.
func (c *Client) checkBound(t Target, issuer string) error {
	if t.auth().Provider != "" {
		return nil // the person named the addresses
	}
	first, ok, err := read[bound](c.options.Store, boundKey(t.Subject))
	if err != nil || !ok || first.ClientID != t.auth().ClientID || first.Issuer == issuer {
		return err
	}
	e := notConforming(issuer, "issuer_changed", "the client ID was used at "+first.Issuer+" before, and is shown to nobody else")
	e.Hint = "If the server moved to another sign-in server, sign out and in again, or enter the client ID that the new one gave you."
	e.Args["before"] = plain(first.Issuer)
	return e
}

// bind keeps to whom the client ID of a person is shown, before it is.
func (c *Client) bind(t Target, issuer string) error {
	if err := c.checkBound(t, issuer); err != nil || t.auth().Provider != "" {
		return err
	}
	return write(c.options.Store, boundKey(t.Subject), bound{ClientID: t.auth().ClientID, Issuer: issuer})
}

// isBound reports whether a person gave us something for this sign-in that only its issuer may see.
func (t Target) isBound() bool { return t.auth().ClientID != "" || !t.NeedsPerson() }
