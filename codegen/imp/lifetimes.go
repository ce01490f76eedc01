package imp

import "github.com/memc-lang/memc/ir"

// facts are the results of one walk over a function before it is lowered: the names it binds, the
// functions it calls, and the last use of each memory variable.
//
// A memory variable is bound in some body: by an alloc, by a pattern with a block or an existential
// place, or as a parameter of the loop with that body. Every mention of it is a use, and so is
// every mention of an array whose place names it, wherever that stands. Its last use is the last
// statement of *its own* body that contains a use, however deep, or the values of that body. A use
// finds the body by its depth, so the walk is linear. A kernel's body is a body like any other.
type facts struct {
	bound []string // every name, in order
	calls []string // names of functions, in order of the first call

	after   map[*ir.Stmt][]string // to be freed after the statement
	atEnd   map[*ir.Body][]string // to be freed after the body's values
	atStart map[*ir.Body][]string // parameters of a loop that its body never uses
	// unread holds totals of scans (combination.last) that nothing mentions.
	unread map[string]bool
	// initial holds blocks whose last use is to be an initial value of a loop:
	// the parameters then hold them.
	initial map[*ir.Stmt][]string
}

type frame struct {
	body    *ir.Body
	stmt    *ir.Stmt // the current statement; nil before the first
	initial bool     // in its initial values
	result  bool     // in the body's values
}

// A life holds the facts about one memory variable.
type life struct {
	name    string
	depth   int
	body    *ir.Body
	param   bool // of the loop whose body it is
	stmt    *ir.Stmt
	initial bool
	result  bool
}

type collector struct {
	*facts
	stack []frame
	memOf map[string]string // block of an array; a block's alias
	lives map[string]*life
	order []*life
	seen  map[string]bool
}

func collect(f *ir.Func) *facts {
	n := ir.Size(f)
	c := &collector{
		facts: &facts{
			bound: make([]string, 0, n),
			after: map[*ir.Stmt][]string{}, atEnd: map[*ir.Body][]string{},
			atStart: map[*ir.Body][]string{}, initial: map[*ir.Stmt][]string{}, unread: map[string]bool{},
		},
		memOf: make(map[string]string, n/2), lives: make(map[string]*life, n/2), seen: map[string]bool{},
	}
	c.bound = append(c.bound, f.Sizes...)
	for _, e := range f.Params {
		c.elem(e)
	}
	c.body(f.Body, nil)
	c.table()
	return c.facts
}

// elem records the names that an element binds.
func (c *collector) elem(e *ir.Elem) {
	c.bound = append(c.bound, e.Name)
	if len(c.unread) > 0 {
		ir.TypeNames(e.Type, c.use)
	}
	p := e.Type.Place
	if p == nil {
		return
	}
	if e.Type.Kind == ir.ArrayKind {
		c.memOf[e.Name] = p.Mem
	}
	if p.Exist {
		c.bound = append(c.bound, p.Mem)
	}
	c.bound = append(c.bound, exists(p)...)
}

// exists returns the scalars that a place binds, in the order in which they stand.
func exists(p *ir.Place) []string {
	names := ir.ExistNames(p)
	if len(names) == 0 {
		return nil
	}
	return names[1:] // the first is the block
}

// owned returns the memory variable that an element binds, if any.
func owned(e *ir.Elem) (string, bool) {
	if e.Type.Kind == ir.MemKind {
		return e.Name, true
	}
	if p := e.Type.Place; e.Type.Kind == ir.ArrayKind && p != nil && p.Exist {
		return p.Mem, true
	}
	return "", false
}

func (c *collector) live(e *ir.Elem, param bool) {
	name, ok := owned(e)
	if !ok {
		return
	}
	depth := len(c.stack) - 1
	fr := c.stack[depth]
	l := &life{name: name, depth: depth, body: fr.body, param: param, stmt: fr.stmt}
	c.lives[name] = l
	c.order = append(c.order, l)
}

// use records a use of a block, or of an array's, or of a total.
func (c *collector) use(name string) {
	if len(c.unread) > 0 {
		delete(c.unread, name)
	}
	for {
		m, ok := c.memOf[name]
		if !ok {
			break
		}
		name = m
	}
	l := c.lives[name]
	if l == nil {
		return
	}
	fr := c.stack[l.depth]
	l.stmt, l.initial, l.result = fr.stmt, fr.initial, fr.result
}

// body walks a body; params are those of the loop whose body it is.
func (c *collector) body(b *ir.Body, params []ir.Param) {
	c.stack = append(c.stack, frame{body: b})
	for _, p := range params {
		c.elem(p.Elem)
		c.live(p.Elem, true)
	}
	top := len(c.stack) - 1
	for _, s := range b.Stmts {
		c.stack[top].stmt = s
		c.stmt(s)
	}
	c.stack[top].stmt, c.stack[top].result = nil, true
	for _, e := range b.Result {
		ir.ExpNames(e, c.use)
	}
	c.stack = c.stack[:top]
}

func (c *collector) stmt(s *ir.Stmt) {
	if call, ok := s.Op.(*ir.Call); ok && !c.seen[call.Fn] {
		c.seen[call.Fn] = true
		c.calls = append(c.calls, call.Fn)
	}
	fr := &c.stack[len(c.stack)-1]
	loop, isLoop := s.Op.(*ir.Loop)
	fr.initial = isLoop
	ir.Uses(s.Op, c.use)
	fr.initial = false

	if isLoop {
		if loop.Var != "" {
			c.bound = append(c.bound, loop.Var)
		}
		c.body(loop.Body, loop.Params)
	} else {
		space, _ := ir.KernelSpace(s.Op)
		for _, b := range space {
			c.bound = append(c.bound, b.Var)
		}
		ir.Elems(s.Op, c.elem)
		for _, b := range ir.Bodies(s.Op) {
			c.body(b, nil)
		}
	}
	alias, isAlias := s.Op.(*ir.Alias)
	_, isScan := s.Op.(*ir.Scan)
	for _, e := range s.Pat {
		c.elem(e)
		if isScan && e.Type.Kind == ir.ScalarKind {
			c.unread[e.Name] = true
		}
		if isAlias && e.Type.Kind == ir.MemKind {
			c.memOf[e.Name] = alias.X
			continue
		}
		c.live(e, false)
		if p := e.Type.Place; p != nil {
			c.use(p.Mem)
			ir.PlaceExps(p, func(e ir.Exp) { ir.ExpNames(e, c.use) })
		}
	}
}

// table sorts the lives by their ends.
func (c *collector) table() {
	for _, l := range c.order {
		switch {
		case l.result:
			if !l.param { // a parameter's reference is replaced by the next
				c.atEnd[l.body] = append(c.atEnd[l.body], l.name)
			}
		case l.stmt == nil:
			c.atStart[l.body] = append(c.atStart[l.body], l.name)
		case l.initial:
			c.initial[l.stmt] = append(c.initial[l.stmt], l.name)
		default:
			c.after[l.stmt] = append(c.after[l.stmt], l.name)
		}
	}
}
