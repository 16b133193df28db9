package core

import (
	"errors"

	"apollia.fr/connexions/backend/domain"
)

// stopCalls ends all calls and holds new ones, over restarts too. It happens though it cannot be kept, on a full disk say:
// the error then tells that it ends with this process.
func (c *Core) stopCalls(by domain.Caller) (domain.Halt, error) {
	halt := c.brake.Stop(by, c.options.Now())
	c.human.Stop()
	err := errors.Join(c.store.SetHalt(halt), c.endTexts(by))
	c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	return halt, err
}

// resumeCalls lets calls go on.
func (c *Core) resumeCalls() error {
	if err := c.store.EndHalt(); err != nil {
		return err
	}
	c.brake.Resume()
	c.hub.Publish(domain.Event{Topic: domain.TopicStatus})
	return nil
}
