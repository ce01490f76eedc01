package model

import (
	"errors"
	"strings"
	"testing"
)

// planted are changes of the sources that make them wrong, one of each kind, with
// the scenario that shows it and words of the violation.
var planted = []struct {
	name, allocator, scenario, want string
	plants                          []Plant
}{
	{"a chunk is taken without its lock", "c", "two items, one block each", "",
		[]Plant{{"if (memc_lock(heap, u) != 0u) {\n        next", "if (memc_lock(heap, u) != 3u) {\n        next"}}},
	// This is the algorithm as published: the lock is the header's flag.
	{"a flag in the header instead of the map", "cf", "small, then large", "in a live block", []Plant{
		{"return memc_and(heap, memc_map_word(u), ~memc_bit_free(u)) & memc_bit_free(u);", `
			uint w = memc_load(heap, memc_next_word(u));
			if ((w & MEMC_FLAG) != 0u) return 0u;
			if (memc_cas(heap, memc_next_word(u), w, w | MEMC_FLAG) != w) return 0u;
			memc_and(heap, memc_map_word(u), ~memc_bit_free(u));
			return 1u;`},
		{"  memc_or(heap, memc_map_word(u), memc_bit_free(u));", "  memc_or(heap, memc_map_word(u), memc_bit_free(u)); memc_and(heap, memc_next_word(u), MEMC_LINK);"},
		{"memc_link_free(heap, u, after);\n#if MEMC_DOUBLY\n  memc_store(heap, memc_prev_word(after), u);", "memc_link_used(heap, u, after);\n#if MEMC_DOUBLY"},
		{"  memc_link_free(heap, u, next);\n  memc_fence();\n#if", "  memc_link_used(heap, u, next);\n  memc_fence();\n#if"},
		{"  if (memc_unuse(heap, u) == 0u) return 0u;\n", ""},
		{"memc_offer(heap, u);\n  return 1u;", "memc_xor(heap, memc_map_word(u), memc_bit_free(u) | memc_bit_used(u)); memc_and(heap, memc_next_word(u), MEMC_LINK);\n  return 1u;"},
		{"    next = next & MEMC_LINK;", "    state = (next & MEMC_FLAG) != 0u ? MEMC_ISUSED : MEMC_ISFREE;\n    next = next & MEMC_LINK;"},
		{"    memc_link_free(heap, after, next);", "    memc_link_used(heap, after, next);"},
		{"next != end && memc_state(heap, next) == MEMC_ISFREE", "next != end"},
		{"join != 0u && memc_state(heap, next) == MEMC_ISFREE", "join != 0u"}}},
	{"no fence before the rest is offered", "c", "two items, one block each", "",
		[]Plant{{"memc_link_used(heap, u, after);\n  memc_fence();", "memc_link_used(heap, u, after);"}}},
	{"no fence before a freed chunk is offered", "c", "two blocks against one", "",
		[]Plant{{"memc_link_free(heap, u, next);\n  memc_fence();", "memc_link_free(heap, u, next);"}}},
	{"a chunk that is too small is not given back", "c", "too small for one", "lost memory",
		[]Plant{{"memc_offer(heap, u);\n    return next;", "return next;"}}},
	{"the rest of a split is not linked", "cf", "two items, one block each", "",
		[]Plant{{"memc_link_free(heap, after, next);\n#if", "#if"}}},
	{"the joined chunk stays behind", "cf", "two items, one block each", "not in the list",
		[]Plant{{"memc_offer(heap, u);\n  return 1u;", "memc_offer(heap, u);\n  if (next != end) memc_or(heap, memc_map_word(next - 1u), memc_bit_free(next - 1u));\n  return 1u;"}}},
	{"no bound on the laps", "c", "two items, a tight heap", "endless walk",
		[]Plant{{"if (laps > 0u && dirty == 0u) return MEMC_FULL;\n      laps++;\n      if (laps >= MEMC_MAX_LAPS && steps >= MEMC_MAX_STEPS) return MEMC_CONTENDED;", "laps = 1u;"}}},
	{"a search that does not go on", "c", "two items, a tight heap", "endless walk",
		[]Plant{{"    u = next;\n  }\n  return MEMC_CONTENDED;", "    if (next == end) next = first;\n    u = next;\n  }\n  return MEMC_CONTENDED;"}}},
	{"being in somebody's way counts as full", "c", "one chunk for both", "check 1 fails",
		[]Plant{{"if (laps > 0u && dirty == 0u) return MEMC_FULL;", "if (laps > 0u) return MEMC_FULL;"}}},
	{"the chunk before is not looked at again", "d", "a split before a block", "",
		[]Plant{{"if (memc_next(heap, prev) == u) {", "if (1) {"}}},
	{"a chunk joined to the one before stays in the map", "d", "two items, one block each", "not in the list",
		[]Plant{{"memc_link_free(heap, prev, next);", "memc_link_free(heap, prev, next);\n        memc_or(heap, memc_map_word(u), memc_bit_used(u));"}}},
	{"a split forgets the chunk behind", "d", "both must be served", "before it",
		[]Plant{{"    memc_store(heap, memc_prev_word(next), after);\n", ""}}},
	{"a slot without a reservation", "slab", "a page is lost to another class", "",
		[]Plant{{"if (state >> MEMC_CLASS_SHIFT != class + 1u || (state & MEMC_COUNT) + k > slots) {", "if (0) {"}}},
	{"a page on its way to the list is claimed", "slab", "a large block takes emptied pages", "",
		[]Plant{{"if (state >> MEMC_CLASS_SHIFT >= MEMC_CLASS_RUN) return state;", "if (state >> MEMC_CLASS_SHIFT == MEMC_CLASS_RUN) return state;"}}},
	{"the pages of a large block are claimed", "slab", "a block of whole pages", "",
		[]Plant{{"if (state >> MEMC_CLASS_SHIFT >= MEMC_CLASS_RUN) return state;", "if (state >> MEMC_CLASS_SHIFT == MEMC_CLASS_MOVING) return state;"}}},
	{"a freed block of pages keeps its class", "slab", "a block of whole pages", "",
		[]Plant{{"if (run != 0u) {\n    memc_sub", "if (run > 1u) {\n    memc_sub"}}},
	{"a page that came from the list meanwhile is not noticed", "slab", "three items", "check 1 fails",
		[]Plant{{"if (small != 0u && memc_load(heap, MEMC_W_MOVES) != moves) return MEMC_CONTENDED;", ""}}},
	{"a page changes its class without looking", "slab", "a page changes class", "",
		[]Plant{{"return old == state ? MEMC_MINE : old;", "if (old != state) memc_add(heap, memc_page_word(page), mine - (old & ~MEMC_COUNT));\n    return MEMC_MINE;"}}},
	{"a slot's bit is not looked at", "slab", "two blocks of a class", "overlap",
		[]Plant{{"for (uint i = 0u; (taken & bit) != 0u; i++) {", "for (uint i = 0u; 0; i++) {"}}},
	{"a freed slot stays reserved", "slab", "one class", "lost memory",
		[]Plant{{"if (memc_rank(peers) == 0u) memc_sub(heap, memc_page_word(page), memc_crowd(peers));", ""}}},
	{"slots taken together overlap", "slab", "two pairs", "overlap",
		[]Plant{{"if (taken == 0u && more == 0u) return", "if (1) return"}}},
	{"only the first word of slots is looked at", "slab", "a pair in two words", "overlap",
		[]Plant{{"if (taken == 0u && more == 0u) return", "if (taken == 0u) return"}}},
	{"slots given back are somebody's", "slab", "two pairs", "",
		[]Plant{{"memc_and(heap, base, ~(low & ~taken));", "memc_and(heap, base, ~low);"}}},
	{"the rest behind a block of pages is not split off", "slab", "whole pages of a longer chunk", "lost memory",
		[]Plant{{" || need % MEMC_PAGE == 0u", ""}}},
	{"a freed block of pages stays used", "slab", "a block of whole pages", "state 3",
		[]Plant{{"if (memc_unuse(heap, u) == 0u) return 0u;", ""}}},
	{"a freed chunk stays used", "d", "two items, one block each", "state 3",
		[]Plant{{"if (memc_unuse(heap, u) == 0u) return 0u;", ""}}},
}

// Every planted bug is found, and told as what it is.
func TestPlantedBugs(t *testing.T) {
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			m := scenarios()[p.scenario]
			m.Defines = append(small[:4:4], m.Defines...)
			if p.allocator == "slab" {
				m = slabScenarios()[p.scenario]
				m.Defines = append(tiny[:len(tiny):len(tiny)], slabScenarios()[p.scenario].Defines...)
			}
			m.Allocator, m.Planted = allocator(t, p.allocator), p.plants
			r, err := m.Check()
			var v *Violation
			if !errors.As(err, &v) {
				t.Fatalf("not found (%d states, %v)", r.States, err)
			}
			if !strings.Contains(v.What, p.want) {
				t.Errorf("found %q, want %q", v.What, p.want)
			}
			t.Logf("%s, after %d steps", v.What, len(v.Trace))
		})
	}
}
