package core

import (
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/toolbox"
)

// Requests counts the requests under way at the door.
func (c *Core) Requests() int64 { return c.listener.active.Load() }

// Record writes an entry into the journal.
func (c *Core) Record(e audit.Entry) error { return c.record(e) }

// Toolbox is what agents use.
func (c *Core) Toolbox() *toolbox.Toolbox { return c.toolbox }
