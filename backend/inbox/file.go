package inbox

import "apollia.fr/connexions/backend/domain"

// File keeps r as waiting without anybody who stays for the answer. Where the same thing waits already, it gives that.
func (i *Inbox) File(r domain.Request) (domain.Request, error) {
	i.mu.Lock()
	filed, err := i.join(r)
	i.mu.Unlock()
	if err == nil {
		i.tell(filed)
	}
	return filed, err
}

// Lapse ends a request whose question is over. One that was answered first stays as it is.
func (i *Inbox) Lapse(id string) error { return i.lapse(id) }

// Spend marks an approval as used, once what it allows is done.
func (i *Inbox) Spend(id string) error {
	now := i.options.Now()
	return i.changeIf(id, func(r *domain.Request) bool {
		unused := r.Status == domain.RequestApproved && r.UsedAt == nil
		if unused {
			r.UsedAt = &now
		}
		return unused
	})
}
