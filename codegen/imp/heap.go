package imp

import "github.com/memc-lang/memc/ir/diag"

// Note [Blocks of the device heap]
//
// In a kernel most memory variables are pointers into blocks that the host holds while the kernel
// runs: nothing is counted or freed. A block that the kernel itself allocates belongs to one
// work-item. The same statements as on the host free it at its last use: Alloc, SetMem, Free,
// placed by the same rules (lifetimes.go). When a kernel is complete, settle keeps the statements
// that the kernel needs:
//
//  1. A variable may hold a block of the heap if it is allocated, or assigned
//     from one that may. Frees of all others are dropped.
//   2. If a variable is assigned and its source is freed right after, the reference moves: nothing
//      is counted.
//   3. Variables between which blocks flow form a class. If a class contains an assignment that is
//      not a move, its blocks are shared, and counted. The blocks of any other class are freed with
//      their variable.
//
// No other work-item sees a block or its count, so counting needs no atomics.

// fromHeap makes an Alloc in a kernel take its block from the device heap. what names the
// block for messages.
func (l *lowerer) fromHeap(a *Alloc, what string) {
	l.out.KernelChecks = true
	if l.opt.Tasks { // from the system
		a.Full = l.faultCode(Fault{Code: diag.OutOfMemory, Span: a.Span, Args: 1, Memory: true,
			Format: "out of memory in a kernel: %d bytes requested for " + what + ", and the system has no more"})
		a.Contended = a.Full
		return
	}
	l.out.DeviceAllocator, l.out.DeviceHeap = l.opt.DeviceAllocator, l.opt.DeviceHeap
	if l.out.DeviceAllocator == "" {
		l.out.DeviceAllocator = DefaultDeviceAllocator
	}
	if l.out.DeviceHeap == 0 {
		l.out.DeviceHeap = DefaultDeviceHeap
	}
	a.Full = l.faultCode(Fault{Code: diag.OutOfMemory, Span: a.Span, Args: 2, Memory: true, Heap: true,
		Format: "out of memory in a kernel: %d bytes requested for " + what + ", and the device heap of %d bytes has no room"})
	a.Contended = l.faultCode(Fault{Code: diag.OutOfMemory, Span: a.Span, Args: 2, Memory: true, Heap: true,
		Format: "out of memory in a kernel: %d bytes requested for " + what + ", and the device heap of %d bytes is too contended"})
}

// settle decides which variables of a complete kernel may hold blocks of the
// heap. It returns the kernel's statements without those that the other variables do not need.
func settle(k *Kernel, body []Stmt) []Stmt {
	s := &settler{holds: map[string]bool{}, flows: map[string][]string{}, class: map[string]string{}}
	s.sources(body)
	for work := s.allocated; len(work) > 0; {
		m := work[0]
		work = work[1:]
		if !s.holds[m] {
			s.holds[m] = true
			work = append(work, s.flows[m]...)
		}
	}
	body = s.list(body)
	counted := map[string]bool{}
	for _, m := range s.shared {
		counted[s.find(m)] = true
	}
	for _, m := range k.Ptrs {
		if s.holds[m] {
			k.Held = append(k.Held, Held{Mem: m, Counted: counted[s.find(m)]})
		}
	}
	return body
}

type settler struct {
	allocated []string
	flows     map[string][]string // from a variable to those that are assigned from it
	holds     map[string]bool     // may hold a block of the heap
	shared    []string            // sources of assignments that are not moves
	class     map[string]string   // union-find: blocks flow between them
}

// sources finds the origins and destinations of blocks.
func (s *settler) sources(list []Stmt) {
	Each(list, func(x Stmt) {
		switch x := x.(type) {
		case *Alloc:
			s.allocated = append(s.allocated, x.Mem)
		case *SetMem:
			s.flows[x.Src] = append(s.flows[x.Src], x.Dst)
		}
	})
}

// list drops frees of variables that hold no block, and makes moves.
func (s *settler) list(list []Stmt) []Stmt {
	moved := map[int]bool{} // frees that an assignment made needless
	var out []Stmt
	for i, x := range list {
		for _, in := range lists(x) {
			*in = s.list(*in)
		}
		switch x := x.(type) {
		case *Free:
			if moved[i] || !s.holds[x.Mem] {
				continue
			}
		case *SetMem:
			if s.holds[x.Src] {
				s.union(x.Src, x.Dst)
				if at := freed(list, i, x.Src); at > 0 {
					x.Move, moved[at] = true, true
				} else {
					s.shared = append(s.shared, x.Src)
				}
			}
		case *If:
			if len(x.Then)+len(x.Else) == 0 {
				continue
			}
		}
		out = append(out, list[i])
	}
	return out
}

// freed returns the index at which a variable is freed after the assignment at i, if nothing
// but other assignments and frees stands between; 0: nowhere.
func freed(list []Stmt, i int, mem string) int {
	for at := i + 1; at < len(list); at++ {
		switch x := list[at].(type) {
		case *Free:
			if x.Mem == mem {
				return at
			}
		case *SetMem:
			if x.Src == mem || x.Dst == mem {
				return 0
			}
		case *Set:
		default:
			return 0
		}
	}
	return 0
}

func (s *settler) find(m string) string {
	for {
		p, ok := s.class[m]
		if !ok {
			return m
		}
		if q, ok := s.class[p]; ok {
			s.class[m] = q // halve the path
		}
		m = p
	}
}

func (s *settler) union(x, y string) {
	if x, y = s.find(x), s.find(y); x != y {
		s.class[x] = y
	}
}
