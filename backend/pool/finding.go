package pool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
)

// finding is what listing a server came to.
type finding struct {
	offer session.Offer
	// warnings are about what could still be used.
	warnings []*domain.Error
	// broken are the lists that could not be had, by the capability that announces them; the others still count.
	broken map[string]*domain.Error
	// mute is why a server was not asked for the lists of unasked: each would have cost the same time again.
	mute    error
	unasked map[string]bool
	// lacks is why a call was refused for want of rights; nil when none was.
	lacks *domain.Error
}

// survey lists everything the server announces. It fails only when the server can no longer be asked.
func (o opening) survey(ctx context.Context, s *live) (finding, error) {
	f := finding{offer: session.Offer{Tools: []domain.Tool{}, Resources: []domain.Resource{}, Templates: []domain.Resource{}, Prompts: []domain.Prompt{}}}
	for _, step := range []domain.StepName{domain.StepTools, domain.StepResources, domain.StepPrompts} {
		o.hooks.begin(step)
		if !s.Greeting().Announces(string(step)) {
			f.missing(step)
			o.hooks.skip()
			continue
		}
		if err := o.surveyStep(ctx, s, step, &f); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (o opening) surveyStep(ctx context.Context, s *live, step domain.StepName, f *finding) error {
	for _, list := range session.Sections() {
		if list.Step != step {
			continue
		}
		if f.mute != nil {
			f.leave(list)
			continue
		}
		warnings, err := s.List(ctx, list, &f.offer)
		f.warnings = append(f.warnings, warnings...)
		if err == nil {
			continue
		}
		// Without a link, or before a sign-in, nothing can be asked.
		if s.link.Err() != nil || ctx.Err() != nil || o.test && step == domain.StepTools || domain.CodeOf(err).Class() == domain.SignIn {
			return err
		}
		f.breaks(list, err)
		if !o.test && domain.CodeOf(err) == domain.CodeNoAnswer {
			f.mute = err
		}
	}
	o.hooks.done(f.count(step))
	return nil
}

// breaks notes why a list could not be had; nil notes nothing.
func (f *finding) breaks(list session.Section, err error) {
	if err == nil || f.broken[list.Capability] != nil {
		return
	}
	if f.broken == nil {
		f.broken = make(map[string]*domain.Error)
	}
	f.broken[list.Capability] = domain.AsError(err)
}

// leave notes a list that a mute server is not asked for.
func (f *finding) leave(list session.Section) {
	f.breaks(list, f.mute)
	if f.unasked == nil {
		f.unasked = make(map[string]bool)
	}
	f.unasked[list.Capability] = true
}

// inOrder are the reasons of the broken lists, in the order of the lists.
func (f finding) inOrder() []*domain.Error {
	var all []*domain.Error
	for _, list := range session.Sections() {
		if why := f.broken[list.Capability]; why != nil && !slices.Contains(all, why) {
			all = append(all, why)
		}
	}
	return all
}

// all is everything there is to say: the warnings, then why lists are broken.
func (f finding) all() []*domain.Error { return append(slices.Clone(f.warnings), f.inOrder()...) }

// again is the finding after some lists were listed again.
func (f finding) again(listed map[string]bool, fresh finding) finding {
	next := finding{offer: fresh.offer, lacks: f.lacks, warnings: replaced(f.warnings, listed, fresh.warnings), broken: make(map[string]*domain.Error)}
	maps.Copy(next.broken, f.broken)
	maps.DeleteFunc(next.broken, func(capability string, _ *domain.Error) bool { return listed[capability] })
	maps.Copy(next.broken, fresh.broken)
	return next
}

// shownIn is a status with what the finding says: the server is ready only when none of its lists is broken, and no call was
// refused for want of rights, which a person can mend.
func (f finding) shownIn(status domain.Status, g session.Greeting) domain.Status {
	status.State, status.Reason = domain.StateReady, nil
	if broken := f.inOrder(); len(broken) > 0 {
		status.State, status.Reason = domain.StateDegraded, broken[0]
	}
	if f.lacks != nil {
		status.State, status.Reason = domain.StateDegraded, f.lacks
	}
	status.Warnings = bounded(f.remarks(status.Reason, g))
	return status
}

func (f *finding) missing(step domain.StepName) {
	if step != domain.StepTools {
		return
	}
	f.warnings = append(f.warnings, &domain.Error{
		Code: domain.CodeNotAnnounced, Message: "The server announces no tools.",
		Hint: "It can still be used for its resources and prompts.", Args: map[string]string{"section": "tools"},
	})
}

func (f *finding) count(step domain.StepName) string {
	switch step {
	case domain.StepTools:
		return strconv.Itoa(len(f.offer.Tools))
	case domain.StepResources:
		if len(f.offer.Templates) > 0 {
			return fmt.Sprintf("%d + %d", len(f.offer.Resources), len(f.offer.Templates))
		}
		return strconv.Itoa(len(f.offer.Resources))
	default:
		return strconv.Itoa(len(f.offer.Prompts))
	}
}
