package search

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// thesaurus is a model that knows two subjects.
type thesaurus struct {
	asked [][]string
	wait  time.Duration
	err   error
}

func (e *thesaurus) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e.asked = append(e.asked, texts)
	select {
	case <-time.After(e.wait):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	made := make([][]float32, len(texts))
	for i, text := range texts {
		made[i] = []float32{0.1, 0.1}
		if strings.Contains(text, "issue") || strings.Contains(text, "grievance") {
			made[i] = []float32{3, 0}
		}
		if strings.Contains(text, "message") {
			made[i] = []float32{0, 3}
		}
	}
	return made, e.err
}

type kept map[string][]float32

func (k kept) Vector(key string) ([]float32, bool) { v, ok := k[key]; return v, ok }

func (k kept) KeepVector(key string, vector []float32) error { k[key] = vector; return nil }

func TestAModelFindsWhatNoWordDoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &thesaurus{}
		m := NewMeaning(small(t), model, "small", kept{})
		if hits := m.Ask(t.Context(), "grievance", 3, nil); len(hits) != 0 {
			t.Errorf("before it learned: %v", names(hits))
		}
		if err := m.Learn(t.Context()); err != nil {
			t.Fatal(err)
		}
		hits := m.Ask(t.Context(), "grievance", 2, nil)
		if found := names(hits); !slices.Equal(found, []string{issue.FQN, ticket.FQN}) {
			t.Fatalf("found %v", found)
		}
		if hits[0].Reasons[0].Way != ByMeaning || hits[0].Score <= 0 || hits[0].Score > 1 {
			t.Errorf("got %+v", hits[0])
		}
		if found := names(m.Ask(t.Context(), "grievance", 2, func(fqn string) bool { return fqn != issue.FQN })); slices.Contains(found, issue.FQN) {
			t.Errorf("what may not be found is: %v", found)
		}
		if found := names(m.Ask(t.Context(), ticket.FQN, 2, nil)); found[0] != ticket.FQN {
			t.Errorf("by its name: %v", found)
		}
	})
}

func TestTextsAreLearnedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model, vectors, x := &thesaurus{}, kept{}, small(t)
		for range 2 {
			if err := NewMeaning(x, model, "small", vectors).Learn(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if len(model.asked) != 1 || len(model.asked[0]) != 4 {
			t.Errorf("asked %v", model.asked)
		}
		if err := NewMeaning(x, model, "large", vectors).Learn(t.Context()); err != nil || len(model.asked) != 2 {
			t.Errorf("another model: %v, asked %d times", err, len(model.asked))
		}
	})
}

func TestAModelThatIsSlowOrBrokenChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, model := range map[string]*thesaurus{"slow": {wait: time.Hour}, "broken": {err: errors.New("no")}} {
			x := small(t)
			m := NewMeaning(x, model, "small", kept{})
			began := time.Now()
			if found, want := names(m.Ask(t.Context(), "delete the issue", 3, nil)), names(x.Search("delete the issue", 3, nil)); !slices.Equal(found, want) {
				t.Errorf("%s: %v, want %v", name, found, want)
			}
			if waited := time.Since(began); waited > Patience {
				t.Errorf("%s: waited %v", name, waited)
			}
			if name == "broken" && m.Learn(t.Context()) == nil {
				t.Error("what failed is not said")
			}
		}
	})
}

// A model that once answered rubbish is asked again.
func TestRubbishIsNotKept(t *testing.T) {
	vectors, x := kept{}, small(t)
	if err := NewMeaning(x, rubbish{}, "small", vectors).Learn(t.Context()); err != nil || len(vectors) != 0 {
		t.Errorf("%v, %d vectors are kept", err, len(vectors))
	}
}

// rubbish is a model that answers with vectors that have no direction.
type rubbish struct{}

func (rubbish) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

func TestAVectorWithoutLengthIsNone(t *testing.T) {
	for _, vector := range [][]float32{nil, {}, {0, 0}, {float32(math.Inf(1)), 1}, {float32(math.NaN()), 1}} {
		if normalized(vector) != nil {
			t.Errorf("%v has a direction", vector)
		}
	}
}
