package fuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// An array is one that the host binds, or a group of threads, between its kernels.
type array struct {
	typ  ir.Type
	body *ir.Body // that binds it
	stmt *ir.Stmt // that makes it; nil for a parameter
	// readers are the statements of its body that use it, or that hold a use, in order.
	readers []*ir.Stmt
	// kernels are those, outermost in its body, that read its elements in their bodies, and within which of the readers.
	kernels []*ir.Stmt
	level   map[*ir.Stmt]*ir.Stmt
	// whole are the readers that use it in another way.
	whole map[*ir.Stmt]bool
	// stays: it lives at least as long as its body runs: the body returns it, or a caller keeps it.
	stays bool
	group bool // a group of threads binds it
	depth int  // of its body
}

// uses say which statements of the host, and of groups, use each array, and where arrays are consumed.
type uses struct {
	arrays map[string]*array
	at     map[*ir.Stmt]int      // its number in its body
	reads  map[*ir.Stmt][]string // arrays that it uses, in order
	class  map[string]string     // towards the name that stands for all that may share elements
	ends   []end
	// consumed are, by body and class, the statements that consume an array of the class, or hold one
	// that does, in order.
	consumed map[*ir.Body]map[string][]consumption
	origin   map[string]level // where an array was made afresh, in whose place another one lies

	stack    []level
	unique   func(fn string, arg int) bool // whether a call consumes an argument
	kernels  []around
	thread   bool // in the body of a kernel without kernels, where arrays are not followed
	operator bool // in an operator
}

// An around is a kernel around the place under way, and how many levels of the stack are outside of it.
type around struct {
	kernel *ir.Stmt
	levels int
}

// An end is a consumption of an array at a place: the bodies around it, with the numbers of statements.
type end struct {
	array string
	path  []level
}

// A consumption is the number of a statement of a body, and that of the one which made what it consumes; -1 if
// that is not known, or older than this run of the body.
type consumption struct{ n, made int }

type level struct {
	body *ir.Body
	stmt *ir.Stmt // nil: the body's results
	n    int
}

func usesOf(f *ir.Func, unique func(fn string, arg int) bool) *uses {
	u := &uses{
		unique: unique,
		arrays: map[string]*array{}, at: map[*ir.Stmt]int{}, reads: map[*ir.Stmt][]string{},
		class: map[string]string{}, consumed: map[*ir.Body]map[string][]consumption{}, origin: map[string]level{},
	}
	for _, e := range f.Params {
		u.bind(e, f.Body, nil, 0)
		if a := u.arrays[e.Name]; a != nil {
			a.stays = !e.Type.Unique
		}
	}
	u.body(f.Body)
	u.stack = append(u.stack, level{f.Body, nil, len(f.Body.Stmts)})
	for k, r := range f.Results {
		if r.Type.Unique {
			u.consume(f.Body.Result[k])
		}
	}
	u.stack = nil
	for _, e := range u.ends {
		c, made := u.classOf(e.array), u.origin[e.array]
		for k, l := range e.path {
			if u.consumed[l.body] == nil {
				u.consumed[l.body] = map[string][]consumption{}
			}
			at := consumption{l.n, -1}
			if made.body == l.body {
				at.made = made.n
			} else if slices.ContainsFunc(e.path[k+1:], func(in level) bool { return in.body == made.body }) {
				at.made = l.n
			}
			u.consumed[l.body][c] = append(u.consumed[l.body][c], at)
		}
	}
	return u
}

func (u *uses) bind(e *ir.Elem, b *ir.Body, s *ir.Stmt, depth int) {
	if e.Type.Kind == ir.ArrayKind && !u.thread {
		u.arrays[e.Name] = &array{typ: e.Type, body: b, stmt: s, group: len(u.kernels) > 0, depth: depth, whole: map[*ir.Stmt]bool{}, level: map[*ir.Stmt]*ir.Stmt{}}
	}
}

// classOf returns the name that stands for a class.
func (u *uses) classOf(name string) string {
	root := name
	for u.class[root] != "" {
		root = u.class[root]
	}
	for name != root { // shorter paths for those who ask next
		name, u.class[name] = u.class[name], root
	}
	return root
}

// share notes that arrays may share elements.
func (u *uses) share(name string, with ...ir.Exp) {
	for _, e := range with {
		if r, ok := e.(*ir.Ref); ok {
			if a, b := u.classOf(name), u.classOf(r.Name); a != b {
				u.class[a] = b
			}
		}
	}
}

func (u *uses) consume(e ir.Exp) {
	if r, ok := e.(*ir.Ref); ok && u.arrays[r.Name] != nil {
		u.ends = append(u.ends, end{r.Name, slices.Clone(u.stack)})
	}
}

// use notes a use of an array at the place under way.
func (u *uses) use(name string, element bool) {
	a := u.arrays[name]
	if a == nil {
		return
	}
	at := u.stack[a.depth]
	if at.stmt == nil {
		a.stays = true
		return
	}
	if n := len(a.readers); n == 0 || a.readers[n-1] != at.stmt {
		a.readers = append(a.readers, at.stmt)
	}
	k := slices.IndexFunc(u.kernels, func(k around) bool { return k.levels > a.depth })
	if !element || k < 0 || u.operator {
		a.whole[at.stmt] = true
	} else {
		a.readBy(u.kernels[k].kernel, at.stmt)
	}
	u.reading(u.stack[len(u.stack)-1].stmt, name)
	if k >= 0 {
		u.reading(u.kernels[k].kernel, name)
	}
}

func (u *uses) reading(s *ir.Stmt, name string) {
	if s != nil && !slices.Contains(u.reads[s], name) {
		u.reads[s] = append(u.reads[s], name)
	}
}

func (u *uses) exp(e ir.Exp) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Ref:
			u.use(e.Name, false)
		case *ir.Index:
			u.use(e.Array, true)
		}
		return true
	})
}

func (u *uses) body(b *ir.Body) {
	host := !u.thread
	if host {
		u.stack = append(u.stack, level{body: b})
	}
	for k, s := range b.Stmts {
		if host {
			u.at[s], u.stack[len(u.stack)-1] = k, level{b, s, k}
		}
		u.stmt(s, b)
	}
	if host {
		u.stack[len(u.stack)-1] = level{b, nil, len(b.Stmts)}
	}
	for _, e := range b.Result {
		u.exp(e)
	}
	if host {
		u.stack = u.stack[:len(u.stack)-1]
	}
}

func (u *uses) stmt(s *ir.Stmt, b *ir.Body) {
	// What the operation itself reads is read around it.
	ir.EachUse(s.Op, func(n *string) { u.use(*n, false) }, u.exp)
	if !u.thread {
		for _, e := range s.Pat {
			u.bind(e, b, s, len(u.stack)-1)
		}
		u.effects(s)
	}
	kernel := ir.IsKernel(s.Op)
	if kernel = kernel && !u.thread; kernel {
		u.kernels, u.thread = append(u.kernels, around{s, len(u.stack)}), !ir.IsGroups(s.Op)
	}
	ops := ir.Operators(s.Op)
	for _, inner := range ir.Bodies(s.Op) {
		was := u.operator
		u.operator = was || slices.ContainsFunc(ops, func(o *ir.Operator) bool { return o.Body == inner })
		u.inner(s, inner)
		u.operator = was
	}
	if kernel {
		u.kernels, u.thread = u.kernels[:len(u.kernels)-1], false
	}
}

// inner looks at a body of a statement; a loop's parameters belong to it.
func (u *uses) inner(s *ir.Stmt, b *ir.Body) {
	l, loop := s.Op.(*ir.Loop)
	if loop {
		for _, p := range l.Params {
			u.bind(p.Elem, b, nil, len(u.stack))
		}
	}
	u.body(b)
	if !loop || u.thread {
		return
	}
	u.stack = append(u.stack, level{b, nil, len(b.Stmts)})
	for k, p := range l.Params {
		if p.Elem.Type.Unique {
			u.consume(b.Result[k])
		}
	}
	u.stack = u.stack[:len(u.stack)-1]
}

// effects notes what a statement of the host consumes, and which of its arrays may share elements.
func (u *uses) effects(s *ir.Stmt) {
	ref := func(n string) ir.Exp { return &ir.Ref{Name: n} }
	lies := func(name, in string) {
		u.share(name, ref(in))
		if made, fresh := u.origin[in]; fresh {
			u.origin[name] = made
		}
	}
	switch op := s.Op.(type) {
	case *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice:
		lies(s.Pat[0].Name, ir.Arrays(op)[0])
	case *ir.Update:
		u.consume(ref(op.X))
		lies(s.Pat[0].Name, op.X)
	case *ir.Scatter, *ir.Hist, *ir.Into:
		for k, d := range ir.Dests(op) {
			u.consume(ref(d))
			lies(s.Pat[k].Name, d)
		}
	case *ir.If:
		for k, e := range s.Pat {
			if e.Type.Kind == ir.ArrayKind {
				u.share(e.Name, op.Then.Result[k], op.Else.Result[k])
			}
		}
	case *ir.Loop:
		for k, e := range s.Pat {
			if p := op.Params[k]; e.Type.Kind == ir.ArrayKind {
				u.share(e.Name, ref(p.Elem.Name), p.Init, op.Body.Result[k])
				if p.Elem.Type.Unique {
					u.consume(p.Init)
				}
			}
		}
	case *ir.Call:
		for k, a := range op.Args {
			if u.unique(op.Fn, k) {
				u.consume(a)
			}
			for _, e := range s.Pat {
				if e.Type.Kind == ir.ArrayKind && u.isArray(a) {
					u.share(e.Name, a)
				}
			}
		}
	default:
		for _, e := range s.Pat {
			if e.Type.Kind == ir.ArrayKind {
				u.origin[e.Name] = u.stack[len(u.stack)-1]
			}
		}
	}
}

func (u *uses) isArray(e ir.Exp) bool {
	r, ok := e.(*ir.Ref)
	return ok && u.arrays[r.Name] != nil
}

// maxEnds bounds how many consumptions are looked at one by one.
const maxEnds = 64

// consumedBetween reports whether a statement behind from and up to to may consume an array, or one
// that shares elements with it. An array that was made afresh after the first one shares none.
func (u *uses) consumedBetween(name string, b *ir.Body, from, to int) bool {
	x, born := u.arrays[name], -1
	if x.body == b && x.stmt != nil {
		born = u.at[x.stmt]
	}
	ends := u.consumed[b][u.classOf(name)]
	k, _ := slices.BinarySearchFunc(ends, from+1, func(c consumption, n int) int { return c.n - n })
	for first := k; k < len(ends) && ends[k].n <= to; k++ {
		if ends[k].made <= born || k-first == maxEnds {
			return true
		}
	}
	return false
}

// last returns the number of the last statement of a body that uses an array of that body, or
// len(b.Stmts) where it lives longer.
func (u *uses) last(name string, b *ir.Body) int {
	a := u.arrays[name]
	if a.body != b || a.stays || len(a.readers) == 0 {
		return len(b.Stmts)
	}
	return u.at[a.readers[len(a.readers)-1]]
}
