package erase

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Equal reports, as an error, a place where two programs differ in meaning because they compute it
// differently. It returns nil if there is none. Both may contain memory, which does not count.
//
// Note [Digests]. The value of a name is identified by a digest of the operation that makes it and
// of the digests of the operands, as in global value numbering. A name that a body binds is
// identified by the depth of that body. So names do not count, nor the place where a scalar is
// computed, nor unused values; an alias and a copy are the same as their source. Equal digests mean
// equal values.
func Equal(p, q *ir.Program) error {
	p, q = ir.Erase(p), ir.Erase(q)
	if len(p.Funcs) != len(q.Funcs) {
		return fmt.Errorf("%d functions became %d", len(p.Funcs), len(q.Funcs))
	}
	for k, f := range p.Funcs {
		g := q.Funcs[k]
		if f.Name != g.Name || len(f.Params) != len(g.Params) || len(f.Results) != len(g.Results) {
			return fmt.Errorf("the head of `%s` has changed", f.Name)
		}
		a, b := digest(f), digest(g)
		for j := range a.results {
			if j >= len(b.results) || a.results[j] != b.results[j] {
				return fmt.Errorf("result %d of `%s` is computed in another way", j+1, f.Name)
			}
		}
		if strings.Join(a.asserts, ",") != strings.Join(b.asserts, ",") {
			return fmt.Errorf("the assertions of `%s` have changed", f.Name)
		}
	}
	return nil
}

// A digester computes the digests of one function.
type digester struct {
	names   map[string]string
	prims   map[string]ir.Prim // of arrays, by name
	depth   int
	results []string
	asserts []string
	effects []string // of the present body: its writes to accumulators
}

func digest(f *ir.Func) *digester {
	d := &digester{names: map[string]string{}, prims: primsOf(f)}
	for k, n := range f.Sizes {
		d.names[n] = mix("size", strconv.Itoa(k))
	}
	for k, el := range f.Params {
		d.names[el.Name] = mix("param", strconv.Itoa(k), el.Type.Prim.String(), strconv.Itoa(el.Type.Rank()))
	}
	d.results = d.body(f.Body)
	return d
}

// primsOf returns the types of the elements of a function's arrays.
func primsOf(f *ir.Func) map[string]ir.Prim {
	prims := map[string]ir.Prim{}
	note := func(el *ir.Elem) {
		if el.Type.Kind == ir.ArrayKind {
			prims[el.Name] = el.Type.Prim
		}
	}
	for _, el := range f.Params {
		note(el)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, el := range s.Pat {
			note(el)
		}
		ir.Elems(s.Op, note)
		return true
	})
	return prims
}

// mix returns the digest of a word and of digests.
func mix(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return string(sum[:16])
}

// body digests a body's statements and gives the digests of its values, and then of its writes to
// accumulators, in their order.
func (d *digester) body(b *ir.Body) []string {
	outer := d.effects
	d.effects = nil
	for _, s := range b.Stmts {
		d.stmt(s)
	}
	out := append(d.exps(b.Result), d.effects...)
	d.effects = outer
	return out
}

func (d *digester) name(n string) string {
	if x, ok := d.names[n]; ok {
		return x
	}
	return mix("free", n)
}

func (d *digester) exps(es []ir.Exp) []string {
	out := make([]string, len(es))
	for k, e := range es {
		out[k] = d.exp(e)
	}
	return out
}

func (d *digester) exp(e ir.Exp) string {
	switch e := e.(type) { // exhaustive
	case nil:
		return ""
	case *ir.Lit:
		return mix("lit", e.T.String(), strconv.FormatUint(e.Bits, 16))
	case *ir.Ref:
		return d.name(e.Name)
	case *ir.Exist:
		return mix("exist", e.Name)
	case *ir.Index:
		return mix(append([]string{"index", d.name(e.Array)}, d.exps(e.Indices)...)...)
	case *ir.Unary:
		return mix("unary", e.Op, e.T.String(), d.exp(e.X))
	case *ir.Binary:
		return mix("binary", e.Op, e.X.Prim().String(), d.exp(e.X), d.exp(e.Y))
	case *ir.Cond:
		return mix("cond", d.exp(e.C), d.exp(e.X), d.exp(e.Y))
	case *ir.Convert:
		return mix("convert", e.T.String(), e.X.Prim().String(), d.exp(e.X))
	case *ir.Builtin:
		return mix(append([]string{"builtin", e.Fn, e.T.String()}, d.exps(e.Args)...)...)
	}
	return mix("unknown")
}

func (d *digester) items(items []ir.Item) []string {
	var out []string
	for _, it := range items {
		stride := it.Stride
		if stride == nil && !it.Fixed {
			stride = ir.IntLit(1)
		}
		for _, e := range []ir.Exp{it.Index, it.Start, it.Len, stride} {
			if e == nil {
				out = append(out, "")
			} else {
				out = append(out, d.exp(e))
			}
		}
	}
	return out
}

// inside digests what lies below binders, one level down; bind names what it
// binds.
func (d *digester) inside(bind func(name func(n, kind string)), f func() []string) []string {
	d.depth++
	count := 0
	bind(func(n, kind string) {
		d.names[n] = mix(kind, strconv.Itoa(d.depth), strconv.Itoa(count))
		count++
	})
	out := f()
	d.depth--
	return out
}

func (d *digester) stmt(s *ir.Stmt) {
	one := func(parts ...string) { d.bind(s, func(int) string { return mix(parts...) }) }
	list := func(word string, es []string, more ...string) {
		one(append(append([]string{word}, es...), more...)...)
	}
	switch op := s.Op.(type) { // exhaustive except for alloc, which is erased
	case *ir.Compute:
		d.bind(s, func(int) string { return d.exp(op.E) })
	case *ir.Assert:
		if op.Size {
			return // a pass may tell earlier that a size is negative
		}
		parts := []string{"assert", strconv.Itoa(d.depth), d.exp(op.Cond), op.Msg}
		for _, v := range op.Values {
			parts = append(parts, d.exp(v))
		}
		d.asserts = append(d.asserts, mix(parts...))
	case *ir.Copy:
		d.bind(s, func(int) string { return d.name(op.X) })
	case *ir.Alias:
		d.bind(s, func(int) string {
			if p, of := d.prims[s.Pat[0].Name], d.prims[op.X]; p != of {
				return mix("as", p.String(), d.name(op.X))
			}
			return d.name(op.X)
		})
	case *ir.Concat:
		var args []string
		for _, a := range op.Args {
			args = append(args, d.name(a))
		}
		list("concat", args, strconv.Itoa(op.Dim))
	case *ir.Scratch:
		list("scratch", d.exps(op.Dims), op.Prim.String())
	case *ir.Range:
		one("range", s.Pat[0].Type.Prim.String(), d.exp(op.Lo), d.exp(op.Hi))
	case *ir.Replicate:
		list("replicate", d.exps(op.Dims), d.exp(op.X))
	case *ir.ArrayLit:
		list("array", d.exps(op.Elems))
	case *ir.Reshape:
		list("reshape", d.exps(op.Dims), d.name(op.X))
	case *ir.Rearrange:
		one("rearrange", fmt.Sprint(op.Perm), d.name(op.X))
	case *ir.Slice:
		list("slice", d.items(op.Items), d.name(op.X))
	case *ir.Update:
		list("update", d.items(op.Items), d.name(op.X), d.exp(op.Value))
	case *ir.If:
		cond := d.exp(op.Cond)
		x := d.inside(func(func(n, kind string)) {}, func() []string { return d.body(op.Then) })
		y := d.inside(func(func(n, kind string)) {}, func() []string { return d.body(op.Else) })
		d.bind(s, func(k int) string { return mix("if", cond, x[k], y[k]) })
		if x, y := x[len(s.Pat):], y[len(s.Pat):]; len(x)+len(y) > 0 {
			d.effects = append(d.effects, mix(slices.Concat([]string{"if", cond}, x, []string{"else"}, y)...))
		}
	case *ir.Loop:
		d.loop(s, op)
	case *ir.Call:
		args := d.exps(op.Args)
		d.bind(s, func(k int) string {
			return mix(append([]string{"call", op.Fn, strconv.Itoa(k)}, args...)...)
		})
	case *ir.Map:
		d.kernel(s, "map", op.Body)
	case *ir.Reduce:
		d.kernel(s, "reduce", op.Body)
	case *ir.Scan:
		d.kernel(s, "scan", op.Body)
	case *ir.Scatter:
		kind := "scatter"
		if op.Any {
			kind = "scatter any"
		}
		d.kernel(s, kind, op.Body)
	case *ir.Hist:
		d.kernel(s, "hist", op.Body)
	case *ir.Into:
		kind := "into"
		for _, a := range op.Accs {
			kind += fmt.Sprint(" ", len(a.Dests), a.Any, a.Op != nil)
		}
		d.kernel(s, kind, op.Body)
	case *ir.Put:
		parts := []string{"put"}
		for _, x := range op.Dests {
			parts = append(parts, d.name(x))
		}
		parts = append(parts, d.exps(op.Index)...)
		d.effects = append(d.effects, mix(append(parts, d.exps(op.Values)...)...))
	}
}

// bind gives the names of a pattern their digests.
func (d *digester) bind(s *ir.Stmt, of func(k int) string) {
	for k, el := range s.Pat {
		d.names[el.Name] = of(k)
	}
}

func (d *digester) loop(s *ir.Stmt, op *ir.Loop) {
	parts := []string{"loop"}
	for _, p := range op.Params {
		parts = append(parts, d.exp(p.Init))
	}
	if op.Bound != nil {
		parts = append(parts, d.exp(op.Bound))
	}
	parts = append(parts, d.inside(func(name func(n, kind string)) {
		for _, p := range op.Params {
			name(p.Elem.Name, "loop")
		}
		if op.Var != "" {
			name(op.Var, "counter")
		}
	}, func() []string {
		out := d.body(op.Body)
		if op.While != "" {
			out = append(out, "while", d.name(op.While))
		}
		return out
	})...)
	whole := mix(parts...)
	d.bind(s, func(k int) string { return mix(whole, strconv.Itoa(k)) })
	if puts(op.Body) {
		d.effects = append(d.effects, whole)
	}
}

// puts reports whether a body writes accumulators.
func puts(b *ir.Body) (found bool) {
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		_, put := s.Op.(*ir.Put)
		found = found || put
		return !found
	})
	return found
}

func (d *digester) kernel(s *ir.Stmt, word string, body *ir.Body) {
	parts := []string{word}
	space, _ := ir.KernelSpace(s.Op)
	for _, b := range space {
		parts = append(parts, d.exp(b.Size))
	}
	for _, n := range ir.Dests(s.Op) {
		parts = append(parts, d.name(n))
	}
	ops := ir.Operators(s.Op)
	for _, op := range ops {
		parts = append(parts, strconv.FormatBool(op.Commutative))
		parts = append(parts, d.exps(op.Neutral)...)
	}
	parts = append(parts, d.inside(func(name func(n, kind string)) {
		for _, b := range space {
			name(b.Var, "thread")
		}
		for _, op := range ops {
			for _, el := range op.Params {
				name(el.Name, "operand")
			}
		}
	}, func() []string {
		var out []string
		for _, op := range ops {
			out = append(append(out, d.body(op.Body)...), "of")
		}
		return append(out, d.body(body)...)
	})...)
	whole := mix(parts...)
	d.bind(s, func(k int) string { return mix(whole, strconv.Itoa(k)) })
}
