package model

import (
	"fmt"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/device"
)

// take is a work-item's body: one block of that many bytes, filled with a word
// that looks like a header, and freed.
func take(bytes int, fill uint32) string {
	return fmt.Sprintf(`ulong a = memc_malloc(heap, %dul);
if (a != 0ul) { model_own(a, %dul, %du); model_disown(a, %dul); memc_free(heap, a); }`, bytes, bytes, fill, bytes)
}

// keep takes a block and keeps it; that there is none for want of room is an error.
func keep(bytes int, fill uint32) string {
	return fmt.Sprintf(`ulong a = memc_try_malloc(heap, %dul);
model_check(a != 0ul, 1u);
if (a > 1ul) { model_own(a, %dul, %du); }`, bytes, bytes, fill)
}

// takeTwo takes two blocks, and frees the one taken last at first.
func takeTwo(b1, b2 int, fill uint32) string {
	return fmt.Sprintf(`ulong a = memc_malloc(heap, %[1]dul);
if (a != 0ul) { model_own(a, %[1]dul, %[3]du); }
ulong b = memc_malloc(heap, %[2]dul);
if (b != 0ul) { model_own(b, %[2]dul, %[3]du); model_disown(b, %[2]dul); memc_free(heap, b); }
if (a != 0ul) { model_disown(a, %[1]dul); memc_free(heap, a); }`, b1, b2, fill)
}

// freeInOrder is takeTwo, with the block taken first freed first.
func freeInOrder(b1, b2 int, fill uint32) string {
	return fmt.Sprintf(`ulong a = memc_malloc(heap, %[1]dul);
if (a != 0ul) { model_own(a, %[1]dul, %[3]du); }
ulong b = memc_malloc(heap, %[2]dul);
if (b != 0ul) { model_own(b, %[2]dul, %[3]du); }
if (a != 0ul) { model_disown(a, %[1]dul); memc_free(heap, a); }
if (b != 0ul) { model_disown(b, %[2]dul); memc_free(heap, b); }`, b1, b2, fill)
}

func allocator(t *testing.T, name string) device.Allocator {
	t.Helper()
	return must.Get(device.Lookup(name))(t)
}

// with is the same model with one more definition.
func (m Model) with(define string) Model {
	m.Defines = append(m.Defines[:len(m.Defines):len(m.Defines)], define)
	return m
}

func lists() []string { return []string{"c", "cf", "cm", "cfm", "d"} }

var small = []string{"MEMC_MAX_STEPS 0", "MEMC_LEAF 4", "MEMC_MAX_LAPS 2", "MEMC_MAX_LOST 1"}

// header is a free chunk's header in both kinds of list: a link to unit u.
func header(u uint32) uint32 { return u }

// scenarios are what the work-items of a list do; the heaps have 2 to 4 chunks.
func scenarios() map[string]Model {
	return map[string]Model{
		"two items, one block each":  {Units: 40, Items: []string{take(20, header(30)), take(40, header(34))}},
		"two items, a tight heap":    {Units: 32, Items: []string{take(60, header(30)), take(90, header(26))}},
		"two blocks against one":     {Units: 36, Items: []string{takeTwo(20, 40, header(29)), take(60, header(28))}},
		"two offsets":                {Units: 48, Hints: 2, Items: []string{take(20, header(30)), take(40, header(34))}},
		"both must be served":        {Units: 40, Items: []string{keep(20, header(30)), keep(40, header(34))}},
		"one chunk for both":         {Units: 27, Items: []string{keep(20, header(24)), keep(40, header(24))}},
		"free space before a block":  {Units: 30, Items: []string{takeTwo(70, 4, header(24)), freeInOrder(4, 4, header(25))}},
		"a block behind free space":  {Units: 29, Items: []string{freeInOrder(70, 4, header(24)), freeInOrder(4, 4, header(25))}},
		"a request beside a free":    {Units: 34, Strong: true, Defines: []string{"MEMC_LEAF 64"}, Items: []string{take(4, header(28)), keep(20, header(28))}},
		"small, then large":          {Units: 30, Strong: true, Items: []string{take(4, header(28)), take(4, header(28)) + again(70)}},
		"a split before a block":     {Units: 36, Strong: true, Defines: []string{"MEMC_LEAF 64"}, Items: []string{freeInOrder(70, 100, header(24)), freeInOrder(4, 4, header(25))}},
		"too small for one":          {Units: 38, Items: []string{take(20, header(28)), take(90, header(28))}},
		"three items":                {Units: 34, Strong: true, Items: []string{take(4, header(30)), take(20, header(27)), take(12, header(28))}},
		"one item, all of the heap":  {Units: 40, Items: []string{takeTwo(20, 200, header(33)) + "\nulong c = memc_try_malloc(heap, 200ul);\nmodel_check(c > 1ul, 2u);\nmemc_free(heap, c);"}},
		"stores in order, two items": {Units: 36, Strong: true, Items: []string{takeTwo(20, 40, header(29)), takeTwo(8, 60, header(28))}},
	}
}

// No scenario of any list goes wrong, in whatever order things happen. With one
// search offset CM is C, and CFM is CF.
func TestLists(t *testing.T) {
	for _, name := range lists() {
		for what, m := range scenarios() {
			if (name == "cm" || name == "cfm") && m.Hints < 2 || len(m.Items) > 2 && name != "d" {
				continue // d does all that the others do, and more
			}
			t.Run(name+"/"+what, func(t *testing.T) {
				m.Allocator, m.Defines = allocator(t, name), append(small[:4:4], m.Defines...)
				if name == "cf" {
					if _, err := m.with("MEMC_EAGER 1").Check(); err != nil {
						t.Errorf("eager: %v", err)
					}
				}
				switch what {
				case "two items, one block each", "two blocks against one", "a block behind free space":
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
}

// What is not of the language, and heaps that are too small, are errors.
func TestBadModels(t *testing.T) {
	a := allocator(t, "c")
	for name, m := range map[string]Model{
		"no room":             {Allocator: a, Units: 3},
		"a loop of no end":    {Allocator: a, Units: 40, Items: []string{"while (1) { uint x = 1u; }"}},
		"an unknown function": {Allocator: a, Units: 40, Items: []string{"f(heap);"}},
		"an unknown name":     {Allocator: a, Units: 40, Items: []string{"uint x = y;"}},
		"half a statement":    {Allocator: a, Units: 40, Items: []string{"uint x = (1u;"}},
		"too many states":     {Allocator: a, Units: 40, Limit: 10, Items: []string{take(4, 1), take(4, 1)}},
	} {
		if _, err := m.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
