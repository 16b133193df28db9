package inbox

import "apollia.fr/connexions/backend/domain"

// Answer ends a waiting request by a person's decision; the time of the decision is the inbox's. The first answer
// counts, later ones get CodeAlreadyAnswered, with by saying whose it was. CodeApprovalExpired when the request ended
// without an answer, CodeUnknownRequest when there never was one.
//
// An approval is spent at once when its caller waits here, or when it lasts longer than one call, so that revoking the
// standing approval leaves nothing behind. Otherwise it is a pass: see TakePass. That of a changed definition is spent
// with Spend, by whoever keeps the definition.
func (i *Inbox) Answer(id string, a domain.Answer) (domain.Request, error) {
	a.At = i.options.Now()
	if a.Approve && a.Scope == "" {
		a.Scope = domain.ScopeOnce
	}
	r, err := i.answer(id, a)
	if err != nil {
		return r, err
	}
	defer i.tell(r)
	if r.Status == domain.RequestExpired {
		return r, expiredError(r)
	}
	return r, i.options.Answered(r)
}

// answer writes what an answer makes of a request, once Answering has heard of it.
func (i *Inbox) answer(id string, a domain.Answer) (domain.Request, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	r, err := i.records.Request(id)
	switch {
	case err != nil:
		return r, err
	case r.Status != domain.RequestWaiting:
		return r, answered(r)
	case past(r.ExpiresAt, a.At):
		r.Status = domain.RequestExpired
		i.options.Ending(r)
	default:
		r = i.settled(r, a)
		if err := i.options.Answering(r); err != nil {
			return r, err
		}
	}
	return r, i.write(r)
}

// settled is what an answer makes of a request.
func (i *Inbox) settled(r domain.Request, a domain.Answer) domain.Request {
	r.Answer, r.Status = &a, domain.RequestDenied
	if !a.Approve {
		return r
	}
	r.Status = domain.RequestApproved
	if r.Kind != domain.DefinitionRequest && (len(i.seats[r.ID]) > 0 || a.Scope != domain.ScopeOnce || r.Kind != domain.ToolRequest) {
		r.UsedAt = &a.At
	}
	return r
}

// TakePass spends the oldest unused approval of a call identical to like: same caller, server, kind, name and digests of
// the definition, the start and the arguments. It reports whether there was one. A pass taken for a call that was not
// sent goes back with ReturnPass.
func (i *Inbox) TakePass(like domain.Request) (domain.Request, bool, error) {
	key := identify(like)
	for {
		r, found, err := i.takeFirst(key)
		if err != nil || !found {
			return domain.Request{}, false, err
		}
		i.tell(r)
		if r.Status == domain.RequestApproved {
			return r, true, nil
		}
	}
}

// takeFirst spends the first pass of a kind, or ends it when it is too old.
func (i *Inbox) takeFirst(key identity) (domain.Request, bool, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.passes[key]) == 0 {
		return domain.Request{}, false, nil
	}
	r, err := i.records.Request(i.passes[key][0])
	if err != nil {
		return r, false, err
	}
	now := i.options.Now()
	if past(i.deadline(r), now) {
		r.Status = domain.RequestExpired
		i.options.Ending(r)
	} else {
		r.UsedAt = &now
	}
	err = i.write(r)
	return r, err == nil, err
}

// ReturnPass makes an approval that was spent usable again, because its call was not sent. It lasts no longer for it.
func (i *Inbox) ReturnPass(id string) error {
	return i.changeIf(id, func(r *domain.Request) bool {
		once := r.Status == domain.RequestApproved && r.Kind == domain.ToolRequest && r.Answer.Scope == domain.ScopeOnce
		if once {
			r.UsedAt = nil
		}
		return once
	})
}

// Complete notes, once, that what a person did at an opened page is finished.
func (i *Inbox) Complete(id string) error {
	now := i.options.Now()
	return i.changeIf(id, func(r *domain.Request) bool {
		opened := r.Kind == domain.ElicitationURLRequest && r.Status == domain.RequestApproved && r.CompletedAt == nil
		if opened {
			r.CompletedAt = &now
		}
		return opened
	})
}
