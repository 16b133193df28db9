package model

import (
	"context"
	"errors"
	"slices"

	"apollia.fr/connexions/backend/domain"
)

// maxListed is how many models are named.
const maxListed = 500

// KeyVerdict is what a check found of the key.
type KeyVerdict string

// KeyNotNeeded says that the endpoint answers without one; KeyUnknown that it could not be found out.
const (
	KeyAccepted  KeyVerdict = "accepted"
	KeyRefused   KeyVerdict = "refused"
	KeyMissing   KeyVerdict = "missing"
	KeyNotNeeded KeyVerdict = "not_needed"
	KeyUnknown   KeyVerdict = "unknown"
)

// Readiness is what a check found.
type Readiness struct {
	// OK says that a text can be asked for.
	OK      bool   `json:"ok"`
	Address string `json:"address,omitempty"`
	Model   string `json:"model,omitempty"`
	// Reachable says that something answered at the address.
	Reachable  bool       `json:"reachable"`
	Key        KeyVerdict `json:"key" enum:"accepted,refused,missing,not_needed,unknown"`
	ModelKnown bool       `json:"model_known"`
	// Models are those that the endpoint lists, at most 500; none when it lists none.
	Models []string `json:"models"`
	// MS is how long the first answer took, in milliseconds.
	MS int64 `json:"ms"`
	// Error says what is wrong first, and what to do.
	Error *domain.Error `json:"error,omitempty"`
}

// Check tries the connection: it lists the models, and asks for one token where the endpoint lists none or would list
// them to anybody. It fails only when ctx ends.
func (c *Client) Check(ctx context.Context) (Readiness, error) {
	r := Readiness{Key: KeyUnknown, Models: []string{}}
	err := c.check(ctx, &r)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	r.Error, r.OK = domain.AsError(err), err == nil
	if refusal, ok := errors.AsType[*refusal](err); ok && refusal.status/100 == 4 {
		switch r.Error.Args["reason"] {
		case reasonKeyRefused:
			r.Key = KeyRefused
		case reasonKeyNeeded, reasonKeyElsewhere:
			r.Key = KeyMissing
		}
	}
	return r, nil
}

func (c *Client) check(ctx context.Context, r *Readiness) error {
	line, err := c.open()
	if err != nil {
		return err
	}
	defer line.close()
	r.Address, r.Model = line.place.address(), line.place.name
	start := c.options.Now()
	listed, err := c.list(ctx, line)
	r.MS = c.options.Now().Sub(start).Milliseconds()
	r.Reachable = err == nil || domain.CodeOf(err) == domain.CodeModelRefused
	isListed := err == nil
	if err != nil && !listsNone(err) {
		return err
	}
	r.Models = append(r.Models, listed[:min(len(listed), maxListed)]...)
	if line.place.name == "" {
		return notSet(reasonNoName)
	}
	if isListed && !lists(listed, line.place.name) {
		return line.place.refuse(reasonUnknown, "it does not list the model "+line.place.name)
	}
	if isListed && line.gate.key == "" {
		r.Key, r.ModelKnown = KeyNotNeeded, true
		return nil
	}
	if isListed && c.isGuarded(ctx, line) {
		r.Key, r.ModelKnown = KeyAccepted, true
		return nil
	}
	if err := c.oneToken(ctx, line); err != nil {
		return err
	}
	r.ModelKnown, r.Key = true, KeyAccepted
	if line.gate.key == "" {
		r.Key = KeyNotNeeded
	}
	return nil
}

// listsNone holds for an endpoint that answers and has no list of models, at least not for a key that may only ask for texts.
func listsNone(err error) bool {
	refusal, ok := errors.AsType[*refusal](err)
	return ok && slices.Contains([]int{403, 404, 405, 501}, refusal.status)
}

// isGuarded finds out whether the list wants a key: one that is for everybody proves nothing of ours.
func (c *Client) isGuarded(ctx context.Context, line *line) bool {
	_, err := c.list(ctx, line.withoutKey())
	refusal, ok := errors.AsType[*refusal](err)
	return ok && (refusal.status == 401 || refusal.status == 403)
}

func (c *Client) oneToken(ctx context.Context, line *line) error {
	answer, err := c.complete(ctx, line, chatRequest{
		Model: line.place.name, MaxTokens: new(int64(1)), Messages: []chatMessage{{Role: "user", Content: "Hi"}},
	})
	if err != nil {
		return err
	}
	_, err = resultOf(answer, nil, toolNames{})
	if err != nil {
		return line.badAnswer(err)
	}
	return nil
}

// lists looks for a model. Ollama takes a name without its tag for the one with the tag latest.
func lists(models []string, name string) bool {
	return slices.Contains(models, name) || slices.Contains(models, name+":latest")
}
