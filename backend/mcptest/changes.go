package mcptest

import "sync"

// changes passes on what changed to every subscriber.
type changes struct {
	mu    sync.Mutex
	heard map[chan string]bool
	grown int
	told  string
}

func newChanges() *changes { return &changes{heard: make(map[chan string]bool)} }

func (c *changes) join() (<-chan string, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan string, 100)
	c.heard[ch] = true
	return ch, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.heard, ch)
	}
}

func (c *changes) tell(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for ch := range c.heard {
		ch <- what
	}
}

func (c *changes) grow() {
	c.mu.Lock()
	c.grown++
	c.mu.Unlock()
	c.tell("notifications/tools/list_changed")
}

func (c *changes) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grown
}

// retell has the tool echo described in other words.
func (c *changes) retell(words string) {
	c.mu.Lock()
	c.told = words
	c.mu.Unlock()
	c.tell("notifications/tools/list_changed")
}

// words are those that the tool echo was described in last; empty for its own.
func (c *changes) words() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told
}
