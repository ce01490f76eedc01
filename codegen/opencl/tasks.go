package opencl

import "github.com/memc-lang/memc/codegen/imp"

// Note [C for CPUs]
//
// A program that was lowered to tasks (imp, Note [Tasks]) is one C file without OpenCL.
// A kernel is a C function of one task:
//
//	static void memc_kernel_0(struct memc_context *memc_ctx, int64_t group_id,
//	    int64_t num_groups, int64_t n, unsigned char *restrict m_xs, ...)
//
// A launch passes its arguments to memc_tasks (c/tasks/launch.c) in a struct, and that makes the
// threads call the function. A block is a pointer to its bytes; it is restrict if imp.Kernel.Apart
// says so. Elements are accessed through types that may alias (c/tasks/elements.c), since a block
// may hold elements of several types during its life.
//
// Note [Kernels are called by pointer]
//
// A task calls its kernel through a volatile pointer, so no compiler can use what it believes to
// know of the kernel's body. GCC 12 believes too little of a loop with two accesses to one block
// whose steps are s and -s, or s and 2*s:
//
//	m[2*i] = m[2*(n-1-i) + 1]
//
// Its induction variables (-fivopts) express one address by the other, p' = 2*m + c - p. No single
// pointer is the base of this sum, so the access gets the base 0 (MEM[(T *)0B + _3 + _27 * 2]).
// The analyses of whole functions (-fipa-pure-const, -fipa-modref) take base 0 for a null pointer
// and the loop for unreachable. They call the kernel const, and the caller drops the call. The code
// of the kernel is right; only its summary is wrong, and no caller reads that here.
//
// Another analysis compares functions (-fipa-icf) and keeps one of two that it takes for equal. It
// overlooks a difference in such accesses. So kernels are noipa, too, for GCC.

// taskKernels writes the kernels of a program that was lowered to tasks.
func (w *hostWriter) taskKernels() {
	if len(w.p.Kernels) == 0 {
		return
	}
	w.section("Kernels.")
	w.WriteString(taskQuiet)
	for i, k := range w.p.Kernels {
		kp := &kprinter{k: k, faults: w.p.KernelChecks, tasks: true, scopes: imp.PlaceVars(k.Vars, k.Body)}
		kp.task(i)
		w.WriteString("\n" + kp.String())
	}
}

// taskQuiet turns off warnings about unused parts of a kernel.
const taskQuiet = `#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define MEMC_KERNEL __attribute__((noipa)) /* GCC 12 takes kernels for equal that are not */
#else
#define MEMC_KERNEL
#endif
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif
`

// task prints a kernel as functions in C: the task, and one that unpacks its arguments.
func (p *kprinter) task(number int) {
	k := p.k
	params := []string{"struct memc_context *memc_ctx", "int64_t group_id", "int64_t num_groups"}
	args := "memc_ctx, memc_task, memc_count"
	for _, s := range k.Params {
		text := CType(s.Prim) + " " + s.Name
		if s.Mem {
			text = "unsigned char *" + s.Name
			if k.Apart[s.Name] {
				text = "unsigned char *restrict " + s.Name
			}
		}
		params = append(params, text)
		args += ", memc_a->" + s.Name
	}
	p.doc()
	p.line("static MEMC_UNUSED MEMC_KERNEL void memc_kernel_%d(%s)", number, wrap(params))
	p.line("{")
	p.depth++
	for _, r := range k.Rooms {
		p.line("uint64_t %s[%d];", r.Name, max(1, (r.Bytes+7)/8))
	}
	for _, m := range k.Ptrs {
		p.line("unsigned char *%s = NULL;", m)
	}
	for _, h := range k.Held {
		p.line("unsigned char *%s = NULL;", heldAt(h.Mem))
	}
	for _, l := range k.Locals {
		p.line("%s %s[%d];", CType(l.Prim), l.Name, l.Len)
	}
	p.variables()
	p.list(k.Body)
	p.ending()
	p.depth--
	p.line("}")

	p.WriteByte('\n')
	if len(k.Params) > 0 {
		p.line("struct memc_args_%d {", number)
		for _, s := range k.Params {
			if s.Mem {
				p.line("  unsigned char *%s;", s.Name)
			} else {
				p.line("  %s %s;", CType(s.Prim), s.Name)
			}
		}
		p.line("};\n")
	}
	p.line("static MEMC_UNUSED void memc_task_%d(struct memc_context *memc_ctx, int64_t memc_task, int64_t memc_count, const void *memc_args)", number)
	p.line("{")
	if len(k.Params) > 0 {
		p.line("  const struct memc_args_%d *memc_a = memc_args;", number)
	} else {
		p.line("  (void)memc_args;")
	}
	p.line("  void (*volatile memc_kernel)(%s) = memc_kernel_%d;", wrap(params), number)
	p.line("  memc_kernel(%s);", args)
	p.line("}")
}

// taskAlloc makes a block of a task's own, or leaves.
func (p *kprinter) taskAlloc(s *imp.Alloc, h imp.Held) {
	p.line("if (memc_block_take(memc_ctx, group_id, %s, %d, %d, &%s)) {", cbytes(s.Bytes), head(h), s.Full, heldAt(s.Mem))
	p.depth++
	p.jump()
	p.depth--
	p.line("}")
	if h.Counted {
		p.line("%s = %s ? %s + %d : NULL;", s.Mem, heldAt(s.Mem), heldAt(s.Mem), head(h))
	} else {
		p.line("%s = %s;", s.Mem, heldAt(s.Mem))
	}
}

// launchTasks writes the launch of a kernel's tasks.
func (fw *funcWriter) launchTasks(s *imp.Launch, number int, copied string) {
	name := cString(s.Kernel.Name)
	if len(s.Args) == 0 {
		fw.try("memc_launch(memc_ctx, %s, memc_task_%d, %s, %s, NULL)", name, number, CExp(s.Groups), copied)
		return
	}
	fw.line("{")
	fw.indent++
	fw.line("struct memc_args_%d memc_args;", number)
	for i, a := range s.Args {
		q := s.Kernel.Params[i]
		if q.Mem {
			fw.line("memc_args.%s = memc_bytes(%s);", q.Name, a.Mem)
		} else {
			fw.line("memc_args.%s = %s;", q.Name, CExp(a.E))
		}
	}
	fw.try("memc_launch(memc_ctx, %s, memc_task_%d, %s, %s, &memc_args)", name, number, CExp(s.Groups), copied)
	fw.indent--
	fw.line("}")
}
