package core_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/owner"
)

func TestThoseWhoWaitAreAnsweredWhenTheOwnerEnds(t *testing.T) {
	o := options(t, core.Serve)
	c, err := core.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Listen(t.Context(), c.Address("")); err != nil {
		t.Fatal(err)
	}
	instance, err := owner.Find(o.Home)
	if err != nil {
		t.Fatal(err)
	}
	signed := func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+instance.Token) }
	ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{
		Definition: mcptest.Command(mcptest.Options{Name: "fake"}), SkipTest: true,
	})
	call := echo(t, c, "hello")
	silent := mcptest.Command(mcptest.Options{Name: "silent", Behave: []mcptest.Behaviour{mcptest.Silent}})
	test := decode[domain.TestReport](t, ask(t, window(c), http.MethodPost, "/api/tests", api.TestRequest{Definition: &silent}))

	answers := make(chan string, 3)
	for _, path := range []string{"/api/events", "/api/calls/" + call.ID + "?wait_ms=60000", "/api/tests/" + test.ID + "?wait_ms=60000"} {
		go func() {
			_, text := get(t, stranger(), c.URL()+path, signed)
			answers <- text
		}()
	}
	arrived(t, c, 3)
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := 0
	for range 3 {
		var told struct {
			Status  api.CallStatus
			Running *bool
			Error   *domain.Error
		}
		if json.Unmarshal([]byte(<-answers), &told) == nil && told.Error != nil && (told.Status == api.CallDone || told.Running != nil && !*told.Running) {
			ended++
		}
	}
	if ended != 2 {
		t.Errorf("%d of the call and the test were told how they ended", ended)
	}
}

// arrived returns when the owner has that many requests in hand.
func arrived(t *testing.T, c *core.Core, want int64) {
	t.Helper()
	limit := time.After(time.Minute)
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for c.Requests() < want {
		select {
		case <-look.C:
		case <-limit:
			t.Fatal("waited a minute")
		}
	}
}
