package bench

import "github.com/memc-lang/memc/codegen/imp"

// hold moves every release of a block to the end of its body, except for variables that are set
// again later. So blocks live as in a compiler that releases at the end of scopes, such as the
// thesis's. This measures the benefit of releasing blocks after their last use.
func hold(p *imp.Program) {
	for _, f := range p.Funcs {
		f.Body = holdBody(f.Body)
	}
}

func holdBody(body []imp.Stmt) []imp.Stmt {
	var out, late []imp.Stmt
	set := map[string]bool{} // behind the statement looked at
	moved := make([]bool, len(body))
	for i := len(body) - 1; i >= 0; i-- {
		if f, ok := body[i].(*imp.Free); ok && !set[f.Mem] {
			moved[i] = true
		}
		assigned(body[i], set)
	}
	for i, s := range body {
		switch s := s.(type) {
		case *imp.If:
			s.Then, s.Else = holdBody(s.Then), holdBody(s.Else)
		case *imp.For:
			s.Body = holdBody(s.Body)
		case *imp.While:
			s.Body = holdBody(s.Body)
		}
		if moved[i] {
			late = append(late, s)
		} else {
			out = append(out, s)
		}
	}
	return append(out, late...)
}

// assigned records the memory variables that a statement sets, however deep.
func assigned(s imp.Stmt, set map[string]bool) {
	imp.Each([]imp.Stmt{s}, func(s imp.Stmt) {
		switch s := s.(type) {
		case *imp.Alloc:
			set[s.Mem] = true
		case *imp.SetMem:
			set[s.Dst] = true
		case *imp.Call:
			for _, r := range s.Results {
				set[r] = true
			}
		}
	})
}
