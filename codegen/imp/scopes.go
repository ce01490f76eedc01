package imp

import "github.com/memc-lang/memc/ir"

// Scopes says where the variables of a kernel or function are declared in a language with blocks:
// at the first assignment, if every other mention comes after it in the same list of statements (or
// in lists inside it); otherwise at the top. A variable that only the body of a loop over points
// mentions is declared in that body, since points share no variables: at the body's top, unless it
// is declared further inside.
//
// All mentions of a variable lie in an innermost common list: the longest common prefix of the
// paths to them. If the first of that list's statements with a mention is a plain assignment, it
// comes before every other mention, in each iteration of a loop around.
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

// pointLoop returns the innermost loop over points whose body is on a path.
func pointLoop(path []mention) *For {
	for k := len(path) - 2; k > 0; k-- {
		// A loop is on a path twice: as a statement of the list around, and as a
		// list of its own, in which its body lies.
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

// mention records a variable; assigns tells that the current statement does
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

func (p *placer) stmt(s Stmt) {
	if isA[*For](s) {
		// The loop is a list of its own, so that a variable that only it mentions is
		// declared in its header.
		p.lists++
		p.path = append(p.path, mention{p.lists, s})
		defer func() { p.path = p.path[:len(p.path)-1] }()
	}
	s.visit(&visitor{
		exp: func(e ir.Exp) { ir.ExpNames(e, func(n string) { p.mention(n, false) }) },
		set: func(name string, by Stmt) {
			if by != nil {
				p.path[len(p.path)-1].stmt = by
			}
			p.mention(name, by != nil)
		},
		list: func(l *[]Stmt) { p.list(*l) },
	})
}
