package inbox

import "apollia.fr/connexions/backend/domain"

// keptOf is the record of a request: what nobody needs any more is not in it. What a person filled in goes to whoever waits
// for it, may be anything, and could not be had by anybody once this process has ended. The address of a page may be a
// pass to something; it is kept while the page waits or can be opened again.
func keptOf(r domain.Request) domain.Request {
	if r.Answer != nil && r.Answer.Data != nil {
		answer := *r.Answer
		answer.Data = nil
		r.Answer = &answer
	}
	if r.Kind != domain.ElicitationURLRequest || r.Address == nil {
		return r
	}
	// One that was opened before is answered once the person is done there.
	again := r.Status == domain.RequestApproved && r.CompletedAt == nil && !r.Address.Opened
	if r.Status != domain.RequestWaiting && !again {
		r.Params = nil
		r.Address = &domain.Address{Before: r.Address.Before, Host: r.Address.Host, Shown: r.Address.Shown, Signs: []domain.AddressFinding{}}
	}
	return r
}
