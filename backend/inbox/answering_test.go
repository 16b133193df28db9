package inbox

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

func TestAnAnswerIsHeardOfBeforeItCounts(t *testing.T) {
	var f *office
	var heard []domain.Request
	var refuse error
	f = newOffice(t, Options{Answering: func(r domain.Request) error {
		if kept, err := f.store.Request(r.ID); err != nil || kept.Status != domain.RequestWaiting {
			t.Errorf("when the answer is heard of, the record is %q (%v), want it to wait", kept.Status, err)
		}
		heard = append(heard, r)
		return refuse
	}})
	seat, err := f.Park(aCall())
	must(t, err)
	id := seat.Request.ID
	refuse = errors.New("disk full")
	if _, err := f.Answer(id, approve("")); !errors.Is(err, refuse) {
		t.Errorf("the answer came to %v, want %v", err, refuse)
	}
	wantStatus(t, f, id, domain.RequestWaiting)
	refuse = nil
	_, err = f.Answer(id, approve(domain.ScopeAlways))
	must(t, err)
	if len(heard) != 2 || heard[1].Status != domain.RequestApproved || heard[1].Answer.Scope != domain.ScopeAlways {
		t.Errorf("heard of %+v, want both answers", heard)
	}
	_, err = f.Answer(id, approve(""))
	wantCode(t, err, domain.CodeAlreadyAnswered)
	if len(heard) != 2 {
		t.Error("an answer that came too late was heard of")
	}
	if got, err := seat.Wait(t.Context(), 0); err != nil || got.Answer.Scope != domain.ScopeAlways {
		t.Errorf("whoever waits got %+v, %v", got.Answer, err)
	}
}

func TestDataOfAnAnswerIsNotKept(t *testing.T) {
	f := newOffice(t, Options{})
	seat, err := f.Park(domain.Request{Kind: domain.ElicitationFormRequest, Server: "files"})
	must(t, err)
	answer := approve("")
	answer.Data = []byte(`{"pin":"1234"}`)
	_, err = f.Answer(seat.Request.ID, answer)
	must(t, err)
	if got, err := seat.Wait(t.Context(), -1); err != nil || string(got.Answer.Data) != string(answer.Data) {
		t.Errorf("whoever waits got %+v (%v), want the data", got.Answer, err)
	}
	if kept := wantStatus(t, f, seat.Request.ID, domain.RequestApproved); kept.Answer.Data != nil {
		t.Errorf("the record keeps %s", kept.Answer.Data)
	}
}

func TestTheAddressOfAPageIsKeptWhileItCanBeOpened(t *testing.T) {
	page := domain.Request{
		Kind: domain.ElicitationURLRequest, Server: "files", Params: []byte(`{"url":"https://pay.example/?once=s3cret"}`),
		Address: &domain.Address{URL: "https://pay.example/?once=s3cret", Before: "https://", Host: "pay.example", After: "/?once=s3cret"},
	}
	for name, end := range map[string]func(f *office, id string) error{
		"opened": func(f *office, id string) error { _, err := f.Answer(id, approve("")); return err },
		"done with": func(f *office, id string) error {
			if _, err := f.Answer(id, approve("")); err != nil {
				return err
			}
			return f.Complete(id)
		},
		"answered once more": func(f *office, id string) error {
			_, err := f.store.UpdateRequest(id, func(r *domain.Request) error { r.Address.Opened = true; return nil })
			if err == nil {
				_, err = f.Answer(id, approve(""))
			}
			return err
		},
		"declined": func(f *office, id string) error { _, err := f.Answer(id, domain.Answer{}); return err },
		"lapsed":   func(f *office, id string) error { return f.Lapse(id) },
	} {
		f := newOffice(t, Options{})
		seat, err := f.Park(page)
		must(t, err)
		if r, err := f.Get(seat.Request.ID); err != nil || r.Address.URL == "" {
			t.Errorf("%s: while it waits, the record is %+v, %v", name, r, err)
		}
		must(t, end(f, seat.Request.ID))
		r, err := f.Get(seat.Request.ID)
		must(t, err)
		kept := r.Address.URL != "" && r.Params != nil
		if kept != (name == "opened") || r.Address.Host != "pay.example" {
			t.Errorf("%s: the record is %+v of %+v", name, r, r.Address)
		}
	}
}

func TestAnEndWithoutAnAnswerIsHeardOfBeforeItCounts(t *testing.T) {
	var f *office
	heard := map[string]domain.RequestStatus{}
	f = newOffice(t, Options{Expiry: func() time.Duration { return time.Hour }, Ending: func(r domain.Request) {
		if kept, err := f.store.Request(r.ID); err != nil || !kept.Open() {
			t.Errorf("when the end of %s is heard of, the record is %q (%v)", r.ID, kept.Status, err)
		}
		if heard[r.ID] != "" {
			t.Errorf("the end of %s is heard of twice", r.ID)
		}
		heard[r.ID] = r.Status
	}})
	late, unused, taken, form := aCall(), aCall(), aCall(), domain.Request{Kind: domain.ElicitationFormRequest, Server: "files"}
	late.Tool, unused.Tool, taken.Tool = "late", "unused", "taken"
	ids := []string{park(t, f, late), park(t, f, unused), park(t, f, taken)}
	for _, id := range ids[1:] {
		_, err := f.Answer(id, approve(""))
		must(t, err)
	}
	if _, ok, err := f.TakePass(taken); !ok || err != nil {
		t.Errorf("the pass is gone: %v", err)
	}
	seat, err := f.Park(form)
	must(t, err)
	must(t, f.Lapse(seat.Request.ID))
	must(t, f.Lapse(seat.Request.ID))
	must(t, f.Lapse(ids[2]))
	f.pass(time.Hour)
	_, err = f.Answer(ids[0], approve(""))
	wantCode(t, err, domain.CodeApprovalExpired)
	if _, ok, err := f.TakePass(unused); ok || err != nil {
		t.Errorf("an old pass is taken: %v", err)
	}
	want := map[string]domain.RequestStatus{
		ids[0]: domain.RequestExpired, ids[1]: domain.RequestExpired, seat.Request.ID: domain.RequestLapsed,
	}
	if diff := cmp.Diff(want, heard); diff != "" {
		t.Errorf("ends that were heard of (-want +got):\n%s", diff)
	}
}
