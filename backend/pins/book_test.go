package pins_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
)

func TestTheFirstListIsAccepted(t *testing.T) {
	d := newDesk(t)
	a, b := told("a", "first"), told("b", "first")
	d.list()
	d.free(a, b)
	d.list(a, b)
	d.free(a, b)
	d.start()
	d.free(a, b)
	if w := d.waiting(); len(w) > 0 {
		t.Errorf("asked about %v", w)
	}
}

func TestAChangeIsHeldUntilAPersonAcceptsIt(t *testing.T) {
	d := newDesk(t)
	a, changed := told("a", "first"), told("a", "second")
	d.list(a)
	d.list(changed)
	r := d.held(changed)
	if r.ExpiresAt != nil || r.Kind != domain.DefinitionRequest || r.DefinitionDigest != changed.Digest() {
		t.Errorf("the request is %+v", r)
	}
	var change domain.DefinitionChange
	if err := json.Unmarshal(r.Params, &change); err != nil {
		t.Fatal(err)
	}
	if change.Before == nil || change.Before.Description != "first" || change.After.Description != "second" || len(change.Ended) != 1 {
		t.Errorf("it shows %+v", change)
	}
	if !slices.Equal(d.ended, []string{"a"}) {
		t.Errorf("the approvals of %v ended", d.ended)
	}
	d.list(changed) // again, and after a restart: it is asked once
	d.start()
	d.list(changed)
	if again := d.held(changed); again.ID != r.ID || len(d.waiting()) != 1 {
		t.Errorf("request %s became %s of %v", r.ID, again.ID, d.waiting())
	}
	d.settle(d.answer(r.ID, true))
	d.free(changed)
	if held, _ := d.book.Held(acme, "a", a.Digest()); !held {
		t.Error("what was accepted before counts still")
	}
	d.start()
	d.free(changed)
}

func TestAnAnswerGivenBeforeACrashCounts(t *testing.T) {
	d := newDesk(t)
	d.list(told("a", "first"))
	changed := told("a", "second")
	d.list(changed)
	r := d.held(changed)
	d.answer(r.ID, true) // and the process ends before anything else
	d.start()
	d.free(changed)
	if r, err := d.inbox.Get(r.ID); err != nil || r.Open() {
		t.Errorf("the request is %+v, %v", r, err)
	}
	third := told("a", "third")
	d.list(third)
	d.held(third)
	d.start() // the old answer is not used twice
	d.held(third)
}

func TestWhatIsKeptBlockedIsAskedAboutNoMoreButCanBeReviewed(t *testing.T) {
	d := newDesk(t)
	d.list(told("a", "first"))
	changed := told("a", "second")
	d.list(changed)
	d.settle(d.answer(d.held(changed).ID, false))
	for range 2 {
		d.list(changed)
		if held, id := d.book.Held(acme, "a", changed.Digest()); !held || id != "" {
			t.Fatalf("held: %t, by %q", held, id)
		}
		d.start()
	}
	id, err := d.book.Review(acme, "1.0", changed)
	if err != nil || d.held(changed).ID != id {
		t.Fatalf("review gave %s, %v", id, err)
	}
	d.settle(d.answer(id, true))
	d.free(changed)
	if _, err := d.book.Review(acme, "1.0", changed); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("reviewed again: %v", err)
	}
}

func TestAQuestionThatIsOverLapses(t *testing.T) {
	d := newDesk(t)
	first, second, third := told("a", "first"), told("a", "second"), told("a", "third")
	d.list(first)
	d.list(second)
	r := d.held(second)
	d.list(third)
	if next := d.held(third); next.ID == r.ID || d.status(r.ID) != domain.RequestLapsed {
		t.Errorf("request %s is %s, then %s", r.ID, d.status(r.ID), next.ID)
	}
	r = d.held(third)
	d.list(first)
	d.free(first)
	if d.status(r.ID) != domain.RequestLapsed || len(d.waiting()) > 0 {
		t.Errorf("back to what it was, the request is %s", d.status(r.ID))
	}
	d.list(second)
	r = d.held(second)
	d.list(told("b", "other"))
	if d.status(r.ID) != domain.RequestLapsed {
		t.Errorf("the tool is gone, and the request is %s", d.status(r.ID))
	}
	if _, err := d.inbox.Answer(r.ID, domain.Answer{Approve: true}); domain.CodeOf(err) != domain.CodeApprovalExpired {
		t.Errorf("answered all the same: %v", err)
	}
}

func TestAddedRenamedAndReturnedTools(t *testing.T) {
	d := newDesk(t)
	a, renamed := told("a", "words"), told("renamed", "words")
	d.list(a)
	d.list(renamed)
	r := d.held(renamed)
	var change domain.DefinitionChange
	if err := json.Unmarshal(r.Params, &change); err != nil || change.Before != nil {
		t.Errorf("it shows %+v, %v", change, err)
	}
	d.list(a)
	d.free(a) // as it was
	d.list()
	back := told("a", "came back another")
	d.list(back)
	d.held(back)

	trusted := acme
	trusted.ID, trusted.DefaultVerdict = "trusted", domain.Allow
	mine := func(tool domain.Tool) domain.Tool { tool.Server = "trusted"; return tool }
	d.listFor(trusted, mine(a))
	d.listFor(trusted, mine(a), mine(renamed))
	if held, _ := d.book.Held(trusted, "renamed", renamed.Digest()); held {
		t.Error("a tool that was added is held, though nothing is asked for that server")
	}
	d.listFor(trusted, mine(told("a", "other")), mine(renamed))
	if held, id := d.book.Held(trusted, "a", told("a", "other").Digest()); !held || id == "" {
		t.Error("a tool that changed is not held")
	}
}

func TestOnlyTheMeaningOfADefinitionCounts(t *testing.T) {
	d := newDesk(t)
	a := told("a", "words")
	d.list(a)
	a.InputSchema = json.RawMessage("{\"properties\": {\"b\":{\"type\":\"number\"},\n\"a\":{\"type\":\"string\"}}, \"type\":\"object\"}")
	d.list(a)
	d.free(a)
	for _, change := range []func(*domain.Tool){
		func(t *domain.Tool) { t.Title = "A" },
		func(t *domain.Tool) { t.Description = "w\u200bords" },
		func(t *domain.Tool) { t.InputSchema = json.RawMessage(`{"type":"object","x-unknown":1}`) },
		func(t *domain.Tool) { t.OutputSchema = json.RawMessage(`{"type":"object"}`) },
		func(t *domain.Tool) { t.Raw = json.RawMessage(`{"annotations":{"readOnlyHint":false}}`) },
	} {
		other := a
		change(&other)
		d.list(other)
		d.held(other)
	}
}

func TestAnotherSchemeOfDigestsHoldsNothing(t *testing.T) {
	d := newDesk(t)
	a := told("a", "words")
	d.list(a)
	kept, _, err := d.store.Pins("acme")
	if err != nil {
		t.Fatal(err)
	}
	kept[0].Scheme, kept[0].Digest = domain.DigestScheme-1, "of another scheme"
	if err := d.store.SavePins("acme", kept); err != nil {
		t.Fatal(err)
	}
	d.start()
	d.free(a)
	other := told("a", "others")
	d.list(other)
	d.held(other)
}

func TestAServerThatIsAddedAnewBeginsAnew(t *testing.T) {
	d := newDesk(t)
	old, tested := told("a", "old"), told("a", "tested")
	d.list(old)
	d.list(tested)
	r := d.held(tested)
	if err := d.book.Begin("acme", "2.0", []domain.Tool{tested}); err != nil {
		t.Fatal(err)
	}
	d.free(tested)
	if d.status(r.ID) != domain.RequestLapsed {
		t.Errorf("the old request is %s", d.status(r.ID))
	}
	d.list(old)
	d.held(old)
	if err := d.book.Forget("acme"); err != nil {
		t.Fatal(err)
	}
	d.free(old)
	d.list(old)
	d.start()
	d.free(old)
}

func TestAFloodOfToolsIsHeldWithoutAFloodOfQuestions(t *testing.T) {
	d := newDesk(t)
	d.list(told("a", "words"))
	tools := []domain.Tool{told("a", "words")}
	for i := range 120 {
		tools = append(tools, told("new_"+string(rune('a'+i%26))+string(rune('a'+i/26)), "words"))
	}
	d.list(tools...)
	for _, tool := range tools[1:] {
		if held, _ := d.book.Held(acme, tool.Name, tool.Digest()); !held {
			t.Fatalf("%s is not held", tool.Name)
		}
	}
	if n := len(d.waiting()); n == 0 || n > 50 {
		t.Errorf("%d requests wait", n)
	}
}

func TestALongDefinitionIsKeptInPart(t *testing.T) {
	d := newDesk(t)
	d.list(told("a", "words"))
	long := told("a", string(make([]byte, 1<<20)))
	d.list(long)
	r := d.held(long)
	if len(r.Params) > 2<<20 {
		t.Errorf("the request holds %d bytes", len(r.Params))
	}
	d.settle(d.answer(r.ID, true))
	d.free(long)
	d.start()
	d.free(long)
}

func TestWhatCannotBeReadIsHeld(t *testing.T) {
	book := pins.NewBook(pins.Options{Records: brokenRecords{}, Logger: slog.New(slog.DiscardHandler)})
	if held, _ := book.Held(acme, "a", "x"); !held {
		t.Error("it is not held")
	}
}

type brokenRecords struct{ pins.Records }

func (brokenRecords) Pins(string) ([]domain.Pin, bool, error) {
	return nil, false, errors.New("broken")
}
