package progen

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// An array in memory may be one of several: each result of a branch, of a loop and of a call. memory
// holds, for each name of a function, the fresh arrays and parameters whose memory it may have.
type mayBe struct {
	memory map[string][]string
	funcs  map[string]*given
}

// given tells what the results of a function may be; its parameters have the names params.
type given struct {
	params  []string
	results [][]string
}

func (m *mayBe) of(e ir.Exp) []string {
	if r, ok := e.(*ir.Ref); ok {
		return m.memory[r.Name]
	}
	return nil
}

func (m *mayBe) add(name string, origins ...string) {
	for _, o := range origins {
		if !slices.Contains(m.memory[name], o) {
			m.memory[name] = append(m.memory[name], o)
		}
	}
}

// resultsOf returns what the results of a function may be.
func (m *mayBe) resultsOf(f *ir.Func) *given {
	out := &given{}
	for _, p := range f.Params {
		out.params = append(out.params, p.Name)
	}
	for _, e := range f.Body.Result {
		out.results = append(out.results, m.of(e))
	}
	return out
}

// before notes what the parameters of a loop may be first.
func (m *mayBe) before(op ir.Op) {
	if loop, ok := op.(*ir.Loop); ok {
		for _, p := range loop.Params {
			m.add(p.Elem.Name, m.of(p.Init)...)
		}
	}
}

// after notes what the results of a statement may be.
func (m *mayBe) after(s *ir.Stmt) {
	for k, e := range s.Pat {
		if !isArray(e.Type) {
			continue
		}
		switch op := s.Op.(type) { // exhaustive except for those that make arrays
		case *ir.Alias:
			m.add(e.Name, m.memory[op.X]...)
		case *ir.Reshape:
			m.add(e.Name, m.memory[op.X]...)
		case *ir.Rearrange:
			m.add(e.Name, m.memory[op.X]...)
		case *ir.Slice:
			m.add(e.Name, m.memory[op.X]...)
		case *ir.Update:
			m.add(e.Name, m.memory[op.X]...)
		case *ir.If:
			for _, b := range ir.Bodies(op) {
				m.add(e.Name, m.of(b.Result[k])...)
			}
		case *ir.Loop:
			m.add(e.Name, m.of(op.Params[k].Init)...)
			m.add(e.Name, m.of(op.Body.Result[k])...)
		case *ir.Call:
			f := m.funcs[op.Fn]
			if f == nil {
				break
			}
			for _, o := range f.results[k] {
				if p := slices.Index(f.params, o); p >= 0 {
					m.add(e.Name, m.of(op.Args[p])...)
				} else {
					m.add(e.Name, fmt.Sprintf("%s %s", s.Pat[0].Name, o))
				}
			}
		}
		if len(m.memory[e.Name]) == 0 {
			m.add(e.Name, e.Name)
		}
	}
}

// pair reports whether two of these may be one array, and need not be.
func (m *mayBe) pair(all []string) bool {
	for k, x := range all {
		for _, y := range all[:k] {
			if a, b := m.memory[x], m.memory[y]; len(a)+len(b) > 2 && slices.ContainsFunc(a, func(o string) bool { return slices.Contains(b, o) }) {
				return true
			}
		}
	}
	return false
}
