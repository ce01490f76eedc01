package main

import "sync"

// A table gives Go values numbers for C. A number is used once.
type table struct {
	mu     sync.Mutex
	last   uint64
	values map[uint64]any
}

var handles = table{values: map[uint64]any{}}

// put returns the number of a value.
func (t *table) put(v any) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	t.values[t.last] = v
	return t.last
}

// get returns the value of a number, if it is of that type.
func get[T any](t *table, n uint64) (T, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.values[n].(T)
	return v, ok
}

// take is get, and the number has no value any more.
func take[T any](t *table, n uint64) (T, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v, ok := t.values[n].(T)
	if ok {
		delete(t.values, n)
	}
	return v, ok
}
