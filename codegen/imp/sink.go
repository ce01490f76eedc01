package imp

import "github.com/memc-lang/memc/ir"

// A sinking finds the scalars that kernels can compute for themselves: slots (Note
// [Slots]) and what is computed from them.
type sinking struct {
	f        *fn
	loads    map[string]*Load // of slots, by their variable
	sets     map[string]*Set
	assigned map[string]int // how often the text assigns a variable
	users    map[string][]string
	hosts    map[string]bool // scalars that the host needs
	launches map[*Kernel][]*Launch
	kernels  []*Kernel // of launches, in the order of the text
	wide     bool      // some slot holds an f64
}

// maxSunk bounds how many operations each work-item does anew.
const maxSunk = 32

func newSinking(f *fn) *sinking {
	s := &sinking{
		f: f, loads: map[string]*Load{}, sets: map[string]*Set{}, assigned: map[string]int{},
		users: map[string][]string{}, hosts: map[string]bool{}, launches: map[*Kernel][]*Launch{},
	}
	for _, r := range f.out.Results {
		s.hosts[r.Name] = true
	}
	return s
}

// body records the variables that statements assign, and their users.
func (s *sinking) body(list []Stmt) {
	for _, st := range list {
		st.visit(&visitor{
			set:  func(name string, _ Stmt) { s.assigned[name]++ },
			list: func(l *[]Stmt) { s.body(*l) },
		})
		switch st := st.(type) {
		case *Fetch:
			for _, l := range st.Loads {
				if l.Mem == s.f.slots {
					s.loads[l.Dst] = l
					s.wide = s.wide || l.Prim == ir.F64
				}
				ir.ExpNames(l.Off, s.need)
			}
		case *Set:
			s.sets[st.Dst] = st
			ir.ExpNames(st.E, func(n string) { s.users[n] = append(s.users[n], st.Dst) })
		case *Launch:
			if s.launches[st.Kernel] == nil {
				s.kernels = append(s.kernels, st.Kernel)
			}
			s.launches[st.Kernel] = append(s.launches[st.Kernel], st)
			for _, e := range []ir.Exp{st.Groups, st.Size, st.Copied} {
				if e != nil {
					ir.ExpNames(e, s.need)
				}
			}
			for i, a := range st.Args {
				if r, ok := a.E.(*ir.Ref); a.Mem == "" && (!ok || r.Name != st.Kernel.Params[i].Name || st.Kernel.Params[i].Local) {
					ir.ExpNames(a.E, s.need)
				}
			}
		default:
			st.visit(&visitor{exp: func(e ir.Exp) { ir.ExpNames(e, s.need) }})
		}
	}
}

func (s *sinking) need(name string) { s.hosts[name] = true }

// candidates returns the scalars that a kernel can compute from slots.
func (s *sinking) candidates() map[string]bool {
	out := map[string]bool{}
	var fresh []string // whose users are to be looked at
	note := func(n string) {
		if !out[n] && s.assigned[n] == 1 {
			out[n] = true
			fresh = append(fresh, n)
		}
	}
	for n := range s.loads {
		note(n)
	}
	for len(fresh) > 0 {
		n := fresh[len(fresh)-1]
		fresh = fresh[:len(fresh)-1]
		for _, u := range s.users[n] {
			if s.portable(s.sets[u].E) {
				note(u)
			}
		}
	}
	return out
}

// portable reports whether a device computes an expression as the host does: every
// operation rounds once.
func (s *sinking) portable(e ir.Exp) bool {
	ok := true
	ir.WalkExp(e, func(e ir.Exp) bool {
		t := e.Prim()
		if t == ir.F16 || t == ir.F64 && !s.wide {
			ok = false
		}
		switch e := e.(type) {
		case *ir.Binary:
			if of := e.X.Prim(); of.Float() && (e.Op == "%" || e.Op == "**") {
				ok = false
			}
		case *ir.Builtin:
			if t.Float() && e.Fn != "min" && e.Fn != "max" && e.Fn != "abs" && e.Fn != "sqrt" {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// sink makes kernels compute the scalars that they use. It returns the statements without those that only kernels
// use.
func (s *sinking) sink(list []Stmt) []Stmt {
	out := s.candidates()
	for _, k := range s.kernels {
		names, weight := s.wanted(k, out)
		if ls := s.launches[k]; len(ls) == 1 && weight <= maxSunk {
			s.into(ls[0], out)
		} else {
			for _, n := range names {
				s.need(n)
			}
		}
	}
	// What the host computes from a scalar, it needs the scalar for.
	seen := map[string]bool{}
	var host func(n string) bool
	host = func(n string) bool {
		if !seen[n] {
			seen[n] = true
			for _, u := range s.users[n] {
				if !out[u] || host(u) {
					s.need(n)
				}
			}
		}
		return s.hosts[n]
	}
	for n := range out {
		host(n)
	}
	for n := range out {
		out[n] = out[n] && !s.hosts[n]
	}
	vars := s.f.out.Vars[:0]
	for _, v := range s.f.out.Vars {
		if !out[v.Name] {
			vars = append(vars, v)
		}
	}
	s.f.out.Vars = vars
	return s.without(list, out)
}

// wanted returns the parameters of a kernel that it is to compute, and the number of
// operations, or more than maxSunk.
func (s *sinking) wanted(k *Kernel, out map[string]bool) (names []string, weight int) {
	for _, p := range k.Params {
		if !p.Mem && out[p.Name] {
			names = append(names, p.Name)
		}
	}
	all := s.closure(names, out, func(_ *Load, set *Set) {
		if set != nil {
			ir.WalkExp(set.E, func(ir.Exp) bool { weight++; return true })
		}
	})
	if !all {
		weight = maxSunk + 1
	}
	return names, weight
}

// closure visits what names are computed from, and then them; false where that takes more
// than maxSunk assignments.
func (s *sinking) closure(names []string, out map[string]bool, visit func(*Load, *Set)) bool {
	seen, sets := map[string]bool{}, 0
	var one func(n string)
	one = func(n string) {
		if seen[n] || !out[n] || sets > maxSunk {
			return
		}
		seen[n] = true
		if l := s.loads[n]; l != nil {
			visit(l, nil)
			return
		}
		sets++
		ir.ExpNames(s.sets[n].E, one)
		visit(nil, s.sets[n])
	}
	for _, n := range names {
		one(n)
	}
	return sets <= maxSunk
}

// into makes a kernel compute the scalars that it needs.
func (s *sinking) into(l *Launch, out map[string]bool) {
	k := l.Kernel
	names, _ := s.wanted(k, out)
	if len(names) == 0 {
		return
	}
	var params []Slot
	var args []Arg
	known := map[string]bool{}
	for i, p := range k.Params {
		if p.Mem || !out[p.Name] {
			known[p.Name] = true
			params, args = append(params, p), append(args, l.Args[i])
		}
	}
	var head []Stmt
	s.closure(names, out, func(load *Load, set *Set) {
		name, t := "", ir.Unknown
		if load != nil {
			name, t = load.Dst, load.Prim
			head = append(head, load)
		} else {
			name, t = set.Dst, set.E.Prim()
			head = append(head, set)
		}
		k.Vars = append(k.Vars, Var{name, t})
		known[name] = true
	})
	uses(head, func(r *ir.Ref) {
		if !known[r.Name] {
			known[r.Name] = true
			params, args = append(params, Slot{Name: r.Name, Prim: r.T}), append(args, Arg{E: r})
		}
	}, func(m string) {
		if !known[m] {
			known[m] = true
			params, args = append(params, Slot{Name: m, Mem: true}), append(args, Arg{Mem: m})
		}
	})
	k.Params, l.Args = params, args
	k.Body = append(head, k.Body...)
	k.Apart = s.f.apart(params)
}

// without returns statements without those that kernels have taken over. If the text assigns a
// variable that they read more than once, it may have another value when the kernel is launched.
// But this happens only at the end of a loop's body, after all uses of the values computed from it.
func (s *sinking) without(list []Stmt, out map[string]bool) []Stmt {
	var rest []Stmt
	for _, st := range list {
		for _, in := range lists(st) {
			*in = s.without(*in, out)
		}
		switch st := st.(type) {
		case *Set:
			if out[st.Dst] {
				continue
			}
		case *Fetch:
			var kept []*Load
			for _, l := range st.Loads {
				if !out[l.Dst] {
					kept = append(kept, l)
				}
			}
			if len(kept) == 0 {
				continue
			}
			st.Loads = kept
		}
		rest = append(rest, st)
	}
	return rest
}
