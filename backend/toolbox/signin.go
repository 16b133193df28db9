package toolbox

import (
	"context"

	"apollia.fr/connexions/backend/domain"
)

// RequiresOAuthMetadata says where a person signs in so that a call can work (specification, "requires_oauth").
type RequiresOAuthMetadata struct {
	RequiresOAuth bool   `json:"requires_oauth"`
	Provider      string `json:"provider"`
	AuthURL       string `json:"auth_url"`
	State         string `json:"state"`
	ServerID      string `json:"server_id"`
}

// Sentence says it to a person.
func (m RequiresOAuthMetadata) Sentence() string {
	return "User needs to authorize " + m.Provider + " for server '" + m.ServerID + "'."
}

// Offer begins the sign-in of a server, or gives the one that waits; nil where nobody can say where to sign in.
type Offer func(ctx context.Context, caller domain.Caller, server string) *RequiresOAuthMetadata

// refused is the result of a call that did not happen, with the way to a sign-in where that is what it lacks.
func (t *Toolbox) refused(ctx context.Context, caller domain.Caller, tool Offered, err error) ActionResult {
	result := failed(tool.Source, err)
	if t.SignIn == nil || !result.Metadata.Code.WantsSignIn() {
		return result
	}
	if needed := t.SignIn(ctx, caller, tool.Server); needed != nil {
		result.Error, result.Metadata.RequiresOAuthMetadata = needed.Sentence(), needed
	}
	return result
}
