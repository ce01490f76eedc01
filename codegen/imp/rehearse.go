package imp

import "github.com/memc-lang/memc/ir"

// Note [Rehearsal]
//
// A host function can run without its device, to count the bytes of its blocks: it makes and drops
// blocks without memory, launches and copies nothing, and every element that it reads is 0
// (codegen/opencl/c/peak.c). The count is that of a run if no value that is read decides
// what is allocated. Such a value, and what is computed from it, may be a result, an element that
// is stored, or an argument of a kernel. It may not
//
//	- decide a branch, a loop, a check, or whether a copy's places overlap
//	- be the size of a block
//	- be an operand of an operation that could fail
//	- be an argument of a function.

// Rehearsable reports whether a rehearsal of a host function counts what a run of it holds.
func Rehearsable(f *Func) bool { return (&rehearsal{known: map[*Func]bool{}}).fits(f) }

type rehearsal struct{ known map[*Func]bool }

// fits keeps the answers, since a function may be called many times.
func (r *rehearsal) fits(f *Func) bool {
	fits, ok := r.known[f]
	if !ok {
		fits = r.look(f)
		r.known[f] = fits
	}
	return fits
}

func (r *rehearsal) look(f *Func) bool {
	fits := true
	read := map[string]bool{} // variables whose values come from elements
	from := func(e ir.Exp) (found bool) {
		ir.ExpNames(e, func(n string) { found = found || read[n] })
		return found
	}
	for before := -1; fits && before < len(read); {
		before = len(read)
		Each(f.Body, func(s Stmt) {
			if !fits {
				return
			}
			switch s := s.(type) {
			case *Set:
				if from(s.E) {
					read[s.Dst] = true
					fits = ir.Total(s.E)
				}
				return
			case *Fetch:
				for _, l := range s.Loads {
					read[l.Dst] = true
				}
			case *Launch:
				return
			case *Store:
				fits = !from(s.Off)
				return
			case *Call:
				fits = r.fits(s.Func)
				for _, name := range s.Results {
					read[name] = read[name] || mayRead(s.Func)
				}
			}
			s.visit(&visitor{exp: func(e ir.Exp) { fits = fits && !from(e) }})
		})
	}
	return fits
}

// mayRead reports whether a host function reads elements itself, or may have them from one that it calls.
func mayRead(f *Func) bool {
	found := false
	Each(f.Body, func(s Stmt) {
		switch s.(type) {
		case *Fetch, *Call:
			found = true
		}
	})
	return found
}
