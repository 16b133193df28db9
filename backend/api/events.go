package api

import (
	"encoding/json"
	"net/http"
	"time"
)

// heartbeat keeps proxies and browsers from closing a quiet stream.
const heartbeat = 20 * time.Second

// streamEvents tells a browser what changed, as Server-Sent Events. The window gets the same events from Wails.
func (a *API) streamEvents(w http.ResponseWriter, r *http.Request) {
	controller := http.NewResponseController(w)
	events, cancel := a.Hub.Subscribe()
	defer cancel()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	if controller.Flush() != nil {
		return // behind a window, which has its own way to hear events
	}
	ticker := time.NewTicker(heartbeat)
	defer ticker.Stop()
	for {
		var line []byte
		select {
		case <-r.Context().Done():
			return
		case <-ticker.C:
			line = []byte(": still here\n\n")
		case event, ok := <-events:
			if !ok {
				return
			}
			line = eventLine(event)
		}
		if _, err := w.Write(line); err != nil || controller.Flush() != nil {
			return
		}
	}
}

func eventLine(event any) []byte {
	data, err := json.Marshal(event)
	if err != nil {
		return nil
	}
	return append(append([]byte("data: "), data...), "\n\n"...)
}
