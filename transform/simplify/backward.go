package simplify

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
)

// Note [Live names]
//
// A name is live if a result of the function depends on it, or the question whether the run fails.
// A statement is live if one of its results is, if it may itself fail, or if a live statement
// stands in its body. Statements with bodies have parts, one per result: the result with its value
// in each body, its loop parameter, or its pair of operator parameters. A part is live if a name
// that it binds is. So a loop parameter that matters only to its own next value is not, and a value
// that a reduction carries is live if the operator needs it for another one. If nothing but the
// operator of a scan needs a result, the scan stores no array: as a scalar the result is the total.
//
// What may fail is asked only of what is not live for another reason: to prove it takes time.

// A part is one result of a statement.
type part struct {
	s *ir.Stmt
	k int
}

// A marker finds what is live in a function.
type marker struct {
	*function
	by    map[string]part // which binds a name
	in    map[*ir.Stmt]*ir.Stmt
	live  map[string]bool
	parts map[*ir.Stmt][]bool // of each live statement the live parts, if it can lose some
	order []*ir.Stmt          // live ones
	work  []string

	written *places.Written
}

func backward(f *function) {
	n, top := ir.Size(f.f), f.f.Body
	m := &marker{
		function: f, by: make(map[string]part, n), in: make(map[*ir.Stmt]*ir.Stmt, n),
		live: make(map[string]bool, n), parts: make(map[*ir.Stmt][]bool, n),
	}
	m.written = places.NewWritten(f.f.Sizes, m.definition)
	m.bind(top, nil)
	for _, e := range top.Result {
		m.exp(e)
	}
	m.drain()
	if m.marked(top) {
		m.totals()
		return
	}
	m.failures(top)
	for k := 0; k < len(m.order); k++ {
		m.drain()
		if s := m.order[k]; lacks(s, m.parts[s]) {
			m.part(s, 0)
			m.drain()
		}
	}
	m.totals()
	m.sweep(top, false)
}

// definition returns the definition of an i64 scalar, or nil.
func (m *marker) definition(name string) ir.Exp {
	p := m.by[name]
	if p.s == nil {
		return nil
	}
	op, ok := p.s.Op.(*ir.Compute)
	if !ok || op.E.Prim() != ir.I64 {
		return nil
	}
	return op.E
}

// lacks reports whether a statement has lost results that it cannot be without.
func lacks(s *ir.Stmt, parts []bool) bool {
	switch op := s.Op.(type) {
	case *ir.Reduce:
		parts = parts[:len(op.Op.Neutral)]
	case *ir.Scan:
		parts = parts[:len(op.Op.Neutral)]
	}
	return parts != nil && !slices.Contains(parts, true)
}

// bind records what binds each name of a body.
func (m *marker) bind(b *ir.Body, in *ir.Stmt) {
	for _, s := range b.Stmts {
		m.in[s] = in
		for k, e := range s.Pat {
			m.by[e.Name] = part{s, k}
		}
		switch op := s.Op.(type) {
		case *ir.Loop:
			for k, p := range op.Params {
				m.by[p.Elem.Name] = part{s, k}
			}
		default:
			for _, o := range ir.Operators(op) {
				for k, e := range o.Params {
					m.by[e.Name] = part{s, k % (len(o.Params) / 2)}
				}
			}
		}
		for _, inner := range ir.Bodies(s.Op) {
			m.bind(inner, s)
		}
	}
}

func (m *marker) name(n string) {
	if n != "" && !m.live[n] {
		m.live[n] = true
		m.work = append(m.work, n)
	}
}

func (m *marker) exp(e ir.Exp) { ir.ExpNames(e, m.name) }

func (m *marker) types(e *ir.Elem) { ir.TypeNames(e.Type, m.name) }

func (m *marker) drain() {
	for len(m.work) > 0 {
		n := m.work[len(m.work)-1]
		m.work = m.work[:len(m.work)-1]
		if p, ok := m.by[n]; ok {
			m.part(p.s, p.k)
		}
	}
}

// stmt marks a statement as live, without its parts.
func (m *marker) stmt(s *ir.Stmt) {
	if _, known := m.parts[s]; s == nil || known {
		return
	}
	m.order = append(m.order, s)
	m.parts[s] = nil
	m.stmt(m.in[s])
	switch op := s.Op.(type) {
	case *ir.If:
		m.exp(op.Cond)
	case *ir.Loop:
		m.exp(op.Bound)
		m.name(op.While)
	case *ir.Map, *ir.Reduce, *ir.Scan:
		space, _ := ir.KernelSpace(op)
		for _, b := range space {
			m.exp(b.Size)
		}
	default:
		ir.Uses(op, m.name)
		ir.Elems(op, m.types)
		for _, b := range ir.Bodies(op) {
			for _, e := range b.Result {
				m.exp(e)
			}
		}
		for _, e := range s.Pat {
			m.types(e)
		}
		m.puts(op)
		return
	}
	m.parts[s] = make([]bool, len(s.Pat))
}

// puts marks what the threads of a live kernel write into its accumulators.
func (m *marker) puts(op ir.Op) {
	if op, ok := op.(*ir.Into); ok {
		ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
			if _, put := s.Op.(*ir.Put); put {
				m.stmt(s)
			}
			return true
		})
	}
}

// part marks a part of a statement as live.
func (m *marker) part(s *ir.Stmt, k int) {
	m.stmt(s)
	parts := m.parts[s]
	if k >= len(parts) || parts[k] { // a statement may have no results
		return
	}
	parts[k] = true
	m.types(s.Pat[k])
	switch op := s.Op.(type) {
	case *ir.Loop:
		m.types(op.Params[k].Elem)
	default:
		if o := ir.OperatorOf(op); o != nil && k < len(o.Neutral) {
			m.types(o.Params[k])
			m.types(o.Params[len(o.Neutral)+k])
		}
	}
	values(s, k, func(e ir.Exp, _ *ir.Body) { m.exp(e) })
}

// values calls f for the values of a part: those outside, with a nil body, and a body's.
func values(s *ir.Stmt, k int, f func(e ir.Exp, b *ir.Body)) {
	switch op := s.Op.(type) {
	case *ir.Loop:
		f(op.Params[k].Init, nil)
	default:
		if o := ir.OperatorOf(op); o != nil && k < len(o.Neutral) {
			f(o.Neutral[k], nil)
			f(o.Body.Result[k], o.Body)
		}
		if _, ok := op.(*ir.If); ok {
			b := ir.Bodies(op)[0]
			f(b.Result[k], b)
		}
	}
	b := ir.KernelBody(s.Op)
	f(b.Result[k], b)
}

// marked reports whether everything in a body is live.
func (m *marker) marked(b *ir.Body) bool {
	all := true
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		all = all && m.whole(s)
		return all
	})
	return all
}
