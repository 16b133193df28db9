package human

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
)

func askForPage(t *testing.T, h *Human, again bool) string {
	t.Helper()
	call := domain.Call{ID: "c1", Kind: domain.ToolCall, Name: "book", Wait: -1}
	raw, failure := h.Answer(t.Context(), session.Question{
		Server: "one", Method: session.MethodElicitation, Params: []byte(address), Call: &call, Again: again,
	})
	if failure != nil {
		t.Fatal(failure)
	}
	return string(raw)
}

func TestAPageIsShownAsItIs(t *testing.T) {
	o := newOffice(t, yes(""))
	h := o.human(nil)
	if got := askForPage(t, h, false); got != `{"action":"accept"}` {
		t.Errorf("the server hears %s", got)
	}
	r := o.parked[0]
	if r.Kind != domain.ElicitationURLRequest || r.Tool != "book" || r.Address == nil || r.Address.Host != "pay.example" || r.Address.Opened {
		t.Fatalf("asked %+v", r)
	}
	if len(r.Address.Signs) != 1 || r.Address.Signs[0].Args["site"] != "one.example" {
		t.Errorf("signs %+v", r.Address.Signs)
	}
}

func TestTheWordOfTheServerIsNotedOnThePage(t *testing.T) {
	o := newOffice(t, yes(""))
	h := o.human(nil)
	askForPage(t, h, false)
	completed := func() bool {
		r, err := o.Get(o.parked[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		return r.CompletedAt != nil
	}
	h.Completed("one", "e2")
	h.Completed("two", "e1")
	h.Completed("one", "")
	if completed() {
		t.Error("the page of another is taken for this one")
	}
	h.Completed("one", "e1")
	h.Completed("one", "e1")
	if !completed() {
		t.Error("the word of the server is lost")
	}
}

func TestAWordThatComesWhileThePageIsOpenedIsNotLost(t *testing.T) {
	o := newOffice(t, yes(""))
	h := o.human(nil)
	o.answer = func(domain.Request) *domain.Answer {
		h.Completed("one", "e1")
		return yes("")
	}
	askForPage(t, h, false)
	if r, err := o.Get(o.parked[0].ID); err != nil || r.CompletedAt == nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestACallGoesOnOnceItsPageIsDoneWith(t *testing.T) {
	for name, test := range map[string]struct {
		second func(h *Human) *domain.Answer
		by     domain.CallerKind
		want   string
	}{
		"as the server says":    {func(h *Human) *domain.Answer { h.Completed("one", "e1"); return nil }, domain.CallerServer, "accept"},
		"as the person says":    {func(*Human) *domain.Answer { return yes("") }, "", "accept"},
		"unless it is given up": {func(*Human) *domain.Answer { return &domain.Answer{Cancel: true} }, "", "cancel"},
	} {
		o := newOffice(t, nil)
		h := o.human(nil)
		o.answer = func(r domain.Request) *domain.Answer {
			if !r.Address.Opened {
				return yes("")
			}
			return test.second(h)
		}
		if got := askForPage(t, h, true); got != `{"action":"`+test.want+`"}` {
			t.Errorf("%s: the answer is %s", name, got)
		}
		if len(o.parked) != 2 || o.parked[0].Address.Opened || !o.parked[1].Address.Opened {
			t.Fatalf("%s: asked %+v", name, o.parked)
		}
		if r, err := o.Get(o.parked[1].ID); err != nil || r.Answer == nil || r.Answer.By.Kind != test.by {
			t.Errorf("%s: answered by %+v, %v", name, r.Answer, err)
		}
	}
}

// A server of the stateless revision asks for the same page until it is done with.
func TestAPageThatIsAskedForAgainIsKnown(t *testing.T) {
	o := newOffice(t, yes(""))
	h := o.human(nil)
	for range 2 {
		askForPage(t, h, false)
	}
	o.answer = func(domain.Request) *domain.Answer { return &domain.Answer{} }
	other := o.human(nil)
	askForPage(t, other, false) // declined: it was not opened
	askForPage(t, other, false)
	for i, want := range []bool{false, true, false, false} {
		if o.parked[i].Address.Opened != want {
			t.Errorf("request %d counts as opened before: %t", i, !want)
		}
	}
}

func TestOldPagesAreForgotten(t *testing.T) {
	var p pages
	first := p.begin(session.Question{Server: "one"}, "e1", "https://one.example")
	p.opened(first, "1")
	for range maxPages {
		p.begin(session.Question{Server: "one"}, "other", "https://one.example")
	}
	if got := p.finish("one", "e1"); got != "" || len(p.list) != maxPages {
		t.Errorf("request %q of %d pages", got, len(p.list))
	}
}
