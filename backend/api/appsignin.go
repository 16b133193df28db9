package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/toolbox"
)

// RequiresOAuth is what an agent gets for a call that lacks a token: an address to show to the person, after which the same
// call works.
type RequiresOAuth struct {
	Success  bool                          `json:"success"`
	Error    string                        `json:"error"`
	Metadata toolbox.RequiresOAuthMetadata `json:"metadata"`
}

// appAuthorize begins the sign-in of a user of an app.
type appAuthorize struct {
	AppID    string `path:"app_id"`
	ServerID string `query:"server_id" required:"true" doc:"id or name of the server"`
	Provider string `query:"provider" doc:"the provider of the server's sign-in, if it names one"`
	// SessionID names a conversation; it is no credential.
	SessionID string `query:"session_id" maxLength:"200"`
	Accept    string `header:"Accept"`
}

// redirecting sends a browser on, and tells a program where to.
type redirecting struct {
	Status   int
	Location string `header:"Location"`
	Body     RequiresOAuth
}

func (a *API) registerAppSignIns() {
	route(a, http.MethodGet, "/api/apps/{app_id}/oauth/authorize", "authorizeApp", "Begin the sign-in of an app's user: a browser is sent on", a.authorizeApp)
}

func (a *API) authorizeApp(ctx context.Context, in *appAuthorize) (*redirecting, error) {
	if in.AppID != servers.LocalApp {
		return nil, &domain.Error{
			Code: domain.CodeUnknownItem, Message: "there is no app \"" + in.AppID + "\"", Hint: "The app of this computer is called " + servers.LocalApp + ".",
			Args: map[string]string{"kind": "app", "item": in.AppID},
		}
	}
	view, err := a.Servers.Get(in.ServerID)
	if err != nil {
		return nil, err
	}
	if own := view.SignsInAt(); in.Provider != "" && in.Provider != own {
		return nil, &domain.Error{
			Code: domain.CodeInvalidInput, Message: "the server " + view.ID + " signs in at " + own + ", not at " + in.Provider, Hint: "Leave provider out.",
			Args: map[string]string{"reason": "provider", "field": "provider"},
		}
	}
	begun, err := a.Servers.BeginSignIn(ctx, a.signInOf(ctx, in.AppID, view))
	if err != nil {
		return nil, err
	}
	needed := Requires(view, begun)
	out := &redirecting{Status: http.StatusOK, Body: needed}
	if strings.Contains(in.Accept, "text/html") {
		out.Status, out.Location = http.StatusFound, needed.Metadata.AuthURL
	}
	return out, nil
}

// signInOffer says where a person signs in, to an agent whose call lacks a token; nil where nobody can say.
type signInOffer func(ctx context.Context) *RequiresOAuth

// offerFor makes the offer of whoever asks now; the call that it is for may outlive the question.
func (a *API) offerFor(asked context.Context, app string, view servers.View) signInOffer {
	asked = context.WithoutCancel(asked)
	return func(running context.Context) *RequiresOAuth {
		ctx, cancel := context.WithCancel(asked)
		defer cancel()
		defer context.AfterFunc(running, cancel)()
		offered, _, err := a.Servers.OfferSignIn(ctx, a.signInOf(ctx, app, view))
		if err != nil {
			return nil // the error of the call says all there is to say
		}
		needed := Requires(view, offered)
		return &needed
	}
}

// signInOf is a sign-in whose answer comes to our own callback, unless nobody listens there.
func (a *API) signInOf(ctx context.Context, app string, view servers.View) servers.SignInWish {
	wish := servers.SignInWish{Server: view.ID, By: principalOf(ctx).Caller}
	if own := a.Instance().URL; own != "" {
		wish.RedirectURI = own + "/api/apps/" + url.PathEscape(app) + "/oauth/callback"
	}
	return wish
}

// Requires says what a sign-in needs as an agent expects it.
func Requires(view servers.View, waiting servers.SignIn) RequiresOAuth {
	needed := toolbox.RequiresOAuthMetadata{
		RequiresOAuth: true, Provider: view.SignsInAt(), AuthURL: waiting.AuthorizeURL, State: waiting.ID, ServerID: view.ID,
	}
	return RequiresOAuth{Error: needed.Sentence(), Metadata: needed}
}

// isCallback reports whether a request brings the answer of a sign-in. It needs no cookie and no token: the state in it,
// which works once and at the path of its app, says whose it is.
func isCallback(r *http.Request) bool {
	rest, app := strings.CutPrefix(r.URL.Path, "/api/apps/")
	_, path, _ := strings.Cut(rest, "/")
	return app && path == "oauth/callback" && r.Method == http.MethodGet
}

// takeCallback ends a sign-in with what a browser brings.
func (a *API) takeCallback(w http.ResponseWriter, r *http.Request) {
	done, err := a.Servers.FinishSignIn(context.WithoutCancel(r.Context()), r.URL)
	if err != nil {
		done = oauth.Finished{Err: err}
	}
	oauth.Answer(w, r, done)
}
