package model

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/memc-lang/memc/runtime/device"
)

// A Model is an allocator on a small heap, with the programs of the work-items.
type Model struct {
	Allocator device.Allocator
	Units     int      // of the heap, all included
	Hints     int      // search offsets
	Defines   []string // "MEMC_LEAF 8"
	Items     []string // bodies of functions of memc_heap heap, one per work-item
	Planted   []Plant  // changes of the source
	Strong    bool     // stores reach memory at once, in order
	Limit     int      // states; 0: four million
}

// A Plant is a change of the source that makes it wrong.
type Plant struct{ Old, New string }

// Check explores the model. The error is a *Violation if the allocator is wrong.
func (m Model) Check() (Result, error) {
	routines, err := m.compile()
	if err != nil {
		return Result{}, err
	}
	mem, err := m.prepare(routines)
	if err != nil {
		return Result{}, err
	}
	fixed := func(w uint64) (uint64, bool) {
		if w < 7 || w == 14 { // as of memc_init_split
			return uint64(mem[w]), true
		}
		return 0, false
	}
	e := &explorer{first: mem, seen: map[[2]uint64]bool{}, limit: m.Limit, strong: m.Strong, final: m.final}
	e.seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}
	if e.limit == 0 {
		e.limit = 4 << 20
	}
	s := &state{mem: append([]uint32(nil), mem...)}
	for i := range m.Items {
		t := newTree(routines[fmt.Sprintf("item%d", i)], i, fixed)
		e.trees = append(e.trees, t)
		s.at = append(s.at, t.root)
		s.buffer = append(s.buffer, nil)
	}
	if v := e.explore(s); v != nil {
		return e.result, v
	}
	return e.result, nil
}

func (m Model) compile() (map[string]*routine, error) {
	src, err := m.Allocator.Source(append([]string{"MEMC_BASE_H 1", fmt.Sprintf("MEMC_HINTS %d", max(1, m.Hints))}, m.Defines...)...)
	if err != nil {
		return nil, err
	}
	for _, p := range m.Planted {
		if strings.Count(src, p.Old) != 1 {
			return nil, fmt.Errorf("the text to be changed occurs %d times: %s", strings.Count(src, p.Old), p.Old)
		}
		src = strings.Replace(src, p.Old, p.New, 1)
	}
	for i, body := range m.Items {
		src += fmt.Sprintf("\nvoid item%d(memc_heap heap) {\n%s\n}\n", i, body)
	}
	return compile(src)
}

// prepare makes an empty heap, by the allocator's own functions.
func (m Model) prepare(routines map[string]*routine) ([]uint32, error) {
	if m.Units < 24 {
		return nil, fmt.Errorf("a heap of %d units has no room for its header", m.Units)
	}
	s := &state{mem: make([]uint32, m.Units*4), buffer: make([][]store, 1)}
	var wrong string
	r := &run{direct: func(op operation) uint64 {
		if op.name == "memc_fence" {
			return 0
		}
		v, what := apply(s, 0, op)
		if what != "" && wrong == "" {
			wrong = what
		}
		return v
	}}
	for _, f := range []string{"memc_init_clear", "memc_init_split"} {
		routines[f].call(r, []uint64{0, uint64(m.Units) * 16, uint64(max(1, m.Hints)), 0, 1})
	}
	if wrong == "" && s.mem[2] == 0 {
		wrong = "the heap is too small"
	}
	if wrong != "" {
		return nil, fmt.Errorf("preparing the heap: %s", wrong)
	}
	return s.mem, nil
}
