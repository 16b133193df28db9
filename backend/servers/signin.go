package servers

import (
	"context"
	"net/url"
	"sync"
	"time"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/oauth"
)

// LocalApp is the app whose credentials the window, the command line and other programs of this computer use.
const LocalApp = "local"

// maxSignIns bounds how many sign-ins are remembered; the oldest gives way.
const maxSignIns = 50

// SignInTarget is whom a server is signed in to for whoever sits here. d is expanded.
func SignInTarget(serverID string, d domain.Definition) oauth.Target {
	return oauth.Target{Subject: subjectFor(serverID), URL: d.URL, Auth: d.Auth}
}

func subjectFor(serverID string) oauth.Subject {
	return oauth.Subject{App: LocalApp, User: domain.LocalUser, Server: serverID}
}

// SignInWish says what to sign in to, and how it ends.
type SignInWish struct {
	// Server is a saved one, or the one that Definition is an edit of.
	Server string
	// Definition is a draft; nil takes that of Server. From is the server that it is a copy of.
	Definition *domain.Definition
	From       string
	// Language is that of the page at the end.
	Language string
	// RedirectURI is where the answer goes in place of the loopback listener: whoever gets it calls FinishSignIn. It counts
	// only for a client that registers by itself: any other is known with the URI of the listener, or of its own.
	RedirectURI string
	// By is who wants it.
	By domain.Caller
}

// SignIn is one sign-in, running or ended.
type SignIn struct {
	ID     string `json:"id"`
	Server string `json:"server"`
	// Running waits for a person: AuthorizeURL is to be opened in a browser.
	Running      bool      `json:"running"`
	AuthorizeURL string    `json:"authorize_url,omitempty"`
	Issuer       string    `json:"issuer,omitempty"`
	RedirectURI  string    `json:"redirect_uri,omitempty"`
	Scopes       []string  `json:"scopes,omitempty"`
	EndsAt       time.Time `json:"ends_at,omitzero"`
	// Error says why it did not succeed.
	Error *domain.Error `json:"error,omitempty"`
}

// SignInState is what is known of the sign-in of a server.
type SignInState struct {
	// Waiting is the sign-in that waits for a person; nil when none does.
	Waiting *SignIn `json:"waiting,omitempty"`
	// Signed is what there is of a sign-in; nil when there is none.
	Signed *oauth.Summary `json:"signed,omitempty"`
}

// signIns are the sign-ins of this process, by their IDs.
type signIns struct {
	mu   sync.Mutex
	byID map[string]oauth.Begun
	ids  []string // in the order they were begun
	// offers are those that are being looked for, by server.
	offers map[string]*offer
}

// offer is a sign-in that callers wait for who came together. What it comes to is set when done is closed.
type offer struct {
	done   chan struct{}
	signIn SignIn
	err    error
}

func (s *signIns) add(begun oauth.Begun) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byID[begun.ID] = begun
	s.ids = append(s.ids, begun.ID)
	if len(s.ids) > maxSignIns {
		delete(s.byID, s.ids[0])
		s.ids = s.ids[1:]
	}
}

// offer is that of a server; first is for whoever has to come up with it and then calls offered.
func (s *signIns) offer(server string) (o *offer, first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.offers[server]; o != nil {
		return o, false
	}
	o = &offer{done: make(chan struct{})}
	s.offers[server] = o
	return o, true
}

func (s *signIns) offered(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.offers[server].done)
	delete(s.offers, server)
}

func (s *signIns) get(id string) (oauth.Begun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	begun, ok := s.byID[id]
	if !ok {
		return begun, unknownSignIn()
	}
	return begun, nil
}

func unknownSignIn() error {
	return &domain.Error{
		Code: domain.CodeUnknownItem, Message: "There is no such sign-in.", Hint: "Begin it again.", Args: map[string]string{"kind": "sign_in"},
	}
}

// BeginSignIn prepares a sign-in, for a person who asked for it. A server that a program signs in to by itself is signed in
// at once: then nothing runs. Errors are those of oauth.Client.Begin, CodeUnknownServer, and the first fault of a draft.
func (s *Service) BeginSignIn(ctx context.Context, wish SignInWish) (SignIn, error) {
	t, err := s.targetOf(wish)
	if err != nil {
		return SignIn{}, err
	}
	if !t.NeedsPerson() {
		if err := s.OAuth.Obtain(ctx, t); err != nil {
			return SignIn{}, err
		}
		s.Pool.Restart(t.Server)
		return SignIn{Server: t.Server}, nil
	}
	begun, err := s.begin(ctx, t, wish)
	if err != nil {
		return SignIn{}, err
	}
	s.signIns.add(begun)
	return running(begun), nil
}

func (s *Service) begin(ctx context.Context, t oauth.Target, wish SignInWish) (oauth.Begun, error) {
	o := oauth.BeginOptions{Language: wish.Language, By: wish.By}
	if t.Auth == nil || t.Auth.ClientID+t.Auth.RedirectURI == "" {
		o.RedirectURI = wish.RedirectURI
	}
	begun, err := s.OAuth.Begin(ctx, t, o)
	if o.RedirectURI != "" && domain.CodeOf(err) == domain.CodeClientIDNeeded {
		o.RedirectURI = "" // our metadata document lists the listener
		return s.OAuth.Begin(ctx, t, o)
	}
	return begun, err
}

// OfferSignIn gives the sign-in of a server that waits already, else begins one and says so: whoever calls without a token
// again and again must not take the page away from the person who is at it. Errors are those of BeginSignIn.
func (s *Service) OfferSignIn(ctx context.Context, wish SignInWish) (offered SignIn, begun bool, err error) {
	o, first := s.signIns.offer(wish.Server)
	if !first {
		select {
		case <-o.done:
			return o.signIn, false, o.err
		case <-ctx.Done():
			return SignIn{}, false, ctx.Err()
		}
	}
	defer s.signIns.offered(wish.Server)
	state, err := s.SignInOf(wish.Server)
	if err == nil && state.Waiting != nil {
		o.signIn = *state.Waiting
		return o.signIn, false, nil
	}
	o.signIn, o.err = s.BeginSignIn(ctx, wish)
	return o.signIn, o.err == nil, o.err
}

func running(begun oauth.Begun) SignIn {
	now := begun.Now()
	return SignIn{
		ID: now.ID, Server: now.Subject().Server, Running: true, AuthorizeURL: now.AuthorizeURL, Issuer: now.Issuer,
		RedirectURI: now.RedirectURI, Scopes: now.Scopes, EndsAt: now.Ends,
	}
}

// SignIn shows a sign-in, waiting up to the given time for its end.
func (s *Service) SignIn(ctx context.Context, id string, wait time.Duration) (SignIn, error) {
	begun, err := s.signIns.get(id)
	if err != nil {
		return SignIn{}, err
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	ended, err := begun.Wait(bounded)
	if err != nil {
		return running(begun), ctx.Err()
	}
	return SignIn{ID: id, Server: ended.Subject.Server, Issuer: begun.Issuer, Error: domain.AsError(ended.Err)}, nil
}

// AnswerSignIn ends a sign-in with the address at which the browser ended, or says where to go next: then it still runs.
// CodeInvalidInput for an address that is not of this sign-in, or holds no answer.
func (s *Service) AnswerSignIn(ctx context.Context, id, address string) (SignIn, error) {
	begun, err := s.signIns.get(id)
	if err != nil {
		return SignIn{}, err
	}
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("state") != begun.Now().State {
		return running(begun), invalid("sign_in_answer", "this is not the address at which this sign-in ended",
			"Copy the whole address of the last page, from http to its end.")
	}
	done, err := s.OAuth.Finish(ctx, u)
	if err != nil {
		return SignIn{}, err
	}
	if done.Next != "" {
		return running(begun), nil
	}
	return SignIn{ID: id, Server: done.Target.Server, Issuer: begun.Issuer, Error: domain.AsError(done.Err)}, nil
}

// FinishSignIn takes the answer of an authorization server that came to the callback of an app, not to the loopback listener.
// The one-time state in it is all the authentication it has, and needs; it counts at the path of its app. Errors are those
// of oauth.Client.Finish.
func (s *Service) FinishSignIn(ctx context.Context, arrived *url.URL) (oauth.Finished, error) {
	return s.OAuth.Finish(ctx, arrived)
}

// CancelSignIn gives up a sign-in; one that has ended stays as it is.
func (s *Service) CancelSignIn(id string) error {
	begun, err := s.signIns.get(id)
	if err == nil {
		begun.Cancel()
	}
	return err
}

// SignInOf says what is known of the sign-in of a server.
func (s *Service) SignInOf(idOrName string) (SignInState, error) {
	t, err := s.targetOf(SignInWish{Server: idOrName})
	if err != nil {
		return SignInState{}, err
	}
	var state SignInState
	if begun, waits := s.OAuth.Waiting(t.Subject); waits {
		now := running(begun)
		state.Waiting = &now
	}
	summary, ok, err := s.OAuth.SignedIn(t)
	if ok {
		state.Signed = &summary
	}
	return state, err
}

// Token is the token of a server, renewed when that is due. Errors are those of oauth.Client.Token, and CodeUnknownServer.
func (s *Service) Token(ctx context.Context, id string) (string, error) {
	t, err := s.targetOf(SignInWish{Server: id})
	if err != nil {
		return "", err
	}
	token, _, err := s.OAuth.Token(ctx, t)
	return token, err
}

// SignOut revokes and forgets the tokens of a server, and has it go on without them.
func (s *Service) SignOut(ctx context.Context, idOrName string) error {
	t, err := s.targetOf(SignInWish{Server: idOrName})
	if err != nil {
		return err
	}
	if err := s.OAuth.Forget(ctx, t); err != nil {
		return err
	}
	s.Pool.Restart(t.Server)
	return nil
}

// targetOf is what a wish is about, with its variables filled in.
func (s *Service) targetOf(wish SignInWish) (oauth.Target, error) {
	if wish.Definition == nil {
		server, err := s.find(wish.Server)
		if err == nil && server.Unconfirmed {
			err = s.notConfirmed(server)
		}
		if err != nil {
			return oauth.Target{}, err
		}
		d, err := s.Expand(server.Definition, server.ID)
		return SignInTarget(server.ID, d), err
	}
	d, err := s.withSecrets(*wish.Definition, wish.From)
	if err != nil {
		return oauth.Target{}, err
	}
	check, err := s.checked(d, wish.Server)
	if err != nil {
		return oauth.Target{}, err
	}
	d, err = s.Expand(d, check.ID, wish.Server, wish.From)
	return SignInTarget(check.ID, d), err
}

// SignsInAt is what people call the place where a server signs in: its provider, else the host that it is reached at.
func (v View) SignsInAt() string {
	if v.Auth != nil && v.Auth.Provider != "" {
		return v.Auth.Provider
	}
	if u, err := url.Parse(v.URL); err == nil && u.Host != "" {
		return u.Host
	}
	return v.Name
}
