package model

import (
	"fmt"
	"testing"
)

// tiny makes pages of 16 units, with slots of 1 to 8.
var tiny = []string{"MEMC_MAX_STEPS 0", "MEMC_LEAF 4", "MEMC_MAX_LAPS 2", "MEMC_MAX_LOST 1", "MEMC_PAGE 16", "MEMC_GRAIN 0", "MEMC_SLAB_MAX 8",
	"MEMC_PROBES 1", "MEMC_LARGE_PROBES 1", "MEMC_LOOKS 1", "MEMC_CLASSES 8u"}

// slabScenarios run on heaps of one or two pages, which begin at unit 48.
func slabScenarios() map[string]Model {
	return map[string]Model{
		"one class":               {Units: 81, Items: []string{take(120, header(64)), take(120, header(64))}},
		"two blocks of a class":   {Units: 81, Items: []string{takeTwo(120, 120, header(64)), take(120, header(64))}},
		"two classes want a page": {Units: 65, Items: []string{take(120, header(64)), take(16, header(64))}},
		"a page changes class":    {Units: 65, Items: []string{take(120, header(64)) + again(16), take(32, header(64))}},
		"a page is lost to another class": {Units: 65,
			Items: []string{take(120, header(64)), take(32, header(64)) + again(32)}},
		"a page and a large block": {Units: 65, Strong: true,
			Items: []string{take(120, header(64)), take(150, header(64))}},
		"a large block takes emptied pages": {Units: 81, Strong: true,
			Items: []string{take(120, header(64)) + again(300), take(32, header(64)) + again(16)}},
		"a block of whole pages": {Units: 81, Strong: true,
			Items: []string{take(500, header(64)), take(120, header(64)) + again(16)}},
		"two blocks of whole pages": {Units: 113, Strong: true,
			Items: []string{take(500, header(64)), take(500, header(80))}},
		"two blocks of whole pages, stores late": {Units: 97, Items: []string{take(500, header(64)), take(120, header(80))}},
		// The first block joins two pages and the four units behind them; the second is two pages.
		"whole pages of a longer chunk": {Units: 85, Strong: true,
			Items: []string{take(560, header(64)) + again(500), take(500, header(64))}},
		"both must be served": {Units: 81, Items: []string{keep(120, header(64)), keep(16, header(64))}},
		"three items":         {Units: 65, Strong: true, Items: []string{keep(60, header(64)), keep(60, header(64)), take(60, header(64))}},
		"two slots at once":   {Units: 65, Items: []string{pair(3, 4, 0), take(60, header(64))}},
		"two pairs":           {Units: 65, Strong: true, Items: []string{pair(3, 4, 0), pair(3, 4, 1) + again(60)}},
		"a pair in two words": {Units: 129, Strong: true, Defines: []string{"MEMC_PAGE 64"}, Items: []string{pair(1, 1, 31), pair(1, 1, 32)}},
	}
}

// pair takes two slots of a page at once, as two work-items of a warp do, and
// frees them one by one.
func pair(page, units, slot int) string {
	return fmt.Sprintf(`uint u = memc_page_many(heap, %[1]du, %[2]du - 1u, %[2]du, MEMC_PAGE / %[2]du, %[3]du, 2u);
if (u > 1u) {
  ulong a = (ulong)u * 16ul;
  ulong b = (ulong)(u + %[2]du) * 16ul;
  model_own(a, %[4]dul, 64u);
  model_own(b, %[4]dul, 64u);
  model_disown(b, %[4]dul);
  memc_free(heap, b);
  model_disown(a, %[4]dul);
  memc_free(heap, a);
}`, page, units, slot, units*16)
}

// again is a second request of the same item.
func again(bytes int) string {
	return "\n{ " + take(bytes, header(64)) + " }"
}

// A debug build has frees of its own, so what two items do is done in one as well.
func TestSlab(t *testing.T) {
	for what, m := range slabScenarios() {
		t.Run(what, func(t *testing.T) {
			m.Allocator, m.Defines = allocator(t, "slab"), append(tiny[:len(tiny):len(tiny)], m.Defines...)
			if len(m.Items) == 2 {
				if _, err := m.with("MEMC_DEBUG 1").Check(); err != nil {
					t.Errorf("in a debug build: %v", err)
				}
			}
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
