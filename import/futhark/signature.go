package futhark

import (
	"strings"

	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Signature reads what a dump offers to the outside: its entries and the types of
// its source. Entries are named as Import names them.
func Signature(f *diag.File) (in *signature.Interface, list *diag.List) {
	list = &diag.List{File: f}
	tree := parse(f, list)
	if tree == nil {
		return nil, list
	}
	t := &translator{file: f, list: list, tree: tree, funs: map[string]*fun{}}
	s := &signer{t: t, list: list, in: &signature.Interface{}, parts: map[string][]signature.Part{}, tuning: map[string]int{}}
	for _, g := range tree.funs {
		t.funs[g.name] = g
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
		}
	}()
	t.nameFunctions()
	for _, name := range tree.names {
		s.in.Types = append(s.in.Types, s.typ(name, tree.types[name]))
	}
	for _, g := range tree.funs {
		if g.entry != "" {
			s.in.Entries = append(s.in.Entries, s.entry(g))
		}
	}
	if err := s.in.Check(); err != nil {
		list.Errorf(diag.BadFutharkDump, diag.Span{}, "%v", err).Hinted("memc reads the memory IR of Futhark 0.25.37 (docs/futhark.md)")
	}
	return s.in, list
}

// maxParts bounds the values that a type is made of, which types within types may
// multiply.
const maxParts = 10000

// A signer makes the signature of a dump.
type signer struct {
	t      *translator
	list   *diag.List
	in     *signature.Interface
	parts  map[string][]signature.Part // of types, down to scalars and arrays
	tuning map[string]int              // index in in.Tuning
}

func (s *signer) fail(span diag.Span, format string, args ...any) {
	s.list.Errorf(diag.BadFutharkDump, span, format, args...)
	panic(stop{})
}

func (s *signer) typ(name string, o *opaque) *signature.Type {
	t := &signature.Type{Name: name, Elem: o.elem, Rank: o.rank, Parts: s.partsOf(name, o.span, 0)}
	switch o.kind {
	case "record", "record_array":
		t.Kind = signature.Record
		if o.kind == "record_array" {
			t.Kind = signature.RecordArray
		}
		for i, e := range o.parts {
			t.Fields = append(t.Fields, signature.Field{Name: o.fields[i], Type: s.ref(e)})
		}
	case "array":
		t.Kind = signature.Array
	case "sum":
		t.Kind = signature.Sum
		t.Variants = s.variants(o)
	}
	return t
}

// variants: the slots count values of type unit, which have no part.
func (s *signer) variants(o *opaque) []signature.Variant {
	at := make([]int, len(o.parts))
	n := 0
	for i, e := range o.parts {
		at[i] = n
		n += len(s.partsOfRef(e, 0))
	}
	var vs []signature.Variant
	for _, v := range o.variants {
		out := signature.Variant{Name: v.name}
		for i, e := range v.payload {
			p := signature.Payload{Type: s.ref(e)}
			for _, k := range v.slots[i] {
				if k < 0 || k >= len(o.parts) {
					s.fail(o.span, "the constructor `%s` lies in value %d of %d", v.name, k, len(o.parts))
				}
				for j := range s.partsOfRef(o.parts[k], 0) {
					p.Parts = append(p.Parts, at[k]+j)
				}
			}
			out.Payload = append(out.Payload, p)
		}
		vs = append(vs, out)
	}
	return vs
}

func (s *signer) partsOf(name string, at diag.Span, depth int) []signature.Part {
	if p, ok := s.parts[name]; ok {
		return p
	}
	o := s.t.tree.types[name]
	if o == nil {
		s.fail(at, "the type \"%s\" is not defined", name)
	}
	if depth > maxDepth {
		s.fail(at, "the type \"%s\" contains itself", name)
	}
	var parts []signature.Part
	for _, e := range o.parts {
		parts = append(parts, s.partsOfRef(e, depth)...)
		if len(parts) > maxParts {
			s.list.Limitf(o.span, "the type \"%s\" is made of more than %d values", name, maxParts)
			panic(stop{})
		}
	}
	s.parts[name] = parts
	return parts
}

func (s *signer) partsOfRef(e extType, depth int) []signature.Part {
	switch {
	case e.opaque != "":
		return s.partsOf(e.opaque, e.span, depth+1)
	case e.prim == "unit":
		return nil
	}
	return []signature.Part{s.part(e)}
}

func (s *signer) part(e extType) signature.Part {
	p := ir.PrimByName(e.prim)
	if p == 0 {
		s.fail(e.span, "`%s` is not a type of an entry", e.prim)
	}
	return signature.Part{Prim: p, Rank: e.rank}
}

func (s *signer) ref(e extType) signature.Ref {
	switch {
	case e.opaque != "":
		return signature.Ref{Opaque: e.opaque, Unique: e.uniq}
	case e.prim == "unit":
		return signature.Ref{Unit: true}
	}
	return signature.Ref{Part: s.part(e), Unique: e.uniq}
}

func (s *signer) entry(f *fun) *signature.Entry {
	e := &signature.Entry{Name: f.entry, Func: s.t.names[f], Attributes: f.attrs}
	for i, p := range f.sig {
		e.Inputs = append(e.Inputs, signature.Input{Name: f.sigName[i], Type: s.ref(p)})
	}
	for _, r := range f.sigRets {
		e.Outputs = append(e.Outputs, s.ref(r))
	}
	seen := map[string]bool{}
	add := func(owner string) func(*eSize) {
		return func(x *eSize) {
			name := qualified(owner, x.name)
			if x.class == "" || seen[name] {
				return
			}
			seen[name] = true
			k, ok := s.tuning[name]
			if !ok {
				k = len(s.in.Tuning)
				s.tuning[name] = k
				s.in.Tuning = append(s.in.Tuning, signature.Tuning{Name: name, Class: qualifiedClass(owner, x.class)})
			}
			e.Tuning = append(e.Tuning, k)
		}
	}
	sizes(&body{stms: s.t.tree.consts}, add(""))
	s.reached(f, map[*fun]bool{}, add)
	return e
}

// reached visits the tuning parameters of a function and of those that it calls.
func (s *signer) reached(f *fun, seen map[*fun]bool, add func(owner string) func(*eSize)) {
	if seen[f] {
		return
	}
	seen[f] = true
	owner := f.entry
	if owner == "" {
		owner = f.name
	}
	sizes(f.body, add(owner))
	callees(f.body, func(e *eApply) {
		if g := s.t.funs[e.fn]; g != nil {
			s.reached(g, seen, add)
		}
	})
}

// qualified returns the name by which users know a tuning parameter: with the
// entry or function that it is of, where it is of one.
func qualified(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// qualifiedClass does the same in threshold(DEFAULT, !NAME NAME ..), which says
// after which other comparisons the parameter is asked for.
func qualifiedClass(owner, class string) string {
	head, path, ok := strings.Cut(class, ", ")
	if !ok || !strings.HasPrefix(class, "threshold(") {
		return class
	}
	steps := strings.Fields(strings.TrimSuffix(path, ")"))
	for i, step := range steps {
		name, not := strings.CutPrefix(step, "!")
		steps[i] = qualified(owner, name)
		if not {
			steps[i] = "!" + steps[i]
		}
	}
	return head + ", " + strings.Join(steps, " ") + ")"
}

// sizes calls f for every question for a tuning parameter in a body.
func sizes(b *body, f func(*eSize)) {
	for _, s := range b.stms {
		switch e := s.exp.(type) {
		case *eSize:
			f(e)
		case *eIf:
			sizes(e.yes, f)
			sizes(e.no, f)
		case *eMatch:
			for _, c := range e.cases {
				sizes(c.body, f)
			}
			sizes(e.dflt, f)
		case *eLoop:
			sizes(e.body, f)
		case *eWithAcc:
			sizes(e.lam.body, f)
		case *eSeg:
			sizes(e.body, f)
		case *eGPU:
			sizes(e.body, f)
		}
	}
}
