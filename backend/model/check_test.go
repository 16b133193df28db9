package model

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"apollia.fr/connexions/backend/domain"
)

func TestCheckSaysWhatItFound(t *testing.T) {
	const wrong = "sk-wrong-0123456789"
	for _, tt := range []struct {
		name  string
		setUp func(*endpoint)
		key   string
		model string
		want  Readiness // OK, Reachable, Key, ModelKnown
		code  domain.Code
		why   string
		asks  int // chat completions
	}{
		{"Ollama, without a key", nil, "", theModel, Readiness{OK: true, Reachable: true, Key: KeyNotNeeded, ModelKnown: true}, "", "", 0},
		{
			"a list that wants the key", func(e *endpoint) { e.key = theKey }, theKey, theModel,
			Readiness{OK: true, Reachable: true, Key: KeyAccepted, ModelKnown: true},
			"", "", 0,
		},
		{
			"a list for everybody proves no key", func(e *endpoint) { e.key, e.listsToAll = theKey, true }, wrong, theModel,
			Readiness{Reachable: true, Key: KeyRefused},
			domain.CodeModelRefused, reasonKeyRefused, 1,
		},
		{
			"a list for everybody, and a key", func(e *endpoint) { e.key, e.listsToAll = theKey, true }, theKey, theModel,
			Readiness{OK: true, Reachable: true, Key: KeyAccepted, ModelKnown: true},
			"", "", 1,
		},
		{
			"a wrong key", func(e *endpoint) { e.key = theKey }, wrong, theModel,
			Readiness{Reachable: true, Key: KeyRefused},
			domain.CodeModelRefused, reasonKeyRefused, 0,
		},
		{
			"no key where one is needed", func(e *endpoint) { e.key = theKey }, "", theModel,
			Readiness{Reachable: true, Key: KeyMissing},
			domain.CodeModelRefused, reasonKeyNeeded, 0,
		},
		{
			"a key that may only ask for texts", func(e *endpoint) { e.key, e.listsToNone = theKey, true }, theKey, theModel,
			Readiness{OK: true, Reachable: true, Key: KeyAccepted, ModelKnown: true},
			"", "", 1,
		},
		{"a model that is not there", nil, "", "gpt-9", Readiness{Reachable: true, Key: KeyUnknown}, domain.CodeModelRefused, reasonUnknown, 0},
		{"no model yet", nil, "", "", Readiness{Reachable: true, Key: KeyUnknown}, domain.CodeModelNotSet, reasonNoName, 0},
		{
			"no list of models", func(e *endpoint) { e.models = nil }, "", theModel,
			Readiness{OK: true, Reachable: true, Key: KeyNotNeeded, ModelKnown: true},
			"", "", 1,
		},
		{
			"no list, and a key", func(e *endpoint) { e.models, e.key = nil, theKey }, theKey, theModel,
			Readiness{OK: true, Reachable: true, Key: KeyAccepted, ModelKnown: true},
			"", "", 1,
		},
		{
			"no list, and a wrong key", func(e *endpoint) { e.models, e.key = nil, theKey }, wrong, theModel,
			Readiness{Reachable: true, Key: KeyRefused},
			domain.CodeModelRefused, reasonKeyRefused, 1,
		},
		{
			"no list, and pages", func(e *endpoint) { e.models, e.chat = nil, html }, "", theModel,
			Readiness{Reachable: true, Key: KeyUnknown},
			domain.CodeModelRefused, reasonNoChat, 1,
		},
		{"nobody there", func(e *endpoint) { e.Close() }, "", theModel, Readiness{Key: KeyUnknown}, domain.CodeModelUnreachable, reasonNobody, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEndpoint(t)
			o := e.options()
			o.Name = func() string { return tt.model }
			clock := time.Unix(0, 0)
			o.Now = func() time.Time { clock = clock.Add(210 * time.Millisecond); return clock }
			c := New(o)
			if tt.key != "" {
				if err := c.KeepKey(tt.key, noted); err != nil {
					t.Fatal(err)
				}
			}
			if tt.setUp != nil {
				tt.setUp(e)
			}
			got, err := c.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got.OK != tt.want.OK || got.Reachable != tt.want.Reachable || got.Key != tt.want.Key || got.ModelKnown != tt.want.ModelKnown {
				t.Errorf("found %+v", got)
			}
			var wrong error
			if got.Error != nil {
				wrong = got.Error
			}
			if code, why := reasonOf(wrong); code != tt.code || why != tt.why {
				t.Errorf("the error is %s, %s: %v", code, why, wrong)
			}
			if got.MS != 210 || got.Model != tt.model || got.Address == "" {
				t.Errorf("found %+v", got)
			}
			if e.count() != tt.asks {
				t.Errorf("%d texts were asked for, want %d", e.count(), tt.asks)
			}
		})
	}
}

func TestCheckAsksForOneToken(t *testing.T) {
	e := newEndpoint(t)
	e.models, e.wantsNewLength = nil, true
	if got, err := New(e.options()).Check(t.Context()); err != nil || !got.OK {
		t.Fatalf("found %+v, %v", got, err)
	}
	if got := e.last()["max_completion_tokens"]; got != 1.0 {
		t.Errorf("it asked for %v", e.last())
	}
}

func TestCheckWithoutAnAddress(t *testing.T) {
	o := newEndpoint(t).options()
	o.BaseURL = func() string { return "" }
	got, err := New(o).Check(t.Context())
	if err != nil || got.OK || got.Error == nil || got.Error.Code != domain.CodeModelNotSet {
		t.Errorf("found %+v, %v", got, err)
	}
}

func TestCheckEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := newEndpoint(t)
	e.models = nil
	e.chat = func(w http.ResponseWriter, r *http.Request) {
		cancel()
		untilLeft(w, r)
	}
	if _, err := New(e.options()).Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it gives %v", err)
	}
}
