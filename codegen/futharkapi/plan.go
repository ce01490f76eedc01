package futharkapi

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/ir"
)

// An API is the interface of a program, and the entries that implement it. It is an API
// of codegen/opencl.
type API struct {
	// Server makes the program a server executable: it speaks Futhark's server protocol
	// instead of calling one entry.
	Server  bool
	in      *signature.Interface
	tasks   bool           // for processors, without OpenCL
	types   map[string]int // index in in.Types
	arrays  []signature.Part
	entries []*entry
}

// An entry puts an entry of the source beside one of the program: the slots of
// the arguments lie one behind the other, those of the results where results says.
type entry struct {
	*signature.Entry
	index   int // in imp.Program.Entries
	inputs  []int
	outputs [][]int // per output, per part: the slot
}

// New makes the API of a program. Without a signature the program's own entries
// are it.
func New(p *imp.Program, in *signature.Interface) (*API, error) {
	if in == nil {
		in = FromEntries(p)
	}
	a := &API{in: in, tasks: p.Tasks, types: map[string]int{}}
	for i, t := range in.Types {
		a.types[t.Name] = i
	}
	index := map[string]int{}
	for i, e := range p.Entries {
		index[e.Name] = i
	}
	for _, e := range in.Entries {
		i, ok := index[e.Func]
		if !ok {
			return nil, fmt.Errorf("the program has no entry `%s`", e.Func)
		}
		planned, err := a.plan(e, i, p.Entries[i])
		if err != nil {
			return nil, fmt.Errorf("the entry `%s`: %w", e.Name, err)
		}
		a.entries = append(a.entries, planned)
	}
	a.collect()
	return a, a.clashes()
}

// FromEntries returns the signature of a program of memc's own. A result that sizes
// another one is none of its own: the array's shape tells it.
func FromEntries(p *imp.Program) *signature.Interface {
	in := &signature.Interface{}
	for _, e := range p.Entries {
		s := &signature.Entry{Name: e.Name, Func: e.Name}
		for _, q := range e.Params {
			s.Inputs = append(s.Inputs, signature.Input{Name: q.Name, Type: signature.Ref{Part: paramPart(q), Unique: q.Unique}})
		}
		for _, r := range e.Results {
			if !r.Size {
				s.Outputs = append(s.Outputs, signature.Ref{Part: resultPart(r)})
			}
		}
		in.Entries = append(in.Entries, s)
	}
	return in
}

func paramPart(q imp.EntryParam) signature.Part {
	if !q.Array {
		return signature.Part{Prim: q.Prim}
	}
	return signature.Part{Prim: q.Prim, Rank: len(q.Shape)}
}

func resultPart(r imp.EntryResult) signature.Part {
	if !r.Array {
		return signature.Part{Prim: r.Prim}
	}
	return signature.Part{Prim: r.Prim, Rank: r.Rank}
}

func (a *API) plan(s *signature.Entry, index int, e *imp.Entry) (*entry, error) {
	out := &entry{Entry: s, index: index}
	at := 0
	for _, i := range s.Inputs {
		out.inputs = append(out.inputs, at)
		for _, p := range a.in.Parts(i.Type) {
			if at >= len(e.Params) || paramPart(e.Params[at]) != p {
				return nil, fmt.Errorf("its parameters do not fit its signature")
			}
			at++
		}
	}
	if at != len(e.Params) {
		return nil, fmt.Errorf("it has %d parameters, its signature %d", len(e.Params), at)
	}
	at = 0
	next := func() int {
		for at < len(e.Results) && e.Results[at].Size {
			at++
		}
		at++
		return at - 1
	}
	for _, o := range s.Outputs {
		slots := []int{}
		for _, p := range a.in.Parts(o) {
			k := next()
			if k >= len(e.Results) || resultPart(e.Results[k]) != p {
				return nil, fmt.Errorf("its results do not fit its signature")
			}
			slots = append(slots, k)
		}
		out.outputs = append(out.outputs, slots)
	}
	if k := next(); k < len(e.Results) {
		return nil, fmt.Errorf("it has more results than its signature")
	}
	return out, nil
}

// collect finds the types of arrays that a user can hold, in the order in which
// they are met.
func (a *API) collect() {
	seen := map[signature.Part]bool{}
	add := func(r signature.Ref) {
		if r.Opaque == "" && !r.Unit && r.Part.Rank > 0 && !seen[r.Part] {
			seen[r.Part] = true
			a.arrays = append(a.arrays, r.Part)
		}
	}
	for _, e := range a.in.Entries {
		for _, i := range e.Inputs {
			add(i.Type)
		}
		for _, o := range e.Outputs {
			add(o)
		}
	}
	for _, t := range a.in.Types {
		for _, f := range t.Fields {
			add(f.Type)
		}
		for _, v := range t.Variants {
			for _, p := range v.Payload {
				add(p.Type)
			}
		}
	}
}

// maxRank bounds the shapes in c/opaque.c and c/elements.c.
const maxRank = 64

// clashes refuses two types or entries of one name in C, and shapes that the
// runtime has no room for.
func (a *API) clashes() error {
	seen := map[string]string{}
	for _, t := range a.in.Types {
		for _, p := range t.Parts {
			if p.Rank > maxRank {
				return fmt.Errorf("the type %q has arrays of more than %d dimensions", t.Name, maxRank)
			}
		}
		name := opaqueName(t.Name)
		if old, ok := seen[name]; ok {
			return fmt.Errorf("the types %q and %q have the same name in C, futhark_%s", old, t.Name, name)
		}
		seen[name] = t.Name
	}
	clear(seen)
	for _, e := range a.in.Entries {
		name := cName(e.Name)
		if old, ok := seen[name]; ok {
			return fmt.Errorf("the entries %q and %q have the same name in C, futhark_entry_%s", old, e.Name, name)
		}
		seen[name] = e.Name
	}
	return nil
}

// typ returns the type that a Ref names.
func (a *API) typ(r signature.Ref) *signature.Type { return a.in.Types[a.types[r.Opaque]] }

// constPrim is the runtime's number of a primitive type.
func constPrim(p ir.Prim) string { return "MEMC_T_" + upper(p.String()) }

// field is the member of union memc_scalar that holds a value of type p; a bool
// is a byte that holds 0 or 1.
func field(p ir.Prim) string {
	if p == ir.Bool {
		return "u8"
	}
	return p.String()
}
