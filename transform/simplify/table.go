package simplify

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// A table holds the names of values that are in scope, by keys that say how they are computed.
type table struct {
	names map[string]string
	keys  []string // in the order in which they came
}

func (t *table) mark() int { return len(t.keys) }

func (t *table) add(key, name string) {
	if _, known := t.names[key]; !known {
		t.names[key] = name
		t.keys = append(t.keys, key)
	}
}

// release forgets what came since a mark.
func (t *table) release(mark int) {
	for _, k := range t.keys[mark:] {
		delete(t.names, k)
	}
	t.keys = t.keys[:mark]
}

// A keyer writes operations so that two of one text have the same value. Names that an operation
// binds are written as numbers.
type keyer struct {
	strings.Builder
	bound map[string]int
}

func expKey(e ir.Exp) string {
	k := &keyer{}
	k.exp(e)
	return k.String()
}

// bind gives a name its number.
func (k *keyer) bind(name string) {
	if k.bound == nil {
		k.bound = map[string]int{}
	}
	k.bound[name] = len(k.bound)
}

func (k *keyer) name(n string) {
	if at, ok := k.bound[n]; ok {
		fmt.Fprintf(k, "%%%d", at)
		return
	}
	k.WriteString(n)
}

// list writes a part in parentheses, so that no two lists have one text.
func (k *keyer) list(head string, n int, f func(i int)) {
	k.WriteString(head + "(")
	for i := range n {
		f(i)
		k.WriteByte(';')
	}
	k.WriteByte(')')
}

func (k *keyer) exps(head string, es ...ir.Exp) { k.list(head, len(es), func(i int) { k.exp(es[i]) }) }

func (k *keyer) exp(e ir.Exp) {
	switch e := e.(type) {
	case nil:
		k.WriteByte('_')
	case *ir.Lit:
		fmt.Fprintf(k, "%s:%x", e.T, e.Bits)
	case *ir.Ref:
		k.name(e.Name)
	case *ir.Exist:
		k.WriteString("?" + e.Name)
	case *ir.Index:
		k.name(e.Array)
		k.exps("[", e.Indices...)
	case *ir.Unary:
		k.exps(e.Op+e.T.String(), e.X)
	case *ir.Binary:
		k.binary(e)
	case *ir.Cond:
		k.exps("if", e.C, e.X, e.Y)
	case *ir.Convert:
		k.exps(e.X.Prim().String()+">"+e.T.String(), e.X)
	case *ir.Builtin:
		k.exps(e.Fn+e.Args[0].Prim().String(), e.Args...)
	}
}

// binary writes the operands of a commutative operation on integers in the order of their texts.
func (k *keyer) binary(e *ir.Binary) {
	head := e.Op + e.X.Prim().String()
	switch e.Op {
	case "+", "*", "&", "|", "^", "==", "!=":
		if e.X.Prim().Integer() {
			x, y := &keyer{bound: k.bound}, &keyer{bound: k.bound}
			x.exp(e.X)
			y.exp(e.Y)
			a, b := short(x.String()), short(y.String())
			k.list(head, 2, func(i int) { k.WriteString([]string{min(a, b), max(a, b)}[i]) })
			return
		}
	}
	k.exps(head, e.X, e.Y)
}

// short keeps the keys of deep expressions linear in their size.
func short(key string) string {
	if len(key) <= 128 {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// opKey returns the key of an operation without effects that makes an array or, as a kernel, any
// value, and whether it only looks at another array in a new way.
func opKey(op ir.Op) (key string, view, ok bool) {
	switch op.(type) {
	case *ir.Reshape, *ir.Rearrange, *ir.Slice:
		view = true
	case *ir.Copy, *ir.Concat, *ir.Range, *ir.Replicate, *ir.ArrayLit, *ir.Map, *ir.Reduce, *ir.Scan:
	default:
		return "", false, false
	}
	k := &keyer{}
	k.op(op)
	return k.String(), view, true
}

func (k *keyer) items(items []ir.Item) {
	k.list("", len(items), func(i int) {
		if it := items[i]; it.Fixed {
			k.exp(it.Index)
		} else {
			k.exps(":", it.Start, it.Len, it.Stride)
		}
	})
}

// op writes any operation: what is evaluated outside its bodies, the names that it binds, its bodies.
func (k *keyer) op(op ir.Op) {
	fmt.Fprintf(k, "%T", op)
	k.details(op)
	for _, x := range ir.Arrays(op) {
		k.WriteByte(' ')
		k.name(x)
	}
	loop, _ := op.(*ir.Loop)
	space, kernel := ir.KernelSpace(op)
	switch {
	case loop != nil:
		k.list("", len(loop.Params), func(i int) { k.exp(loop.Params[i].Init) })
		k.exps("", loop.Bound)
	case kernel:
		k.exps("", space.Sizes()...)
		for _, o := range ir.Operators(op) {
			k.exps(strconv.FormatBool(o.Commutative), o.Neutral...)
		}
	default:
		ir.Exps(op, func(e ir.Exp) { k.WriteByte(','); k.exp(e) })
	}
	ir.Elems(op, k.elem)
	for _, b := range space {
		k.bind(b.Var)
	}
	if loop != nil {
		k.bind(loop.Var)
		k.name(loop.While)
	}
	for _, b := range ir.Bodies(op) {
		k.body(b)
	}
}

// details writes what is neither a name, an expression nor a body.
func (k *keyer) details(op ir.Op) {
	switch op := op.(type) {
	case *ir.Concat:
		fmt.Fprint(k, op.Dim)
	case *ir.Rearrange:
		fmt.Fprint(k, op.Perm)
	case *ir.Slice:
		k.items(op.Items)
	case *ir.Update:
		k.items(op.Items)
	case *ir.Scratch:
		fmt.Fprint(k, op.Prim)
	case *ir.Range:
		fmt.Fprint(k, op.Iota)
	case *ir.Scatter:
		fmt.Fprint(k, op.Any)
	case *ir.Into:
		for _, a := range op.Accs {
			fmt.Fprint(k, len(a.Dests), a.Any, a.Op != nil)
		}
	case *ir.Assert:
		fmt.Fprintf(k, "%q%t%t", op.Msg, op.Size, op.Threads)
	case *ir.Call:
		k.WriteString(op.Fn)
	}
}

// elem binds a name, and writes its type.
func (k *keyer) elem(e *ir.Elem) {
	k.bind(e.Name)
	fmt.Fprint(k, e.Type.Kind, e.Type.Prim, e.Type.Unique)
	k.list("", len(e.Type.Shape), func(i int) { k.exp(e.Type.Shape[i].Exp()) })
}

func (k *keyer) body(b *ir.Body) {
	k.list("{", len(b.Stmts), func(i int) {
		s := b.Stmts[i]
		k.op(s.Op)
		for _, e := range s.Pat {
			k.elem(e)
		}
	})
	k.exps("in", b.Result...)
}
