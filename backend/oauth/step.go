package oauth

import "apollia.fr/connexions/backend/domain"

// What a Step tells.
const (
	StepBegun    = "begun"
	StepSignedIn = "signed_in"
	StepRefused  = "refused"
	StepGivenUp  = "given_up"
	StepEnded    = "ended" // the authorization server takes the sign-in no longer
	StepRevoked  = "revoked"
)

// Step is one thing that happened to a sign-in. It holds no token.
type Step struct {
	What    string
	Subject Subject
	// By is who began it, the zero value where nobody did.
	By     domain.Caller
	Issuer string
	Err    error
}

// tell passes on what cannot be kept from happening.
func (c *Client) tell(s Step) {
	if err := c.options.Tell(s); err != nil {
		c.options.Logger.Error("tell a step of a sign-in", "server", s.Subject.Server, "step", s.What, "error", err)
	}
}

// tellEnd tells how a flow ended, unless somebody is signed in: that was told before.
func (c *Client) tellEnd(f *flow) {
	err := f.ended.Err
	if err == nil {
		return
	}
	s := Step{What: StepRefused, Subject: f.target.Subject, By: f.options.By, Issuer: f.last().begun.Issuer, Err: err}
	if domain.CodeOf(err) == domain.CodeSignInEnded {
		s.What = StepGivenUp
	}
	c.tell(s)
}
