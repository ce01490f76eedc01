package imp

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Dump writes a program as text that people can read: host functions, then
// kernels. Nothing reads the text back.
func Dump(w io.Writer, p *Program) error {
	d := &dumper{w: bufio.NewWriter(w)}
	for _, f := range p.Funcs {
		d.fun(f)
	}
	for _, k := range p.Kernels {
		d.kernel(k)
	}
	return d.w.Flush()
}

type dumper struct {
	w     *bufio.Writer
	depth int
}

func (d *dumper) line(format string, args ...any) {
	for range d.depth {
		d.w.WriteString("  ")
	}
	fmt.Fprintf(d.w, format, args...)
	d.w.WriteByte('\n')
}

func (d *dumper) fun(f *Func) {
	d.line("func %s(%s) -> (%s) {", f.Name, slots(f.Params), slots(f.Results))
	d.list(f.Body)
	d.line("}\n")
}

func (d *dumper) kernel(k *Kernel) {
	d.line("-- %s", k.Doc)
	d.line("kernel %s(%s) {", k.Name, slots(k.Params))
	d.depth++
	for _, l := range k.Locals {
		d.line("local %s: [%d]%s", l.Name, l.Len, l.Prim)
	}
	for _, h := range k.Held {
		how := "alone"
		if h.Counted {
			how = "counted"
		}
		d.line("held %s: %s", h.Mem, how)
	}
	d.depth--
	d.list(k.Body)
	d.line("}\n")
}

func slots(list []Slot) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = s.Name + ": mem"
		if s.Local {
			out[i] = s.Name + ": local"
		} else if !s.Mem {
			out[i] = s.Name + ": " + s.Prim.String()
		}
	}
	return strings.Join(out, ", ")
}

func (d *dumper) list(list []Stmt) {
	d.depth++
	for _, s := range list {
		d.stmt(s)
	}
	d.depth--
}

func (d *dumper) stmt(s Stmt) {
	switch s := s.(type) {
	case *Set:
		d.line("%s = %s", s.Dst, text(s.E))
	case *Load:
		d.line("%s = %s[%s] : %s", s.Dst, s.Mem, text(s.Off), s.Prim)
	case *Fetch:
		for _, l := range s.Loads {
			d.stmt(l)
		}
	case *Slots:
		d.line("%s = the program's slots", s.Mem)
	case *Upload:
		d.line("upload %d elements to %s[%s] : %s", len(s.Values), s.Mem, text(s.Off), s.Prim)
	case *Store:
		d.line("%s[%s] = %s : %s", s.Mem, text(s.Off), text(s.Val), s.Prim)
	case *Check:
		d.line("check %s else fault %d (%s)", text(s.Cond), s.Code, texts(s.Args))
	case *If:
		d.line("if %s {", text(s.Cond))
		d.list(s.Then)
		if len(s.Else) > 0 {
			d.line("} else {")
			d.list(s.Else)
		}
		d.line("}")
	case *For:
		each := ""
		if s.Each > 0 {
			each = fmt.Sprintf(" %s turns from %s by %s:", text(s.Turns), text(s.First), text(s.Step))
			if s.InPlace {
				each = " in place" + each
			}
		} else if s.Local {
			each = " local"
		}
		d.line("for%s %s < %s {", each, s.Var, text(s.Bound))
		d.list(s.Body)
		d.line("}")
	case *While:
		d.line("while %s {", text(s.Cond))
		d.list(s.Body)
		d.line("}")
	case *SetMem:
		if s.Move {
			d.line("%s = move %s", s.Dst, s.Src)
		} else {
			d.line("%s = ref %s", s.Dst, s.Src)
		}
	default:
		d.effect(s)
	}
}

func (d *dumper) effect(s Stmt) {
	switch s := s.(type) {
	case *Alloc:
		d.line("%s = alloc %s", s.Mem, text(s.Bytes))
	case *Free:
		d.line("free %s", s.Mem)
	case *SizeOf:
		d.line("%s = size %s", s.Dst, s.Mem)
	case *SizeAs:
		d.line("%s = as bytes %s", s.Dst, text(s.Bytes))
	case *Inverse:
		d.line("%s = inverse of %s below %s", s.Dst, text(s.N), text(s.Total))
	case *Query:
		d.line("%s = the device's %s", s.Dst, s.What)
	case *Copy:
		d.line("copy [%s]%s %s <- %s", texts(s.Shape), s.Prim, region(s.Dst), region(s.Src))
	case *Launch:
		d.line("launch %s groups %s (%s)", s.Kernel.Name, text(s.Groups), args(s.Args))
	case *Call:
		d.line("%s = call %s(%s)", strings.Join(s.Results, ", "), s.Func.Name, args(s.Args))
	case *KRegion:
		d.line("region {")
		d.list(s.Body)
		d.line("}")
	case *PtrAt:
		d.line("%s = %s + %s", s.Dst, s.Base, text(s.Off))
	case *Barrier:
		if s.Wave {
			d.line("barrier of the wave")
			return
		}
		if s.Leave {
			d.line("barrier, or all leave")
			return
		}
		d.line("barrier")
	case *Move:
		to, from, first := s.Room, fmt.Sprintf("%s[%s .. + %d]", s.Mem, text(s.Off), s.Len), ""
		if s.Store {
			to, from = from, to
		}
		if !s.Near {
			first = ", first " + text(s.Count)
		}
		if s.Group {
			first += ", by the group"
		}
		d.line("%s = %s%s", to, from, first)
	case *Ticket:
		d.line("%s = %s[%s]++", s.Dst, s.Mem, text(s.Off))
	case *Raise:
		d.line("raise %s[%s] = %s", s.Mem, text(s.Off), text(s.Val))
	case *Await:
		d.line("%s = await %s[%s]", strings.Join(s.Dsts, ", "), s.Mem, text(s.Off))
	case *Atomic:
		d.line("atomic {")
		d.depth++
		for i, m := range s.Mems {
			d.line("%s = %s[%s] : %s", s.Old[i], m, text(s.Offs[i]), s.Prims[i])
		}
		d.depth--
		d.list(s.Body)
		d.depth++
		for i, m := range s.Mems {
			d.line("%s[%s] = %s", m, text(s.Offs[i]), text(s.New[i]))
		}
		d.depth--
		d.line("}")
	}
}

func region(r Region) string {
	return fmt.Sprintf("%s + %s : (%s)", r.Mem, text(r.Offset), texts(r.Strides))
}

func args(list []Arg) string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.Mem
		if a.Mem == "" {
			out[i] = text(a.E)
		}
	}
	return strings.Join(out, ", ")
}

func text(e ir.Exp) string { return ir.ExpString(e) }

func texts(es []ir.Exp) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = text(e)
	}
	return strings.Join(out, ", ")
}
