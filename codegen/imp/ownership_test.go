package imp_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
)

// TestOwnership follows every path through the host functions of every program
// of the tests, and through the kernels that allocate: no block is used after it
// was freed, none is left, and the paths through an if, and the iterations of a
// loop, leave the same variables held.
func TestOwnership(t *testing.T) {
	allocating := 0
	for path, p := range programs(t) {
		for _, k := range p.Kernels {
			if len(k.Held) > 0 {
				allocating++
			}
			if err := ownedKernel(k); err != nil {
				t.Errorf("%s: kernel %s: %v", path, k.Name, err)
			}
		}
		for _, f := range p.Funcs {
			if err := owned(f); err != nil {
				t.Errorf("%s: function %s: %v", path, f.Name, err)
			}
		}
	}
	if allocating < 20 {
		t.Errorf("only %d kernels allocate", allocating)
	}
}

// ownedKernel follows the variables of a kernel that may hold blocks of the
// device heap. The others are pointers to blocks that the host holds.
func ownedKernel(k *imp.Kernel) error {
	o := &owner{params: map[string]bool{}, held: map[string]bool{}, known: map[string]bool{}}
	held := map[string]imp.Held{}
	for _, h := range k.Held {
		held[h.Mem] = h
		o.known[h.Mem] = true
	}
	for _, s := range k.Params {
		o.params[s.Name] = true
	}
	for _, l := range k.Locals {
		o.params[l.Name] = true
	}
	for _, r := range k.Rooms {
		o.params[r.Name] = true
	}
	for _, m := range k.Ptrs {
		if !o.known[m] {
			o.params[m] = true // as good as one: it is never freed
			o.pointers = append(o.pointers, m)
		}
	}
	if err := o.list(k.Body); err != nil {
		return err
	}
	if len(o.held) > 0 {
		return fmt.Errorf("held at the end: %v", keys(o.held))
	}
	// Blocks that are shared are counted by all that may hold them, and moves
	// stay within what counts alike.
	for _, s := range o.sets {
		src, ok := held[s.Src]
		if !ok {
			continue
		}
		if dst := held[s.Dst]; dst.Counted != src.Counted || !s.Move && !src.Counted {
			return fmt.Errorf("%s (counted: %v) is assigned from %s (counted: %v; moved: %v)", s.Dst, dst.Counted, s.Src, src.Counted, s.Move)
		}
	}
	return nil
}

// An owner knows the memory variables that hold a block.
type owner struct {
	params map[string]bool
	held   map[string]bool
	known  map[string]bool // all variables

	pointers []string // of a kernel: variables that never hold a block of the heap
	sets     []*imp.SetMem
}

func owned(f *imp.Func) error {
	o := &owner{params: map[string]bool{}, held: map[string]bool{}, known: map[string]bool{}}
	for _, s := range f.Params {
		if s.Mem {
			o.params[s.Name] = true
		}
	}
	for _, m := range f.Mems {
		if o.params[m] || o.known[m] {
			return fmt.Errorf("%s is declared twice", m)
		}
		o.known[m] = true
	}
	if err := o.list(f.Body); err != nil {
		return err
	}
	want := map[string]bool{}
	for _, r := range f.Results {
		if r.Mem {
			want[r.Name] = true
		}
	}
	if !maps.Equal(o.held, want) {
		return fmt.Errorf("held at the end: %v, results: %v", keys(o.held), keys(want))
	}
	return nil
}

func keys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

func (o *owner) list(list []imp.Stmt) error {
	for _, s := range list {
		if err := o.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

func (o *owner) read(s imp.Stmt, mems ...string) error {
	for _, m := range mems {
		if m != "" && !o.held[m] && !o.params[m] {
			return fmt.Errorf("%T uses %s, which holds nothing", s, m)
		}
	}
	return nil
}

func (o *owner) bind(s imp.Stmt, mems ...string) error {
	for _, m := range mems {
		if slices.Contains(o.pointers, m) {
			continue
		}
		if o.params[m] || !o.known[m] {
			return fmt.Errorf("%T assigns %s, which is no variable", s, m)
		}
		o.held[m] = true
	}
	return nil
}

func (o *owner) args(s imp.Stmt, args []imp.Arg) error {
	for _, a := range args {
		if err := o.read(s, a.Mem); err != nil {
			return err
		}
	}
	return nil
}

func (o *owner) stmt(s imp.Stmt) error {
	switch s := s.(type) {
	case *imp.Load:
		return o.read(s, s.Mem)
	case *imp.Fetch:
		for _, l := range s.Loads {
			if err := o.read(l, l.Mem); err != nil {
				return err
			}
		}
	case *imp.Slots:
		return o.bind(s, s.Mem)
	case *imp.Upload:
		return o.read(s, s.Mem)
	case *imp.Store:
		return o.read(s, s.Mem)
	case *imp.Move:
		return o.read(s, s.Room, s.Mem)
	case *imp.Copy:
		return o.read(s, s.Dst.Mem, s.Src.Mem)
	case *imp.Launch:
		return o.args(s, s.Args)
	case *imp.Alloc:
		if o.held[s.Mem] {
			return fmt.Errorf("%s is allocated while it holds a block", s.Mem)
		}
		return o.bind(s, s.Mem)
	case *imp.SetMem:
		if err := o.read(s, s.Src); err != nil {
			return err
		}
		o.sets = append(o.sets, s)
		if s.Move {
			delete(o.held, s.Src)
		}
		return o.bind(s, s.Dst)
	case *imp.KRegion:
		return o.list(s.Body)
	case *imp.Atomic:
		return o.list(s.Body)
	case *imp.Free:
		if !o.held[s.Mem] {
			return fmt.Errorf("%s is freed and holds nothing", s.Mem)
		}
		delete(o.held, s.Mem)
	case *imp.Call:
		if err := o.args(s, s.Args); err != nil {
			return err
		}
		for i, r := range s.Func.Results {
			if r.Mem {
				if err := o.bind(s, s.Results[i]); err != nil {
					return err
				}
			}
		}
	case *imp.If:
		els := &owner{params: o.params, known: o.known, pointers: o.pointers, held: maps.Clone(o.held)}
		if err := o.list(s.Then); err != nil {
			return err
		}
		if err := els.list(s.Else); err != nil {
			return err
		}
		o.sets = append(o.sets, els.sets...)
		if !maps.Equal(o.held, els.held) {
			return fmt.Errorf("after then %v, after else %v", keys(o.held), keys(els.held))
		}
	case *imp.For:
		return o.loop(s.Body)
	case *imp.While:
		return o.loop(s.Body)
	}
	return nil
}

func (o *owner) loop(body []imp.Stmt) error {
	before := maps.Clone(o.held)
	if err := o.list(body); err != nil {
		return err
	}
	if !maps.Equal(o.held, before) {
		return fmt.Errorf("before an iteration %v, after it %v", keys(before), keys(o.held))
	}
	return nil
}
