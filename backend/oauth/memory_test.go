package oauth

import (
	"strings"
	"sync"
)

// memory is a Store that fails on demand.
type memory struct {
	mu     sync.Mutex
	values map[string]string
	fail   func(name string) error // of Put
}

func newMemory() *memory { return &memory{values: make(map[string]string)} }

func (m *memory) Get(name string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.values[name]
	return value, ok, nil
}

func (m *memory) Put(name, value string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		if err := m.fail(name); err != nil {
			return err
		}
	}
	m.values[name] = value
	return nil
}

func (m *memory) Delete(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, name)
	return nil
}

func (m *memory) Names(prefix string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.values {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

func (m *memory) failWith(fail func(name string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = fail
}
