package opencl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
)

// Kernels returns the OpenCL C 1.2 source of all kernels of a program: the parts that they use of the
// prelude and of the scalar operations, the kernels, and the generic copies.
func Kernels(p *imp.Program) string {
	out := make([]string, len(p.Kernels))
	locked := make([]bool, len(p.Kernels))
	used := newUsage()
	parallel.Each(len(p.Kernels), func(i int) {
		k := p.Kernels[i]
		kp := &kprinter{k: k, faults: p.KernelChecks, scopes: imp.PlaceVars(k.Vars, k.Body), keeps: keeps(k)}
		kp.Grow(usualKernel)
		kp.kernel()
		kp.WriteByte('\n')
		out[i], locked[i] = kp.String(), kp.locks
		used.note(out[i])
	})
	guard(p, out)
	head := heapSource(p)
	if slices.Contains(locked, true) {
		head = fenceSource() + flagSource + head
	}
	if sizes := p.CopySizes(); sizes > 0 {
		copies := fmt.Sprintf("#define MEMC_COPIED %d\n", sizes) + copySource
		used.note(copies)
		out = append(out, copies)
	}
	used.note(head)
	head = used.prelude() + head
	if slices.ContainsFunc(p.Kernels, func(k *imp.Kernel) bool { return k.NeedsLocal() > 0 }) {
		head = localSource + head
	}
	if p.F64() {
		head = "#define MEMC_F64 1\n" + head
	}
	return strings.Join(append([]string{head}, out...), "")
}

// usualKernel is about as many bytes as the kernel of a map has.
const usualKernel = 2 << 10

// guard has the text of each kernel built only for the entries that launch it, where the device's
// compiler is told an entry (-DMEMC_ENTRY=N), and else always: a host builds what an entry needs
// when it is first called.
func guard(p *imp.Program, texts []string) {
	if !p.Apart() {
		return
	}
	callers := p.Callers()
	for i, k := range p.Kernels {
		if len(callers[k]) == len(p.Entries) {
			continue
		}
		cond := "!defined(MEMC_ENTRY)"
		for _, n := range callers[k] {
			cond += fmt.Sprintf(" || MEMC_ENTRY == %d", n)
		}
		texts[i] = "#if " + cond + "\n" + texts[i] + "#endif\n"
	}
}

// localSource asks for the bytes of local memory of the device. Kernels that need more are empty, and
// not launched (codegen/imp, Note [Limits of devices]).
const localSource = `#ifndef MEMC_LOCAL
#error "build with -DMEMC_LOCAL=N, where N is CL_DEVICE_LOCAL_MEM_SIZE"
#endif
`

// keeps returns the variables that are marked (MEMC_KEPT in prelude.cl): those that live across a
// barrier, and in a kernel of groups also what says how often a loop runs, and the counters of loops if
// a branch has barriers.
func keeps(k *imp.Kernel) map[string]bool {
	if !k.Barriers {
		return nil
	}
	out, branches := imp.AcrossBarriers(k.Body), false
	imp.Each(k.Body, func(s *imp.If) { branches = branches || !chosen(s) && (meets(s.Then) || meets(s.Else)) })
	imp.Each(k.Body, func(f *imp.For) {
		if r, ok := f.Bound.(*ir.Ref); ok && k.Alive != "" {
			out[r.Name] = true
		}
		if branches {
			out[f.Var] = true
		}
	})
	return out
}

// kprinter prints one kernel.
type kprinter struct {
	strings.Builder
	k        *imp.Kernel
	faults   bool
	tasks    bool // C for CPUs (tasks.go), not OpenCL C
	scopes   *imp.Scopes
	depth    int
	labels   int
	leave    []string // labels of the regions around, innermost last
	left     []bool   // whether a check leaves the region
	early    bool     // whether a check leaves a kernel that holds blocks
	locks    bool     // whether an atomic takes a lock
	together bool     // in a region that all work-items leave, or none
	// keeps are variables that live across a barrier (Scopes.AcrossBarriers), or that say how often
	// a loop of a kernel of groups runs.
	keeps map[string]bool
	waits bool // the kernel waits for other work-groups: a scan in one pass
}

// line prints one line at the current depth.
func (p *kprinter) line(format string, args ...any) {
	for range p.depth {
		p.WriteString("  ")
	}
	fmt.Fprintf(p, format, args...)
	p.WriteByte('\n')
}

func (p *kprinter) kernel() {
	k := p.k
	imp.Each(k.Body, func(*imp.Await) { p.waits = true })
	p.doc()
	var params []string
	if p.faults {
		params = append(params, "__global int *fault")
	}
	params = append(params, p.heapParams()...)
	for _, s := range k.Params {
		switch {
		case s.Mem:
			params = append(params, fmt.Sprintf("%smemc_%s_buf, long memc_%s_off", p.pointer(s.Name), s.Name, s.Name))
		case s.Local:
			params = append(params, "__local ulong2 *memc_"+s.Name+"_buf") // aligned for all elements
		default:
			params = append(params, CType(s.Prim)+" "+s.Name)
		}
	}
	if k.Sized {
		p.line("__kernel")
	} else {
		p.line("__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))", imp.GroupSize)
	}
	p.line("void %s(%s)", k.Name, wrap(params))
	p.line("{")
	p.depth++
	if k.Contract {
		p.line("#pragma OPENCL FP_CONTRACT ON")
	}
	needs := k.NeedsLocal()
	if needs > 0 && !p.tasks {
		p.line("#if MEMC_LOCAL >= %d", needs)
	}
	p.declarations()
	p.list(k.Body)
	p.ending()
	if needs > 0 && !p.tasks {
		p.line("#endif")
	}
	p.depth--
	p.line("}")
}

// pointer is the type of a memory parameter. A block that the kernel only reads is const. restrict
// says that no other parameter reaches a block that the kernel writes; not every device's compiler
// may be told so (MEMC_OWN in prelude.cl). A block that the work-items of a group write for each
// other is never restrict, since a barrier takes no pointer.
func (p *kprinter) pointer(mem string) string {
	text, restrict := "__global uchar *", "MEMC_OWN "
	switch {
	case p.k.OnlyReads(mem):
		text, restrict = "const "+text, "restrict "
	case p.k.Alive != "":
		restrict = ""
	}
	if p.k.Restrict {
		text += restrict
	}
	return text
}

func (p *kprinter) doc() {
	if p.k.Doc != "" {
		p.line("/* %s */", strings.ReplaceAll(p.k.Doc, "*/", "* /"))
	}
}

// wrap breaks a parameter list into lines.
func wrap(params []string) string {
	var b strings.Builder
	width := 0
	for i, s := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		if width += len(s) + 2; width > 72 {
			b.WriteString("\n    ")
			width = len(s)
		} else if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

func (p *kprinter) declarations() {
	k := p.k
	for _, g := range []struct{ name, is string }{
		{imp.LocalID, "(long)get_local_id(0)"}, {imp.GroupID, "MEMC_GROUP"}, {imp.NumGroups, "(long)get_num_groups(0)"},
	} {
		if p.scopes.Used[g.name] || g.name == imp.LocalID && k.Barriers && p.faults {
			p.line("const long %s = %s;", g.name, g.is)
		}
	}
	switch {
	case !p.scopes.Used[imp.LocalSize]:
	case k.Sized:
		p.line("const long %s = (long)get_local_size(0);", imp.LocalSize)
	default:
		p.line("const long %s = %d;", imp.LocalSize, imp.GroupSize)
	}
	p.pending() // before the addresses of blocks: PoCL 3.1 loses some that are computed in front of a barrier
	for _, s := range k.Params {
		switch {
		case s.Mem:
			p.line("%s%s = memc_%s_buf + memc_%s_off;", p.pointer(s.Name), s.Name, s.Name, s.Name)
		case s.Local:
			p.line("__local uchar *%s = (__local uchar *)memc_%s_buf;", s.Name, s.Name)
		}
	}
	for _, r := range k.Rooms {
		p.line("ulong %s[%d];", r.Name, max(1, (r.Bytes+7)/8))
	}
	for _, m := range k.Ptrs {
		kept := p.kept()
		if k.Own[m] { // it lives in one step
			kept = ""
		}
		p.line("%s uchar *%s%s = 0;", p.space(m), kept, m)
	}
	p.heapDeclarations()
	for _, l := range k.Locals {
		p.line("__local memc_any_%s %s[%d] __attribute__((aligned(16)));", CType(l.Prim), l.Name, l.Len)
	}
	p.variables()
}

// bytes is the type that a memory variable points to.
func (p *kprinter) bytes(mem string) string {
	if p.tasks {
		return "unsigned char"
	}
	return p.space(mem) + " uchar"
}

// kept stands before a variable of a work-item that lives from one step of a group, or from
// one barrier of a scan in one pass, to another, or that says how often a loop runs, which
// may differ between work-items.
func (p *kprinter) kept() string {
	if p.k.Alive == "" && !p.waits {
		return ""
	}
	return "MEMC_KEPT "
}

// variables declares those that are declared at the top of the kernel.
func (p *kprinter) variables() {
	for _, v := range p.k.Vars {
		switch {
		case !p.scopes.Top[v.Name]:
		case p.keeps[v.Name]:
			p.line("MEMC_KEPT %s %s = 0;", CType(v.Prim), v.Name)
		default:
			p.line("%s%s %s = 0;", p.kept(), CType(v.Prim), v.Name)
		}
	}
}

// pending leaves the kernel if an earlier one has reported a fault; if there
// are barriers, the whole group or none of it.
func (p *kprinter) pending() {
	switch {
	case !p.faults && p.k.Alive != "":
		p.line("const bool %s = true;", p.k.Alive)
	case !p.faults:
	case p.k.Alive != "":
		// Note [Flags of steps]
		p.line("__local int memc_failed[2]; /* a work-item left a step, or an earlier kernel failed */")
		p.line("if (local_id < 2) memc_failed[local_id] = local_id == 0 ? fault[0] : 0;")
		p.line("%sint memc_step = 1;", p.kept())
		p.line("barrier(CLK_LOCAL_MEM_FENCE);")
		p.line("%sbool %s = memc_failed[0] == 0;", p.kept(), p.k.Alive)
	case p.k.Barriers:
		p.line("__local int pending;")
		p.line("if (local_id == 0) pending = fault[0];")
		p.line("barrier(CLK_LOCAL_MEM_FENCE);")
		p.line("if (pending != 0) return;")
	default:
		p.line("if (fault[0] != 0) return;")
	}
}

func (p *kprinter) list(list []imp.Stmt) {
	for _, s := range list {
		p.stmt(s)
	}
}

// block prints statements in braces after a header.
func (p *kprinter) block(list []imp.Stmt, header string, args ...any) {
	p.line(strings.TrimLeft(header+" {", " "), args...)
	p.depth++
	p.list(list)
	p.depth--
	p.line("}")
}

// target prints the left-hand side of an assignment, with the type where it
// declares the variable.
func (p *kprinter) target(s imp.Stmt, name string) string {
	if t, ok := p.scopes.Declares[s]; ok {
		if p.keeps[name] || p.waits && p.depth == 1 {
			return "MEMC_KEPT " + CType(t) + " " + name
		}
		return CType(t) + " " + name
	}
	return name
}

func (p *kprinter) stmt(s imp.Stmt) {
	switch s := s.(type) {
	case *imp.Set:
		p.line("%s = %s;", p.target(s, s.Dst), CExp(s.E))
	case *imp.Load:
		from := p.at(s.Mem, s.Prim, s.Off)
		if s.Fresh {
			from = fmt.Sprintf("MEMC_FRESH(%s, %s, %s)", CType(s.Prim), s.Mem, cindex(s.Off))
		}
		p.line("%s = %s;", p.target(s, s.Dst), from)
	case *imp.Store:
		p.line("%s = %s;", p.at(s.Mem, s.Prim, s.Off), CExp(s.Val))
	case *imp.Check:
		p.check(s)
	case *imp.If:
		if chosen(s) {
			p.choice(s)
			return
		}
		p.ifStmt(s, "if")
		if p.k.Barriers && (meets(s.Then) || meets(s.Else)) {
			p.line("MEMC_JOIN")
		}
	case *imp.For:
		p.forStmt(s)
	case *imp.While:
		cond := CExp(s.Cond)
		if p.k.Barriers && !meets(s.Body) { // MEMC_END in prelude.cl
			cond = "MEMC_GO(" + cond + ")"
		}
		p.block(s.Body, "while (%s)", cond)
	case *imp.SetMem:
		p.setMem(s)
	case *imp.Alloc:
		p.alloc(s)
	case *imp.SizeAs:
		p.line("%s = %s;", p.target(s, s.Dst), cbytes(s.Bytes))
	case *imp.Free:
		p.free(s)
	case *imp.KRegion:
		outer := p.together
		p.together = s.Together
		p.region(s.Body)
		p.together = outer
	case *imp.Barrier:
		if s.Wave {
			p.line("MEMC_WAVE")
			return
		}
		p.line("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
		if s.Leave {
			p.line("%s = %s && memc_failed[memc_step] == 0;", p.k.Alive, p.k.Alive)
			p.line("memc_step ^= 1;")
		}
	case *imp.PtrAt:
		if p.k.Own[s.Dst] {
			p.line("%s = (%s *)%s;", s.Dst, p.bytes(s.Dst), s.Base)
			return
		}
		p.line("%s = %s + %s;", s.Dst, s.Base, cindex(s.Off))
	case *imp.Move:
		move := "MEMC_READ"
		if s.Store {
			move = "MEMC_WRITE"
		}
		room := s.Room
		if s.Behind != nil {
			room = fmt.Sprintf("((__private memc_any_%s *)%s + %s)", CType(s.Prim), room, cindex(s.Behind))
		}
		if s.Near {
			p.line("%s_NEAR(%s, %s, %s, %s, %d)", move, CType(s.Prim), room, s.Mem, cindex(s.Off), s.Len)
			return
		}
		if s.Group {
			move += "_GROUP"
		}
		p.line("%s(%s, %s, %s, %s, %d, %s, %s)", move, CType(s.Prim), room, s.Mem, cindex(s.Off), s.Len, CExp(s.Count), CExp(s.Even))
	case *imp.Ticket:
		if s.Behind {
			p.locks = true
			p.line("memc_fence();")
		}
		p.line("%s = atomic_inc((volatile __global int *)%s + (%s));", p.target(s, s.Dst), s.Mem, cindex(s.Off))
	case *imp.Raise:
		p.locks = true
		p.line("memc_raise((volatile __global ulong *)%s + (%s), %s);", s.Mem, cindex(s.Off), CExp(s.Val))
	case *imp.Await:
		p.locks = true
		p.await(s)
	case *imp.Atomic:
		p.atomic(s)
	default:
		panic(fmt.Sprintf("opencl: statement %T in a kernel", s))
	}
}

// await reads words until their upper halves tell that they belong together.
func (p *kprinter) await(s *imp.Await) {
	p.line("do {")
	cond := s.Dsts[0] + " >> 32 == 0"
	for i, dst := range s.Dsts {
		p.line("  %s = memc_look((volatile __global ulong *)%s + (%s) + %d);", dst, s.Mem, cindex(s.Off), i)
		if i > 0 {
			cond += fmt.Sprintf(" || (%s ^ %s) >> 32 != 0", s.Dsts[0], dst)
		}
	}
	p.line("} while (%s);", cond)
}

func (p *kprinter) forStmt(s *imp.For) {
	if s.Each > 0 {
		p.several(s)
		return
	}
	if s.Points {
		p.line("MEMC_POINTS")
	}
	switch {
	case p.tasks:
	case s.Whole:
		p.line("#pragma unroll")
	case s.Waves:
		p.line("#ifdef MEMC_WAVES")
		p.line("#pragma unroll")
		p.line("#endif")
	case s.Unroll:
		p.line("#pragma unroll 8")
	case s.Single:
		p.line("#pragma unroll 1")
	}
	first, bound, step := "0", operandText(s.Bound), s.Var+"++"
	if s.Local {
		first, step = imp.LocalID, s.Var+" += "+imp.LocalSize
	}
	_, declares := p.scopes.Declares[s]
	_, constant := s.Bound.(*ir.Lit)
	if declares && !constant && p.k.Barriers {
		first, bound = first+", memc_end = MEMC_END("+bound+")", "memc_end"
	}
	p.line("for (%s = %s; %s < %s; %s) {", p.target(s, s.Var), first, s.Var, bound, step)
	p.depth++
	for _, v := range p.scopes.Points[s] {
		p.line("%s%s %s = 0;", p.kept(), CType(v.Prim), v.Name)
	}
	p.list(s.Body)
	p.depth--
	p.line("}")
}

// outsideEnds ends the turns of a work-item.
const outsideEnds = "if (%s >= %s) break;"

// several prints a loop of which each work-item does several turns.
func (p *kprinter) several(s *imp.For) {
	if !s.InPlace {
		p.turns(s, "MEMC_LAST(%s, %s)")
		return
	}
	p.line("#if MEMC_BATCHES")
	p.line("if (%s + %s * (%s - 1) < %s) {", cindex(s.First), operandText(s.Step), operandText(s.Turns), CExp(s.Bound))
	p.depth++
	p.turns(s, "")
	p.depth--
	p.line("} else")
	p.line("#endif")
	p.line("{")
	p.depth++
	p.turns(s, outsideEnds)
	p.depth--
	p.line("}")
}

// turns prints the turns of a work-item. outside is what to do about one that is outside, if one may be.
func (p *kprinter) turns(s *imp.For, outside string) {
	turn := "memc_turn"
	if step := operandText(s.Step); step != "1" {
		turn = step + " * memc_turn"
	}
	if outside != outsideEnds {
		p.line("#pragma unroll %d", s.Each)
	}
	p.line("for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(%s); memc_turn++) {", CExp(s.Turns))
	p.depth++
	p.line("%s = %s + %s;", p.target(s, s.Var), cindex(s.First), turn)
	if outside != "" {
		p.line(outside, s.Var, CExp(s.Bound))
	}
	p.list(s.Body)
	p.depth--
	p.line("}")
}

// meets tells whether work-items wait for each other in the statements.
func meets(list []imp.Stmt) (found bool) {
	imp.Each(list, func(*imp.Barrier) { found = true })
	return found
}

// chosen tells that the device's compiler chooses a branch: neither is one of the kernel's.
func chosen(s *imp.If) bool {
	b, ok := s.Cond.(*ir.Builtin)
	return ok && b.Fn == imp.SeveralFn
}

func (p *kprinter) choice(s *imp.If) {
	p.line("#if MEMC_BATCHES")
	p.block(s.Then, "")
	if len(s.Else) > 0 {
		p.line("#else")
		p.block(s.Else, "")
	}
	p.line("#endif")
}

func (p *kprinter) ifStmt(s *imp.If, head string) {
	p.line("%s (%s) {", head, CExp(s.Cond))
	p.depth++
	p.list(s.Then)
	p.depth--
	if len(s.Else) == 1 {
		if e, ok := s.Else[0].(*imp.If); ok {
			p.ifStmt(e, "} else if")
			return
		}
	}
	if len(s.Else) > 0 {
		p.line("} else {")
		p.depth++
		p.list(s.Else)
		p.depth--
	}
	p.line("}")
}

// operandText prints an operand of a comparison.
func operandText(e ir.Exp) string {
	var p cprinter
	p.exp(e, true)
	return p.String()
}

// at prints an element of a block, or of an array in local memory.
func (p *kprinter) at(mem string, t ir.Prim, off ir.Exp) string {
	for _, l := range p.k.Locals {
		if l.Name == mem {
			return fmt.Sprintf("%s[%s]", mem, cindex(off))
		}
	}
	if p.k.Near[mem] {
		// An arena is small: 32 bits of an offset are enough, however it is computed.
		return fmt.Sprintf("MEMC_NEAR(%s, %s, (uint)(%s))", CType(t), mem, cindex(off))
	}
	if p.k.Own[mem] && !p.tasks {
		return fmt.Sprintf("MEMC_THREAD(%s, %s, %s)", CType(t), mem, cindex(off))
	}
	return fmt.Sprintf("MEMC_AT(%s, %s, %s)", CType(t), mem, cindex(off))
}

// check leaves the region, or the kernel, if its condition is false.
func (p *kprinter) check(s *imp.Check) {
	args := [4]string{"0", "0", "0", "0"}
	for i, a := range s.Args {
		args[i] = CExp(a)
	}
	p.line("if (%s) {", negated(s.Cond))
	p.depth++
	if p.tasks {
		p.line("memc_task_fault(memc_ctx, group_id, %d, %s);", s.Code, strings.Join(args[:], ", "))
	} else {
		p.line("memc_fault(fault, %d, %s);", s.Code, strings.Join(args[:], ", "))
	}
	p.ended()
	p.jump()
	p.depth--
	p.line("}")
}

// Note [Flags of steps]
//
// After the barrier that ends a step, work-items test whether one of them left the step. Another
// work-item may already be in the next step, and leave that. So steps use two flags in turn. No
// work-item reaches the step after the next before all have tested: a barrier lies between.

// ended records in a kernel of groups that a check failed: of the group, or of a work-item.
func (p *kprinter) ended() {
	switch {
	case p.together:
		p.line("%s = false;", p.k.Alive)
	case p.k.Leaves:
		p.line("memc_failed[memc_step] = 1;")
	}
}

// negated prints the opposite of a condition.
func negated(e ir.Exp) string {
	if b, ok := e.(*ir.Binary); ok && !b.X.Prim().Float() {
		if op := ir.Opposite(b.Op); op != "" {
			return CExp(&ir.Binary{Op: op, X: b.X, Y: b.Y, T: ir.Bool})
		}
	}
	return CExp(&ir.Unary{Op: "!", X: e, T: ir.Bool})
}

// region prints statements that a failing check leaves.
func (p *kprinter) region(list []imp.Stmt) {
	label := p.enter()
	p.line("{")
	p.depth++
	p.list(list)
	p.depth--
	p.line("}")
	if p.exit(label) {
		p.dropped(list)
	}
}
