package imp

import "github.com/memc-lang/memc/ir"

// Read returns the scalar variables that a function reads anywhere, its results
// included. Compilers of other languages complain about the rest.
func Read(f *Func) map[string]bool {
	read := make(map[string]bool, len(f.Vars))
	uses(f.Body, func(r *ir.Ref) { read[r.Name] = true }, nil)
	for _, r := range f.Results {
		read[r.Name] = true
	}
	return read
}

// Needed returns the scalar variables of a function whose values matter: its results, checks,
// control flow, and requests to the device depend on them. An assignment of another variable has no
// effect.
func Needed(f *Func) map[string]bool {
	n := &needs{needed: map[string]bool{}, from: map[string][]ir.Exp{}}
	for _, r := range f.Results {
		n.need(r.Name)
	}
	n.body(&f.Body)
	for len(n.work) > 0 {
		name := n.work[len(n.work)-1]
		n.work = n.work[:len(n.work)-1]
		for _, e := range n.from[name] {
			n.exp(e)
		}
	}
	return n.needed
}

type needs struct {
	needed map[string]bool
	from   map[string][]ir.Exp // expressions assigned to a variable
	work   []string
}

func (n *needs) need(name string) {
	if !n.needed[name] {
		n.needed[name] = true
		n.work = append(n.work, name)
	}
}

func (n *needs) exp(e ir.Exp) { refsOf(e, func(r *ir.Ref) { n.need(r.Name) }) }

func (n *needs) body(list *[]Stmt) {
	for _, s := range *list {
		if set, ok := s.(*Set); ok {
			n.from[set.Dst] = append(n.from[set.Dst], set.E)
		} else {
			s.visit(&visitor{exp: n.exp, list: n.body})
		}
	}
}
