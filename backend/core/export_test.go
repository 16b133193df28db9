package core

// Requests counts the requests under way at the door.
func (c *Core) Requests() int64 { return c.listener.active.Load() }
