package opencl

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
)

// prototype writes a host function's head: results leave through pointers; scalars and blocks are
// passed by value. A block that is passed is lent; the function takes a reference of its own.
func (w *hostWriter) prototype(f *imp.Func) {
	params := []string{"struct memc_context *memc_ctx"}
	for i, r := range f.Results {
		params = append(params, fmt.Sprintf("%s*memc_out%d", slotType(r), i))
	}
	for i, q := range f.Params {
		if q.Mem {
			params = append(params, fmt.Sprintf("struct memc_block *memc_in%d", i))
		} else {
			params = append(params, slotType(q)+q.Name)
		}
	}
	w.f("static MEMC_UNUSED int %s(%s)", w.funcs[f], wrap(params))
}

// slotType returns the type of a slot, ready for a name after it.
func slotType(s imp.Slot) string {
	if s.Mem {
		return "struct memc_block *"
	}
	return CType(s.Prim) + " "
}

// A funcWriter writes the body of one host function.
type funcWriter struct {
	*hostWriter
	indent int
	labels int
	read   map[string]bool // variables whose value is used somewhere
}

func (w *hostWriter) function(f *imp.Func) error {
	fw := &funcWriter{hostWriter: w, indent: 1, read: imp.Read(f)}
	w.WriteByte('\n')
	w.prototype(f)
	w.WriteString("\n{\n")
	blocks := fw.declare(f)
	w.WriteString("  int memc_err = MEMC_OK;\n  (void)memc_ctx;\n")
	fw.touch(f)
	for i, q := range f.Params {
		if q.Mem {
			fw.line("%s = memc_retain(memc_in%d);", q.Name, i)
		}
	}
	if err := fw.body(f.Body); err != nil {
		return fmt.Errorf("function %s: %w", f.Name, err)
	}
	for i, r := range f.Results {
		if r.Mem {
			fw.line("memc_set(memc_ctx, memc_out%d, %s);", i, r.Name)
		} else {
			fw.line("*memc_out%d = %s;", i, r.Name)
		}
	}
	// The jump uses the label even if nothing in the body can fail.
	w.WriteString("  goto cleanup;\ncleanup:\n")
	for _, b := range blocks {
		fw.line("memc_release(memc_ctx, &%s);", b)
	}
	w.WriteString("  return memc_err;\n}\n")
	return nil
}

// declare declares the variables, and gives those that hold blocks.
func (fw *funcWriter) declare(f *imp.Func) []string {
	var blocks []string
	seen := map[string]bool{}
	block := func(name string) {
		if !seen[name] {
			seen[name] = true
			blocks = append(blocks, name)
			fw.line("struct memc_block *%s = NULL;", name)
		}
	}
	for _, q := range f.Params {
		if q.Mem {
			block(q.Name)
		} else {
			seen[q.Name] = true
		}
	}
	for _, m := range f.Mems {
		block(m)
	}
	for _, v := range f.Vars {
		if !seen[v.Name] {
			seen[v.Name] = true
			fw.line("%s %s = 0;", CType(v.Prim), v.Name)
		}
	}
	return blocks
}

// touch keeps compilers quiet about variables that are only ever set.
func (fw *funcWriter) touch(f *imp.Func) {
	for _, q := range f.Params {
		if !q.Mem && !fw.read[q.Name] {
			fw.line("(void)%s;", q.Name)
		}
	}
	for _, v := range f.Vars {
		if !fw.read[v.Name] {
			fw.line("(void)%s;", v.Name)
		}
	}
}

func (fw *funcWriter) line(format string, args ...any) {
	for range min(fw.indent, 40) {
		fw.WriteString("  ")
	}
	fw.f(format, args...)
	fw.WriteByte('\n')
}

// try writes a call that can fail.
func (fw *funcWriter) try(format string, args ...any) {
	fw.line("if ((memc_err = %s))", fmt.Sprintf(format, args...))
	fw.line("  goto cleanup;")
}

func (fw *funcWriter) body(list []imp.Stmt) error {
	for _, s := range list {
		if err := fw.stmt(s); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads elements, all in one go.
func (fw *funcWriter) fetch(s *imp.Fetch) {
	place := func(l *imp.Load) string {
		return fmt.Sprintf("%s, %s, sizeof %s, &%s", l.Mem, CExp(l.Off), l.Dst, l.Dst)
	}
	if len(s.Loads) == 1 {
		fw.try("memc_load(memc_ctx, %s)", place(s.Loads[0]))
		return
	}
	fw.line("{")
	fw.indent++
	fw.line("struct memc_want memc_wants[%d];", len(s.Loads))
	for i, l := range s.Loads {
		fw.try("memc_want(memc_ctx, &memc_wants[%d], %s)", i, place(l))
	}
	fw.try("memc_read_all(memc_ctx, %d, memc_wants)", len(s.Loads))
	fw.indent--
	fw.line("}")
}

// upload writes the bits of the elements, as numbers of their size.
func (fw *funcWriter) upload(s *imp.Upload) {
	fw.line("{")
	fw.indent++
	fw.line("static const uint%d_t memc_values[%d] = {", 8*s.Prim.Size(), len(s.Values))
	mask := ^uint64(0) >> (64 - 8*uint(s.Prim.Size()))
	var line strings.Builder
	for k, v := range s.Values {
		fmt.Fprintf(&line, "0x%x,", v&mask)
		if line.Len() > 80 || k == len(s.Values)-1 {
			fw.line("  %s", line.String())
			line.Reset()
		}
	}
	fw.line("};")
	fw.try("memc_store_all(memc_ctx, %s, %s, sizeof memc_values[0], %d, memc_values)", s.Mem, CExp(s.Off), len(s.Values))
	fw.indent--
	fw.line("}")
}

func (fw *funcWriter) nested(list []imp.Stmt) error {
	fw.indent++
	defer func() { fw.indent-- }()
	return fw.body(list)
}

func (fw *funcWriter) stmt(s imp.Stmt) error {
	switch s := s.(type) {
	case *imp.Set:
		fw.line("%s = %s;", s.Dst, CExp(s.E))
	case *imp.Fetch:
		fw.fetch(s)
	case *imp.Slots:
		fw.line("memc_set(memc_ctx, &%s, memc_ctx->slots);", s.Mem)
	case *imp.Upload:
		fw.upload(s)
	case *imp.Store:
		fw.line("{")
		fw.indent++
		fw.line("const %s memc_value = %s;", CType(s.Prim), CExp(s.Val))
		fw.try("memc_store(memc_ctx, %s, %s, sizeof memc_value, &memc_value)", s.Mem, CExp(s.Off))
		fw.indent--
		fw.line("}")
	case *imp.Check:
		fw.check(s)
	case *imp.If:
		return fw.branch(s)
	case *imp.For:
		return fw.count(s)
	case *imp.While:
		fw.line("while (%s) {", CExp(s.Cond))
		if err := fw.nested(s.Body); err != nil {
			return err
		}
		fw.line("}")
	case *imp.SetMem:
		fw.line("memc_set(memc_ctx, &%s, %s);", s.Dst, s.Src)
	case *imp.SizeOf:
		fw.line("%s = %s->bytes;", s.Dst, s.Mem)
	case *imp.SizeAs:
		fw.line("%s = %s;", s.Dst, cbytes(s.Bytes))
	case *imp.Inverse:
		fw.line("%s = memc_inverse(%s, %s);", s.Dst, CExp(s.N), CExp(s.Total))
	case *imp.Query:
		fw.line("%s = memc_ctx->device_%s;", s.Dst, s.What)
	case *imp.Free:
		fw.line("memc_release(memc_ctx, &%s);", s.Mem)
	case *imp.Alloc:
		what := "a temporary block"
		if s.Name != "" {
			what = "block `" + s.Name + "`"
		}
		fw.try("memc_alloc(memc_ctx, &%s, %s, %d, %s, %s)", s.Mem, cbytes(s.Bytes), s.Site, cString(fw.p.File.Locate(s.Span)), cString(what))
	case *imp.Copy:
		fw.copy(s)
	case *imp.Launch:
		return fw.launch(s)
	case *imp.Call:
		return fw.call(s)
	default:
		return fmt.Errorf("a host function cannot hold %T", s)
	}
	return nil
}

func (fw *funcWriter) check(s *imp.Check) {
	fw.line("if (!(%s)) {", CExp(s.Cond))
	args := "NULL"
	if len(s.Args) > 0 {
		fw.line("  const int64_t memc_args[] = {%s};", exps(s.Args))
		args = "memc_args"
	}
	fw.line("  memc_err = memc_fault(memc_ctx, %d, %s);", s.Code, args)
	fw.line("  goto cleanup;")
	fw.line("}")
}

func (fw *funcWriter) branch(s *imp.If) error {
	fw.line("if (%s) {", CExp(s.Cond))
	if err := fw.nested(s.Then); err != nil {
		return err
	}
	if len(s.Else) > 0 {
		fw.line("} else {")
		if err := fw.nested(s.Else); err != nil {
			return err
		}
	}
	fw.line("}")
	return nil
}

// count writes a for loop: the bound is evaluated once, and the counter is a
// variable of its own, so that the last value does not depend on the bound.
func (fw *funcWriter) count(s *imp.For) error {
	fw.labels++
	i, n := fmt.Sprintf("memc_i%d", fw.labels), fmt.Sprintf("memc_n%d", fw.labels)
	fw.line("{")
	fw.indent++
	fw.line("const int64_t %s = %s;", n, CExp(s.Bound))
	fw.line("int64_t %s;", i)
	fw.line("for (%s = 0; %s < %s; %s++) {", i, i, n, i)
	fw.indent++
	fw.line("%s = %s;", s.Var, i)
	fw.indent--
	if err := fw.nested(s.Body); err != nil {
		return err
	}
	fw.line("}")
	fw.indent--
	fw.line("}")
	return nil
}

func (fw *funcWriter) copy(s *imp.Copy) {
	rank := len(s.Shape)
	fw.line("{")
	fw.indent++
	dst, src, shape := "NULL", "NULL", "NULL"
	if rank > 0 {
		fw.line("const int64_t memc_dst[] = {%s};", exps(s.Dst.Strides))
		fw.line("const int64_t memc_src[] = {%s};", exps(s.Src.Strides))
		fw.line("const int64_t memc_shape[] = {%s};", exps(s.Shape))
		dst, src, shape = "memc_dst", "memc_src", "memc_shape"
	}
	fw.try("memc_copy(memc_ctx, %s, %s, %s, %s, %s, %s, %d, %s, %d)", s.Dst.Mem, CExp(s.Dst.Offset), dst,
		s.Src.Mem, CExp(s.Src.Offset), src, rank, shape, s.Prim.Size())
	fw.indent--
	fw.line("}")
}

func (fw *funcWriter) launch(s *imp.Launch) error {
	k, ok := fw.kernels[s.Kernel]
	if !ok || len(s.Args) != len(s.Kernel.Params) {
		return fmt.Errorf("a launch does not fit its kernel")
	}
	copied := "0"
	if s.Copied != nil {
		copied = CExp(s.Copied)
	}
	if fw.p.Tasks {
		fw.launchTasks(s, k, copied)
		return nil
	}
	items := "MEMC_GROUP_SIZE"
	if s.Size != nil {
		items = CExp(s.Size)
	}
	if len(s.Args) == 0 {
		fw.try("memc_launch(memc_ctx, %d /* %s */, %s, %s, %s, 0, NULL)", k, s.Kernel.Name, CExp(s.Groups), items, copied)
		return nil
	}
	fw.line("{")
	fw.indent++
	fw.line("struct memc_arg memc_args[%d];", len(s.Args))
	for i, a := range s.Args {
		if q := s.Kernel.Params[i]; q.Mem {
			how := "block"
			if s.Kernel.OnlyReads(q.Name) {
				how = "read"
			}
			fw.line("memc_args[%d] = memc_arg_%s(%s);", i, how, a.Mem)
		} else if q.Local {
			fw.line("memc_args[%d] = memc_arg_local(%s);", i, CExp(a.E))
		} else {
			fw.line("memc_args[%d] = memc_arg_%s(%s);", i, q.Prim, CExp(a.E))
		}
	}
	fw.try("memc_launch(memc_ctx, %d /* %s */, %s, %s, %s, %d, memc_args)", k, s.Kernel.Name, CExp(s.Groups), items, copied, len(s.Args))
	fw.indent--
	fw.line("}")
	return nil
}

func (fw *funcWriter) call(s *imp.Call) error {
	name, ok := fw.funcs[s.Func]
	if !ok || len(s.Args) != len(s.Func.Params) || len(s.Results) != len(s.Func.Results) {
		return fmt.Errorf("a call does not fit its function")
	}
	args := []string{"memc_ctx"}
	for _, r := range s.Results {
		args = append(args, "&"+r)
	}
	for _, a := range s.Args {
		if a.Mem != "" {
			args = append(args, a.Mem)
		} else {
			args = append(args, CExp(a.E))
		}
	}
	fw.try("%s(%s)", name, strings.Join(args, ", "))
	return nil
}

// exps returns expressions with commas between.
func exps(list []ir.Exp) string {
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = CExp(e)
	}
	return strings.Join(parts, ", ")
}

// cbytes is CExp for the size of a block, which does not wrap: one beyond all memory is
// refused.
func cbytes(e ir.Exp) string {
	if c, ok := e.(*ir.Cond); ok {
		return "(" + CExp(c.C) + " ? " + cbytes(c.X) + " : " + cbytes(c.Y) + ")"
	}
	fn, args := scalar.Size(e)
	if fn == "" {
		return CExp(e)
	}
	parts := make([]string, len(args))
	for k, a := range args {
		parts[k] = cbytes(a)
	}
	return "memc_" + fn + "_bytes(" + strings.Join(parts, ", ") + ")"
}
