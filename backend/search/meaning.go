package search

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	// Patience is how long a question waits for a model before the words alone decide.
	Patience = 300 * time.Millisecond
	// batch is how many texts a model gets at once.
	batch = 64
	// rankConstant is that of reciprocal rank fusion: how little the first places stand out.
	rankConstant = 60
	// deep is how far down each of the two lists is looked at, least is how alike two texts must be to count.
	deep  = 50
	least = 0.2
)

// Embedder turns texts into vectors, one for each, all of one length.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Vectors keeps vectors by a key that names the model and the text.
type Vectors interface {
	Vector(key string) (vector []float32, ok bool)
	KeepVector(key string, vector []float32) error
}

// Meaning finds tools by an index of words and, where one answers in time, by a model on top. It is safe for concurrent use.
type Meaning struct {
	*Index
	embedder Embedder
	model    string
	kept     Vectors

	mu      sync.RWMutex
	vectors map[string][]float32 // by FQN
}

// NewMeaning puts a model, by its name, on top of an index.
func NewMeaning(index *Index, embedder Embedder, model string, kept Vectors) *Meaning {
	return &Meaning{Index: index, embedder: embedder, model: model, kept: kept, vectors: make(map[string][]float32)}
}

// Learn asks the model for what it does not know yet of the tools of the index, and forgets those that are gone. Until it
// has ended, and for what failed, words alone decide.
func (m *Meaning) Learn(ctx context.Context) error {
	all := m.documents()
	vectors := make(map[string][]float32, len(all))
	var unknown []Document
	for _, d := range all {
		if vector, ok := m.kept.Vector(m.key(textOf(d))); ok {
			vectors[d.FQN] = vector
		} else {
			unknown = append(unknown, d)
		}
	}
	m.replace(vectors)
	for some := range slices.Chunk(unknown, batch) {
		texts := make([]string, len(some))
		for i, d := range some {
			texts[i] = textOf(d)
		}
		made, err := m.embedder.Embed(ctx, texts)
		if err != nil {
			return fmt.Errorf("learn what tools mean: %w", err)
		}
		if len(made) != len(texts) {
			return fmt.Errorf("learn what tools mean: %d vectors for %d texts", len(made), len(texts))
		}
		m.mu.Lock()
		for i, d := range some {
			m.vectors[d.FQN] = normalized(made[i])
		}
		m.mu.Unlock()
		for i, text := range texts {
			vector := normalized(made[i])
			if vector == nil {
				continue // rubbish is asked for again, not kept for ever
			}
			if err := m.kept.KeepVector(m.key(text), vector); err != nil {
				return fmt.Errorf("keep what tools mean: %w", err)
			}
		}
	}
	return nil
}

func (m *Meaning) replace(vectors map[string][]float32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.vectors = vectors
}

// key names a text for a model.
func (m *Meaning) key(text string) string {
	sum := sha256.Sum256([]byte(m.model + "\x00" + text))
	return hex.EncodeToString(sum[:])
}

// textOf is what a model reads of a tool.
func textOf(d Document) string {
	return strings.TrimSpace(cmp.Or(d.Title, strings.Join(split(d.Name), " ")) + ". " + d.Description)
}

// Ask is Search with the model on top, if it answers before ctx or Patience ends. Both lists are joined by reciprocal rank
// fusion, so that neither needs to know the scale of the other.
func (m *Meaning) Ask(ctx context.Context, text string, limit int, keep func(fqn string) bool) []Hit {
	asked := make(chan []float32, 1)
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	go func() {
		made, err := m.embedder.Embed(ctx, []string{text})
		if err != nil || len(made) != 1 {
			made = [][]float32{nil}
		}
		asked <- normalized(made[0])
	}()
	byWords := m.Search(text, max(limit, deep), keep)
	var vector []float32
	select {
	case vector = <-asked:
	case <-ctx.Done():
	}
	if vector == nil {
		return byWords[:min(limit, len(byWords))]
	}
	return fuse(byWords, m.nearest(vector, keep), limit)
}

// nearest are the tools whose texts are most like a vector.
func (m *Meaning) nearest(vector []float32, keep func(fqn string) bool) []Hit {
	m.mu.RLock()
	defer m.mu.RUnlock()
	var near []Hit
	for fqn, other := range m.vectors {
		if len(other) != len(vector) || keep != nil && !keep(fqn) {
			continue
		}
		if likeness := dot(vector, other); likeness >= least {
			near = append(near, Hit{FQN: fqn, Score: min(likeness, 1)})
		}
	}
	slices.SortFunc(near, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.FQN, b.FQN)) })
	return near[:min(deep, len(near))]
}

// fuse joins two rankings. A name that is spelt out stays the first.
func fuse(byWords, byMeaning []Hit, limit int) []Hit {
	joined := make(map[string]*Hit)
	points := make(map[string]float64)
	for _, list := range [][]Hit{byWords, byMeaning} {
		for rank, h := range list {
			if joined[h.FQN] == nil {
				joined[h.FQN] = &Hit{FQN: h.FQN, Reasons: h.Reasons}
			}
			points[h.FQN] += 1 / float64(rankConstant+rank+1)
			if h.Score == 1 && h.Reasons != nil {
				points[h.FQN]++
			}
		}
	}
	for _, h := range byMeaning {
		joined[h.FQN].Reasons = append(slices.Clone(joined[h.FQN].Reasons), Reason{Way: ByMeaning})
	}
	all := make([]Hit, 0, len(joined))
	for fqn, h := range joined {
		h.Score = min(1, points[fqn]*float64(rankConstant+1)/2)
		all = append(all, *h)
	}
	slices.SortFunc(all, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(points[b.FQN], points[a.FQN]), strings.Compare(a.FQN, b.FQN))
	})
	return all[:min(limit, len(all))]
}

// normalized is a vector at the length of one, nil if it has none.
func normalized(vector []float32) []float32 {
	length := math.Sqrt(dot(vector, vector))
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil
	}
	scaled := make([]float32, len(vector))
	for i, x := range vector {
		scaled[i] = float32(float64(x) / length)
	}
	return scaled
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
