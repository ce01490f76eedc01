package gohost

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

func (fw *funcWriter) body(list []imp.Stmt) error {
	for _, s := range list {
		if err := fw.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

// nested returns the text of a body, to see whether anything is left of it.
func (fw *funcWriter) nested(list []imp.Stmt) (string, error) {
	in := *fw
	in.Builder = strings.Builder{}
	err := in.body(list)
	fw.needsMath = fw.needsMath || in.needsMath
	return in.String(), err
}

func (fw *funcWriter) stmt(s imp.Stmt) error {
	switch s := s.(type) {
	case *imp.Set:
		fw.set(s)
	case *imp.Fetch:
		fw.fetch(s)
	case *imp.Slots:
		fw.line("host.Set(&%s, c.Slots())", s.Mem)
	case *imp.Upload:
		fw.try("host.Upload(c, %s, %s, %d, %s)", s.Mem, fw.expr(s.Off), s.Prim.Size(), escaped(s.Bytes()))
	case *imp.Store:
		fw.try("host.Store(c, %s, %s, %s)", s.Mem, fw.expr(s.Off), fw.typed(s.Val))
	case *imp.Check:
		if fw.expr(s.Cond) == "true" {
			return nil
		}
		fw.line("if %s {", fw.negated(s.Cond))
		args := ""
		if len(s.Args) > 0 {
			args = ", " + fw.exprs(s.Args)
		}
		fw.line("%sc.Fault(%d%s)", fw.failure, s.Code, args)
		fw.line("}")
	case *imp.If:
		return fw.branch(s)
	case *imp.For:
		return fw.count(s)
	case *imp.While:
		body, err := fw.nested(s.Body)
		if err != nil {
			return err
		}
		fw.line("for %s {\n%s}", fw.expr(s.Cond), body)
	case *imp.SetMem:
		fw.line("host.Set(&%s, %s)", s.Dst, s.Src)
	case *imp.SizeOf:
		fw.told(s, s.Dst, s.Mem+".Size()")
	case *imp.SizeAs:
		fw.told(s, s.Dst, fw.bytes(s.Bytes))
	case *imp.Inverse:
		fw.told(s, s.Dst, fmt.Sprintf("host.Inverse(%s, %s)", fw.expr(s.N), fw.expr(s.Total)))
	case *imp.Query:
		fw.told(s, s.Dst, fmt.Sprintf("c.Device(%q)", string(s.What)))
	case *imp.Free:
		fw.line("host.Drop(&%s)", s.Mem)
	case *imp.Alloc:
		if at := fw.at(s.Span); at != "" {
			fw.line("// %s", at)
		}
		fw.try("c.Alloc(&%s, %s, %d)", s.Mem, fw.bytes(s.Bytes), s.Site)
	case *imp.Copy:
		fw.try("c.Copy(%d, []int64{%s}, %s, %s)", s.Prim.Size(), fw.exprs(s.Shape), fw.region(s.Dst), fw.region(s.Src))
	case *imp.Launch:
		return fw.launch(s)
	case *imp.Call:
		return fw.invoke(s)
	default:
		return fmt.Errorf("a host function cannot hold %T", s)
	}
	return nil
}

// told writes an assignment of a value from the runtime, unless it has no effect.
func (fw *funcWriter) told(s imp.Stmt, dst, text string) {
	if !fw.needed[dst] {
		return
	}
	op := "="
	if _, declares := fw.scopes.Declares[s]; declares {
		op = ":="
	}
	fw.line("%s %s %s", dst, op, text)
}

// set writes an assignment, unless it has no effect.
func (fw *funcWriter) set(s *imp.Set) {
	if r, ok := s.E.(*ir.Ref); !fw.needed[s.Dst] || ok && r.Name == s.Dst {
		return
	}
	if _, ok := fw.scopes.Declares[s]; ok {
		fw.line("%s := %s", s.Dst, fw.typed(s.E))
		return
	}
	fw.line("%s = %s", s.Dst, fw.expr(s.E))
}

// fetch writes a read of elements. It can fail, so it stays where nobody needs the
// elements.
func (fw *funcWriter) fetch(s *imp.Fetch) {
	var from []string
	for _, l := range s.Loads {
		to := "&" + l.Dst
		if !fw.needed[l.Dst] {
			to = "new(" + goType(l.Prim) + ")"
		} else if _, ok := fw.scopes.Declares[l]; ok {
			fw.line("var %s %s", l.Dst, goType(l.Prim))
		}
		from = append(from, fmt.Sprintf("%s, %s, %s", to, l.Mem, fw.expr(l.Off)))
	}
	if len(from) == 1 {
		fw.try("host.Load(c, %s)", from[0])
		return
	}
	fw.try("host.Fetch(c,\nhost.From(%s))", strings.Join(from, "),\nhost.From("))
}

// escaped writes bytes as a string of Go, in lines.
func escaped(data []byte) string {
	var b strings.Builder
	for k, x := range data {
		switch {
		case k == 0:
			b.WriteByte('"')
		case k%24 == 0:
			b.WriteString("\" +\n\"")
		}
		fmt.Fprintf(&b, "\\x%02x", x)
	}
	b.WriteByte('"')
	return b.String()
}

// negated returns the condition under which a check fails.
func (fw *funcWriter) negated(e ir.Exp) string {
	switch e := e.(type) {
	case *ir.Unary:
		if e.Op == "!" {
			return fw.expr(e.X)
		}
	case *ir.Binary:
		// A comparison of floats fails for NaN, and so does its opposite.
		op := ir.Opposite(e.Op)
		if t := e.X.Prim(); op != "" && (!t.Float() || e.Op == "==" || e.Op == "!=") && !constant(e) {
			return fw.expr(&ir.Binary{Op: op, X: e.X, Y: e.Y, T: ir.Bool, At: e.At})
		}
	}
	return "!" + fw.term(e).inside(precAtom)
}

func (fw *funcWriter) branch(s *imp.If) error {
	then, err := fw.nested(s.Then)
	if err != nil {
		return err
	}
	other, err := fw.nested(s.Else)
	if err != nil {
		return err
	}
	switch {
	case then == "" && other == "":
	case other == "":
		fw.line("if %s {\n%s}", fw.expr(s.Cond), then)
	case then == "":
		fw.line("if %s {\n%s}", fw.negated(s.Cond), other)
	default:
		fw.line("if %s {\n%s} else {\n%s}", fw.expr(s.Cond), then, other)
	}
	return nil
}

// count writes a for loop: Go evaluates the bound once, and gives the body a
// counter of its own.
func (fw *funcWriter) count(s *imp.For) error {
	body, err := fw.nested(s.Body)
	if err != nil {
		return err
	}
	bound := fw.typed(s.Bound)
	_, declares := fw.scopes.Declares[s]
	switch {
	case !fw.needed[s.Var] && body == "":
	case !fw.needed[s.Var]:
		fw.line("for range %s {\n%s}", bound, body)
	case declares:
		fw.line("for %s := range %s {\n%s}", s.Var, bound, body)
	default:
		fw.line("for %s = range %s {\n%s}", s.Var, bound, body)
	}
	return nil
}

// region returns a place of a copy.
func (fw *funcWriter) region(r imp.Region) string {
	text := fmt.Sprintf("host.At(%s, %s", r.Mem, fw.expr(r.Offset))
	if len(r.Strides) > 0 {
		text += ", " + fw.exprs(r.Strides)
	}
	return text + ")"
}

func (fw *funcWriter) launch(s *imp.Launch) error {
	if len(s.Args) != len(s.Kernel.Params) {
		return fmt.Errorf("a launch does not fit its kernel")
	}
	args := []string{fmt.Sprintf("%q", s.Kernel.Name), fw.expr(s.Groups)}
	if s.Size != nil {
		args = append(args, "host.Items("+fw.expr(s.Size)+")")
	}
	for i, a := range s.Args {
		switch {
		case a.Mem != "":
			args = append(args, a.Mem)
		case s.Kernel.Params[i].Local:
			args = append(args, "host.Local("+fw.expr(a.E)+")")
		default:
			args = append(args, fw.typed(a.E))
		}
	}
	if s.Kernel.Doc != "" {
		fw.line("// %s", strings.ReplaceAll(s.Kernel.Doc, "\n", " "))
	}
	fw.try("c.Launch(%s)", strings.Join(args, ", "))
	if s.Copied != nil {
		fw.line("c.CountCopied(%s, %s)", fw.expr(s.Groups), fw.expr(s.Copied))
	}
	return nil
}

// invoke writes a call of a host function. Its results are moved to the variables
// after the call, since their old blocks may be among its arguments.
func (fw *funcWriter) invoke(s *imp.Call) error {
	if len(s.Args) != len(s.Func.Params) || len(s.Results) != len(s.Func.Results) {
		return fmt.Errorf("a call does not fit its function")
	}
	args := []string{"c"}
	for _, a := range s.Args {
		if a.Mem != "" {
			args = append(args, a.Mem)
		} else {
			args = append(args, fw.expr(a.E))
		}
	}
	call := fmt.Sprintf("%s(%s)", fw.funcs[s.Func], strings.Join(args, ", "))
	if len(s.Results) == 0 {
		fw.try("%s", call)
		return nil
	}
	var got, moves []string
	for i, r := range s.Results {
		temp, name := fmt.Sprintf("ret%d", i), r
		switch {
		case s.Func.Results[i].Mem:
			moves = append(moves, fmt.Sprintf("host.Move(&%s, %s)", name, temp))
		case fw.needed[r]:
			moves = append(moves, fmt.Sprintf("%s = %s", name, temp))
		default:
			temp = "_"
		}
		got = append(got, temp)
	}
	fw.line("{")
	fw.line("%s, err := %s", strings.Join(got, ", "), call)
	fw.line("if err != nil {\n%serr\n}", fw.failure)
	fw.line("%s\n}", strings.Join(moves, "\n"))
	return nil
}
