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
