package store

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

func waiting(server string) domain.Request {
	return domain.Request{Kind: domain.ToolRequest, Status: domain.RequestWaiting, Server: server, Tool: "write"}
}

func end(status domain.RequestStatus) func(*domain.Request) error {
	return func(r *domain.Request) error { r.Status = status; return nil }
}

func ids(requests []domain.Request) []string {
	var found []string
	for _, r := range requests {
		found = append(found, r.ID)
	}
	return found
}

func TestRequestsAreFoundByState(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	noon := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for n, server := range []string{"a", "b", "a", "b", "a"} {
		r := waiting(server)
		r.CreatedAt = noon.Add(time.Duration(n) * time.Minute)
		_, err := s.CreateRequest(r)
		must(t, err)
	}
	_, err := s.UpdateRequest("2", end(domain.RequestDenied))
	must(t, err)
	_, err = s.UpdateRequest("3", end(domain.RequestApproved)) // not used: a pass
	must(t, err)
	_, err = s.UpdateRequest("4", func(r *domain.Request) error {
		r.Status, r.UsedAt = domain.RequestApproved, new(time.Time)
		return nil
	})
	must(t, err)

	cases := map[string]struct {
		want domain.RequestFilter
		ids  []string
	}{
		"all":       {domain.RequestFilter{}, []string{"5", "4", "3", "2", "1"}},
		"limit":     {domain.RequestFilter{Limit: 2}, []string{"5", "4"}},
		"waiting":   {domain.RequestFilter{Status: domain.RequestWaiting}, []string{"5", "1"}},
		"open":      {domain.RequestFilter{Open: true}, []string{"5", "3", "1"}},
		"passes":    {domain.RequestFilter{Open: true, Status: domain.RequestApproved}, []string{"3"}},
		"denied":    {domain.RequestFilter{Status: domain.RequestDenied}, []string{"2"}},
		"since":     {domain.RequestFilter{Since: noon.Add(2 * time.Minute)}, []string{"5", "4", "3"}},
		"of server": {domain.RequestFilter{Server: "b"}, []string{"4", "2"}},
		"none":      {domain.RequestFilter{Server: "c"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := s.Requests(c.want)
			must(t, err)
			if diff := cmp.Diff(c.ids, ids(got)); diff != "" {
				t.Errorf("IDs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUpdateRequestThatFailsWritesNothing(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	created, err := s.CreateRequest(waiting("a"))
	must(t, err)
	refused := errors.New("refused")
	got, err := s.UpdateRequest(created.ID, func(r *domain.Request) error {
		r.Status = domain.RequestApproved
		return refused
	})
	if !errors.Is(err, refused) || got.Status != domain.RequestWaiting {
		t.Errorf("update gives %s, %v; want the request as it was and the refusal", got.Status, err)
	}
	got, err = s.Request(created.ID)
	must(t, err)
	if diff := cmp.Diff(created, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	for _, id := range []string{"2", "01", "", "x"} {
		_, err := s.Request(id)
		wantCode(t, err, domain.CodeUnknownRequest)
		_, err = s.UpdateRequest(id, end(domain.RequestDenied))
		wantCode(t, err, domain.CodeUnknownRequest)
	}
}

func TestOneOfManyUpdatesIsFirst(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	created, err := s.CreateRequest(waiting("a"))
	must(t, err)
	var mu sync.Mutex
	var winners []string
	var racers sync.WaitGroup
	for i := range 8 {
		racers.Go(func() {
			name := fmt.Sprint(i)
			_, err := s.UpdateRequest(created.ID, func(r *domain.Request) error {
				if r.Status != domain.RequestWaiting {
					return errors.New("late")
				}
				r.Status, r.Answer = domain.RequestApproved, &domain.Answer{By: domain.Caller{Name: name}}
				return nil
			})
			if err == nil {
				mu.Lock()
				winners = append(winners, name)
				mu.Unlock()
			}
		})
	}
	racers.Wait()
	got, err := s.Request(created.ID)
	must(t, err)
	if len(winners) != 1 || got.Answer.By.Name != winners[0] {
		t.Errorf("winners are %v, the record says %s", winners, got.Answer.By.Name)
	}
}
