package imp

import "github.com/memc-lang/memc/ir"

// Scopes tells where the variables of a kernel or function are declared in a
// language with blocks: at the assignment that comes first, where every other
// mention lies in the same list of statements (or in lists inside it) behind it;
// at the top otherwise. A variable that only the body of a loop over points mentions
// is declared in that body, since no point knows of another: at its top, where it is
// not declared further inside.
//
// The mentions of a variable have an innermost list that holds them all: the
// longest common prefix of the paths to them. If the first of that list's
// statements with a mention in it is a plain assignment, it comes before every
// other one, in each iteration of a loop around.
type Scopes struct {
	Declares map[Stmt]ir.Prim // assignments, and loops whose variable they alone mention
	Top      map[string]bool
	Points   map[*For][]Var  // declared at the top of the body of a loop over points
	Used     map[string]bool // every scalar mentioned
}

// A mention is one list on a path, and the statement of it that is on the path.
type mention struct {
	list int
	stmt Stmt
}

type placer struct {
	types map[string]ir.Prim
	lists int
	path  []mention
	first map[string][]mention // path of the first mention
	own   map[string]bool      // it assigns, at the end of the path
	depth map[string]int       // length of the common prefix
	used  map[string]bool
}

// PlaceVars decides for the variables of a body, where those named after are read
// behind it.
func PlaceVars(vars []Var, body []Stmt, after ...string) *Scopes {
	p := &placer{
		types: map[string]ir.Prim{}, first: map[string][]mention{}, own: map[string]bool{},
		depth: map[string]int{}, used: map[string]bool{},
	}
	for _, v := range vars {
		p.types[v.Name] = v.Prim
	}
	p.list(body, after...)
	s := &Scopes{Declares: map[Stmt]ir.Prim{}, Top: map[string]bool{}, Points: map[*For][]Var{}, Used: p.used}
	for _, v := range vars {
		path, ok := p.first[v.Name]
		if !ok {
			continue
		}
		if d := p.depth[v.Name]; p.own[v.Name] && d == len(path) {
			s.Declares[path[d-1].stmt] = v.Prim
		} else if l := pointLoop(path[:p.depth[v.Name]]); l != nil {
			s.Points[l] = append(s.Points[l], v)
		} else {
			s.Top[v.Name] = true
		}
	}
	return s
}

// pointLoop gives the innermost loop over points whose body is on a path.
func pointLoop(path []mention) *For {
	for k := len(path) - 2; k > 0; k-- {
		// A loop is on a path twice: as a statement of the list around, and as a
		// list of its own (forVar), in which its body lies.
		if l, ok := path[k].stmt.(*For); ok && l.Points && path[k-1].stmt == Stmt(l) {
			return l
		}
	}
	return nil
}

func (p *placer) list(list []Stmt, after ...string) {
	p.lists++
	p.path = append(p.path, mention{list: p.lists})
	for _, s := range list {
		p.path[len(p.path)-1].stmt = s
		p.stmt(s)
	}
	p.path[len(p.path)-1].stmt = nil
	for _, name := range after {
		p.mention(name, false)
	}
	p.path = p.path[:len(p.path)-1]
}

// mention notes a variable; assigns tells that the current statement does
// nothing but assign it.
func (p *placer) mention(name string, assigns bool) {
	p.used[name] = true
	if _, ok := p.types[name]; !ok {
		return
	}
	first, ok := p.first[name]
	if !ok {
		p.first[name] = append([]mention(nil), p.path...)
		p.own[name] = assigns
		p.depth[name] = len(p.path)
		return
	}
	d := 0
	for d < len(first) && d < len(p.path) && first[d].list == p.path[d].list {
		d++
	}
	p.depth[name] = min(p.depth[name], d)
}

func (p *placer) exps(es ...ir.Exp) {
	for _, e := range es {
		ir.ExpNames(e, func(n string) { p.mention(n, false) })
	}
}

func (p *placer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Set:
		p.exps(s.E)
		p.mention(s.Dst, true)
	case *Load:
		p.exps(s.Off)
		p.mention(s.Dst, true)
	case *Fetch:
		for _, l := range s.Loads {
			p.exps(l.Off)
		}
		for _, l := range s.Loads {
			p.path[len(p.path)-1].stmt = l // its declaration comes before the fetch
			p.mention(l.Dst, true)
		}
	case *Upload:
		p.exps(s.Off)
	case *Store:
		p.exps(s.Off, s.Val)
	case *Check:
		p.exps(s.Cond)
		p.exps(s.Args...)
	case *Alloc:
		p.exps(s.Bytes)
	case *SizeOf:
		p.mention(s.Dst, true)
	case *Query:
		p.mention(s.Dst, true)
	case *Inverse:
		p.exps(s.N, s.Total)
		p.mention(s.Dst, true)
	case *PtrAt:
		p.exps(s.Off)
	case *If:
		p.exps(s.Cond)
		p.list(s.Then)
		p.list(s.Else)
	case *For:
		p.exps(s.Bound)
		if s.Local {
			p.exps(localID, localSize)
		}
		if s.Turns != nil {
			p.exps(s.Turns)
		}
		p.forVar(s)
	case *While:
		p.exps(s.Cond)
		p.list(s.Body)
	case *KRegion:
		p.list(s.Body)
	case *Move:
		p.exps(s.Off, s.Count)
	case *Ticket:
		p.exps(s.Off)
		p.mention(s.Dst, true)
	case *Raise:
		p.exps(s.Off, s.Val)
	case *Await:
		p.exps(s.Off)
		for _, dst := range s.Dsts {
			p.mention(dst, false)
		}
	case *Atomic:
		p.atomic(s)
	case *Copy:
		p.exps(s.Dst.Offset, s.Src.Offset)
		p.exps(s.Dst.Strides...)
		p.exps(s.Src.Strides...)
		p.exps(s.Shape...)
	case *Launch:
		p.exps(s.Groups)
		if s.Size != nil {
			p.exps(s.Size)
		}
		p.args(s.Args)
		if s.Copied != nil {
			p.exps(s.Copied)
		}
	case *Call:
		p.args(s.Args)
		for _, r := range s.Results {
			p.mention(r, false)
		}
	}
}

func (p *placer) args(args []Arg) {
	for _, a := range args {
		if a.Mem == "" {
			p.exps(a.E)
		}
	}
}

// forVar treats the loop as a list of its own, so that a variable that only the
// loop mentions is declared in its header.
func (p *placer) forVar(s *For) {
	p.lists++
	p.path = append(p.path, mention{p.lists, s})
	p.mention(s.Var, true)
	p.list(s.Body)
	p.path = p.path[:len(p.path)-1]
}

func (p *placer) atomic(s *Atomic) {
	p.exps(s.Offs...)
	if s.Lock != "" {
		p.exps(s.LockOff)
	}
	if s.Val != nil {
		p.exps(s.Val)
	}
	p.lists++
	p.path = append(p.path, mention{p.lists, s})
	for _, o := range s.Old {
		p.mention(o, false)
	}
	p.list(s.Body)
	p.exps(s.New...)
	p.path = p.path[:len(p.path)-1]
}
