package model

import "testing"

// tiny makes pages of 8 units, with slots of 1 to 4.
var tiny = []string{"MEMC_LEAF 4", "MEMC_MAX_LAPS 2", "MEMC_MAX_LOST 1", "MEMC_PAGE 8", "MEMC_SLAB_MAX 4", "MEMC_PROBES 1", "MEMC_MORE_PROBES 1", "MEMC_LOOKS 1", "MEMC_CLASSES 4u"}

// slabScenarios run on heaps of two or three pages.
func slabScenarios() map[string]Model {
	return map[string]Model{
		"one class":               {Units: 56, Items: []string{take(60, header(40)), take(60, header(40))}},
		"two blocks of a class":   {Units: 56, Items: []string{takeTwo(60, 60, header(40)), take(60, header(40))}},
		"two classes want a page": {Units: 48, Items: []string{take(60, header(40)), take(16, header(40))}},
		"a page changes class":    {Units: 48, Items: []string{take(60, header(40)) + again(16), take(32, header(40))}},
		"a page and a large block": {Units: 48, Strong: true,
			Items: []string{take(60, header(40)), take(96, header(40))}},
		"a large block takes emptied pages": {Units: 56, Strong: true,
			Items: []string{take(60, header(40)) + again(150), take(32, header(40)) + again(16)}},
		"both must be served": {Units: 56, Items: []string{keep(60, header(40)), keep(16, header(40))}},
		"three items":         {Units: 48, Strong: true, Items: []string{take(60, header(40)), take(60, header(40)), keep(16, header(40))}},
	}
}

// again is a second request of the same item.
func again(bytes int) string {
	return "\n{ " + take(bytes, header(40)) + " }"
}

func TestSlab(t *testing.T) {
	for what, m := range slabScenarios() {
		t.Run(what, func(t *testing.T) {
			m.Allocator, m.Defines = allocator(t, "slab"), tiny
			r, err := m.Check()
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d states, %d final ones, up to %d steps", r.States, r.Finals, r.Longest)
		})
	}
}

// The counters: AtomicMalloc never gives memory twice, and says when it is full;
// a request that is too large costs nothing.
func TestCounter(t *testing.T) {
	m := Model{Allocator: allocator(t, "atomic"), Units: 30, Defines: []string{"MEMC_MAX_LAPS 1"},
		Items: []string{keep(60, 1), keep(16, 1), "ulong a = memc_try_malloc(heap, 400ul);\nmodel_check(a <= 1ul, 2u);"}}
	r, err := m.Check()
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d states, %d final ones", r.States, r.Finals)
}
