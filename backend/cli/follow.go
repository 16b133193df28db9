package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// follow calls fetch at first and after each event that concerns it, until ctx ends or the owner does. Listening
// starts before the first fetch, so that nothing falls between.
func (c *client) follow(ctx context.Context, concerns func(domain.Event) bool, fetch func() error) error {
	response, err := c.do(ctx, http.MethodGet, "/api/events", nil)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if err := fetch(); err != nil {
		return err
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		event, ok := eventIn(lines.Text())
		if !ok || !concerns(event) {
			continue
		}
		if err := fetch(); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return nil // the person has seen enough
	}
	return lost(ctx, lines.Err())
}

// eventIn reads one line of the event stream; comments and blank lines hold none.
func eventIn(line string) (event domain.Event, ok bool) {
	data, ok := strings.CutPrefix(line, "data: ")
	return event, ok && json.Unmarshal([]byte(data), &event) == nil
}

// about concerns itself with one item of a topic; an event without an item is about all of them.
func about(topic domain.Topic, id string) func(domain.Event) bool {
	return func(e domain.Event) bool { return e.Topic == topic && (e.ID == "" || id == "" || e.ID == id) }
}
