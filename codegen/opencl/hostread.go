package opencl

import (
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// A nameSet collects the variables that expressions read.
type nameSet map[string]bool

// readNames gives the scalar variables whose value a function uses. C compilers
// warn about the others.
func readNames(f *imp.Func) map[string]bool {
	n := nameSet{}
	for _, r := range f.Results {
		n[r.Name] = true
	}
	n.body(f.Body)
	return n
}

func (n nameSet) body(list []imp.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *imp.Set:
			n.add(s.E)
		case *imp.Load:
			n.add(s.Off)
		case *imp.Store:
			n.add(s.Off, s.Val)
		case *imp.Check:
			n.add(s.Cond)
			n.add(s.Args...)
		case *imp.If:
			n.add(s.Cond)
			n.body(s.Then)
			n.body(s.Else)
		case *imp.For:
			n.add(s.Bound)
			n.body(s.Body)
		case *imp.While:
			n.add(s.Cond)
			n.body(s.Body)
		case *imp.Alloc:
			n.add(s.Bytes)
		case *imp.Copy:
			n.add(s.Dst.Offset, s.Src.Offset)
			n.add(s.Dst.Strides...)
			n.add(s.Src.Strides...)
			n.add(s.Shape...)
		case *imp.Launch:
			n.add(s.Groups, s.Copied)
			n.args(s.Args)
		case *imp.Call:
			n.args(s.Args)
		}
	}
}

func (n nameSet) args(list []imp.Arg) {
	for _, a := range list {
		if a.Mem == "" {
			n.add(a.E)
		}
	}
}

func (n nameSet) add(list ...ir.Exp) {
	for _, e := range list {
		switch e := e.(type) {
		case *ir.Ref:
			n[e.Name] = true
		case *ir.Unary:
			n.add(e.X)
		case *ir.Binary:
			n.add(e.X, e.Y)
		case *ir.Cond:
			n.add(e.C, e.X, e.Y)
		case *ir.Convert:
			n.add(e.X)
		case *ir.Builtin:
			n.add(e.Args...)
		}
	}
}
