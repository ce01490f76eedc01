package futhark

import (
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// kind says what a name of the dump stands for.
type kind uint8

const (
	scalarKind kind = iota
	arrayKind
	memKind
	unitKind // also certificates
	accKind
)

// A variable is what a name of the dump became.
type variable struct {
	kind  kind
	name  string // in memc's program
	prim  ir.Prim
	shape []ir.Dim
	konst *ir.Lit // what a scalar is, if that is known
	acc   *accumulator
	arrs  []string // of an accumulator: the arrays' names as they are now
	// level tells how many kernels stand around the place where an array was made,
	// also for views of it: one made outside of the innermost is seen by all its
	// threads.
	level int
	// Of a block: name is "" where memc's program has none for it.
	private *private
	unknown bool // existential in a kernel: whose part it is, only the run tells
	// Of an array: its block and index function as the dump says, "" where that
	// is not known.
	mem, ix string
	dump    *place // the same as it stands there
}

// A scope maps the names of the dump. Bodies have scopes of their own.
type scope struct {
	up    *scope
	names map[string]*variable
}

func (t *translator) push() { t.env = &scope{up: t.env, names: map[string]*variable{}} }
func (t *translator) pop()  { t.env = t.env.up }

// find returns the variable with that name, or nil.
func (t *translator) find(name string) *variable {
	for s := t.env; s != nil; s = s.up {
		if v := s.names[name]; v != nil {
			return v
		}
	}
	return nil
}

func (t *translator) lookup(name string, at diag.Span) *variable {
	v := t.find(name)
	if v == nil {
		t.wrong(at, "`%s` is not in scope", name)
	}
	return v
}

// fresh returns a name that the function does not have yet, from a name of the
// dump, which may hold almost any character.
func (t *translator) fresh(base string) string {
	var b strings.Builder
	for _, r := range base {
		switch {
		case r < 128 && (r == '_' || r == '\'' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.TrimLeft(b.String(), "_'0123456789")
	if name == "" {
		name = "v" + strings.TrimLeft(b.String(), "_'")
	}
	try := name
	for k := 1; t.used[try] || reserved[try]; k++ {
		try = name + "_" + strconv.Itoa(k)
	}
	t.used[try] = true
	if t.kern != nil {
		t.kern.inside[try] = true
	}
	return try
}

// reserved words of memc's language, which no variable can be named.
var reserved = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("entry fun let in if else loop for while map reduce scan scatter hist op neutral commutative " +
		"copy concat scratch iota replicate reshape rearrange with alloc assert mem true false then do return match case") {
		m[w] = true
	}
	for w := range ir.Builtins {
		m[w] = true
	}
	for _, p := range ir.Prims {
		m[p.String()] = true
	}
	return m
}()

// prim returns memc's type for a primitive of the dump.
func (t *translator) prim(name string, at diag.Span) ir.Prim {
	p := ir.PrimByName(name)
	if p == ir.Unknown {
		t.wrong(at, "unknown type `%s`", name)
	}
	return p
}

func kindOf(ty *typ) kind {
	switch {
	case ty.prim == "mem":
		return memKind
	case ty.prim == "acc":
		return accKind
	case ty.prim == "unit": // also in arrays: certificates of code on the device
		return unitKind
	case len(ty.shape) > 0:
		return arrayKind
	}
	return scalarKind
}

// dims returns sizes as dims.
func (t *translator) dims(ops []operand) []ir.Dim {
	ds := make([]ir.Dim, len(ops))
	for i, o := range ops {
		ds[i] = t.dim(o)
	}
	return ds
}

func (t *translator) dim(o operand) ir.Dim {
	if o.konst != "" {
		n, err := strconv.ParseInt(strings.TrimSuffix(o.konst, "i64"), 10, 64)
		if err != nil {
			t.wrong(o.span, "`%s` is not a size", o.konst)
		}
		return ir.Dim{Const: n}
	}
	v := t.lookup(o.name, o.span)
	if v.konst != nil {
		return ir.Dim{Const: int64(v.konst.Bits)}
	}
	return ir.Dim{Name: v.name}
}

func dimExps(ds []ir.Dim) []ir.Exp {
	es := make([]ir.Exp, len(ds))
	for i, d := range ds {
		es[i] = d.Exp()
	}
	return es
}

// variable makes the variable that a type of the dump describes, and the
// element that binds it. A block, a unit or an accumulator has none.
func (t *translator) variable(name string, ty *typ, at diag.Span) (*variable, *ir.Elem) {
	v := &variable{kind: kindOf(ty)}
	switch v.kind {
	case scalarKind:
		v.prim = t.prim(ty.prim, ty.span)
		v.name = t.fresh(name)
		return v, &ir.Elem{Name: v.name, Type: ir.Scalar(v.prim), Written: true, Span: at}
	case arrayKind:
		v.prim, v.shape = t.elements(name, t.prim(ty.prim, ty.span)), t.dims(ty.shape)
		v.name = t.fresh(name)
		e := &ir.Elem{Name: v.name, Type: ir.Array(v.prim, v.shape, nil), Written: true, Span: at}
		e.Type.Unique = ty.uniq
		return t.madeHere(v), e
	}
	return v, nil
}

// bind makes a variable for a name of the dump.
func (t *translator) bind(p *param) *ir.Elem {
	v, e := t.variable(p.name, p.typ, p.span)
	t.env.names[p.name] = v
	v.dump = p.typ.place
	if t.places && v.kind == arrayKind && p.typ.place != nil && p.typ.place.mem != "" {
		v.mem, v.ix = t.ixText(p.typ.place, v.shape)
	}
	return e
}

// bindAll binds a pattern and gives the elements of those with a value.
func (t *translator) bindAll(ps []*param) []*ir.Elem {
	var es []*ir.Elem
	for _, p := range ps {
		if e := t.bind(p); e != nil {
			e.Type.Unique = false
			es = append(es, e)
		}
	}
	return es
}

// alias lets a name of the dump stand for what another variable is.
func (t *translator) alias(name string, v *variable) { t.env.names[name] = v }

// exp returns an operand as an expression; arrays as a reference.
func (t *translator) exp(o operand) ir.Exp {
	if o.konst != "" {
		return t.literal(o)
	}
	v := t.lookup(o.name, o.span)
	if v.konst != nil {
		l := *v.konst
		l.At = o.span
		return &l
	}
	switch v.kind {
	case scalarKind:
		return &ir.Ref{Name: v.name, T: v.prim, At: o.span}
	case arrayKind:
		return &ir.Ref{Name: v.name, At: o.span}
	}
	t.wrong(o.span, "`%s` has no value", o.name)
	return nil
}

func (t *translator) exps(ops []operand) []ir.Exp {
	es := make([]ir.Exp, len(ops))
	for i, o := range ops {
		es[i] = t.exp(o)
	}
	return es
}

// kindOfOperand tells what an operand is.
func (t *translator) kindOfOperand(o operand) kind {
	switch {
	case o.konst == "()":
		return unitKind
	case o.konst != "":
		return scalarKind
	}
	return t.lookup(o.name, o.span).kind
}

// primOf returns the type of a scalar operand.
func (t *translator) primOf(o operand) ir.Prim {
	if o.konst != "" {
		return t.exp(o).Prim()
	}
	return t.lookup(o.name, o.span).prim
}

// literal: 42i64, -1.5f32, f32.inf, true.
func (t *translator) literal(o operand) ir.Exp {
	text, negative := strings.CutPrefix(o.konst, "-")
	l := &ir.Lit{At: o.span}
	switch {
	case text == "true" || text == "false":
		l = ir.BoolLit(text == "true")
		l.At = o.span
		return l
	case strings.HasSuffix(text, ".inf") || strings.HasSuffix(text, ".nan"):
		p, special, _ := strings.Cut(text, ".")
		l.Text, l.Suffix, l.T = special, true, t.prim(p, o.span)
	default:
		k := strings.LastIndexAny(text, "if")
		if k < 0 {
			t.wrong(o.span, "`%s` is no constant", o.konst)
		}
		l.Text, l.T = text[:k], t.prim(text[k:], o.span)
		l.Suffix = l.T != ir.I64 // the type of a literal that says none
		if n, err := strconv.ParseUint(l.Text, 10, 64); err == nil && l.T.Integer() {
			l.Bits = n
		}
	}
	if negative {
		return &ir.Unary{Op: "-", X: l, T: l.T, At: o.span}
	}
	return l
}
