package places

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// The tests write polynomials, conditions and index functions as text.

// exp reads a scalar expression; its operators are Go's.
func exp(t testing.TB, s string) ir.Exp {
	t.Helper()
	e, err := parser.ParseExpr(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return convert(t, e)
}

func convert(t testing.TB, e ast.Expr) ir.Exp {
	t.Helper()
	switch e := e.(type) {
	case *ast.Ident:
		return ir.Var(e.Name)
	case *ast.BasicLit:
		v := must.Get(strconv.ParseInt(e.Value, 10, 64))(t)
		return ir.IntLit(v)
	case *ast.ParenExpr:
		return convert(t, e.X)
	case *ast.UnaryExpr:
		x := convert(t, e.X)
		return &ir.Unary{Op: e.Op.String(), X: x, T: x.Prim()}
	case *ast.BinaryExpr:
		typ := ir.I64
		switch e.Op {
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
			typ = ir.Bool
		}
		return &ir.Binary{Op: e.Op.String(), X: convert(t, e.X), Y: convert(t, e.Y), T: typ}
	case *ast.CallExpr:
		b := &ir.Builtin{Fn: e.Fun.(*ast.Ident).Name, T: ir.I64}
		for _, x := range e.Args {
			b.Args = append(b.Args, convert(t, x))
		}
		return b
	case *ast.IndexExpr:
		return &ir.Index{Array: e.X.(*ast.Ident).Name, Indices: []ir.Exp{convert(t, e.Index)}, T: ir.I64}
	}
	t.Fatalf("cannot read %T", e)
	return nil
}

func poly64(t testing.TB, s string) sym.Poly {
	t.Helper()
	return sym.Of(exp(t, s))
}

// fun reads "off; n : s, m : t".
func fun(t testing.TB, s string) lmad.Fun {
	t.Helper()
	off, dims, _ := strings.Cut(s, ";")
	l := lmad.LMAD{Offset: poly64(t, off)}
	if strings.TrimSpace(dims) != "" {
		for d := range strings.SplitSeq(dims, ", ") {
			n, st, ok := strings.Cut(d, ":")
			if !ok {
				t.Fatalf("no stride in %q", s)
			}
			l.Dims = append(l.Dims, lmad.Dim{Len: poly64(t, n), Stride: poly64(t, st)})
		}
	}
	return lmad.Of(l)
}

// small returns facts of names whose products do not wrap.
func small(names ...string) Facts {
	var f Facts
	for _, x := range names {
		f.ranges = f.ranges.within(x, -1<<8, 1<<8)
	}
	return f
}

// facts reads conditions that hold, separated by semicolons, of names whose products do
// not wrap: those of one letter, and of two runs.
func facts(t testing.TB, s string) Facts {
	t.Helper()
	f := small("M", "N")
	for x := 'a'; x <= 'z'; x++ {
		f = f.And(small(string(x), string(x)+"@"))
		f.ranges = f.ranges.within(string(x), -1<<8, 1<<8)
	}
	for c := range strings.SplitSeq(s, ";") {
		if strings.TrimSpace(c) != "" {
			f = f.FromCondition(exp(t, c))
		}
	}
	return f
}

// disjointThreads asks of all different tuples of indices whether what one thread
// touches through a and another one through b have no byte in common. Local names
// differ from thread to thread, too; the facts are those of one thread.
func disjointThreads(f Facts, a, b lmad.Fun, elemA, elemB int64, indices, local []string) bool {
	return f.Beside(f, Facts{}, slices.Concat(indices, local)).Disjoint(a, b, elemA, elemB, indices)
}
