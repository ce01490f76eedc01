package opencl

import (
	"fmt"
	"strconv"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/runtime/device/cl"
)

// Note [Blocks in kernels]
//
// A kernel's memory variable m is a pointer. If it may hold a block of the device heap
// (imp.Kernel.Held), a second variable, memc_at_m, holds the block's offset in the heap, or 0 for
// none: this is the block that is freed. A block of the host has no offset, so a variable may hold
// either kind at different times. A work-item that leaves early drops the blocks that it holds at
// the label that it leaves to; on the regular path all have been dropped already.

// fenceSource returns memc_fence, which the allocators have, too.
func fenceSource() string {
	text, err := cl.File("memc_fence.h")
	if err != nil {
		panic("opencl: " + err.Error())
	}
	return text
}

// heapSource returns the allocator and the text that kernels need with it, if any kernel allocates.
func heapSource(p *imp.Program) string {
	if p.DeviceAllocator == "" {
		return ""
	}
	a, err := cl.Lookup(p.DeviceAllocator)
	if err != nil {
		panic("opencl: " + err.Error())
	}
	text, err := a.Kernels()
	if err != nil {
		panic("opencl: " + err.Error())
	}
	return text + heapText
}

func heldAt(mem string) string { return "memc_at_" + mem }

// held returns a variable's entry in the kernel's list, if it has one.
func (p *kprinter) held(mem string) (imp.Held, bool) {
	for _, h := range p.k.Held {
		if h.Mem == mem {
			return h, true
		}
	}
	return imp.Held{}, false
}

// head is the number of bytes before the data of a variable's block.
func head(h imp.Held) int {
	if h.Counted {
		return 16
	}
	return 0
}

// heapParams are the parameters of a kernel that uses the device heap.
func (p *kprinter) heapParams() []string {
	if len(p.k.Held) == 0 {
		return nil
	}
	return []string{"__global uchar *memc_dev_buf", "long memc_dev_off"}
}

func (p *kprinter) heapDeclarations() {
	if len(p.k.Held) == 0 {
		return
	}
	p.line("__global uchar *const memc_dev = memc_dev_buf + memc_dev_off;")
	for _, h := range p.k.Held {
		p.line("ulong %s = 0;", heldAt(h.Mem))
	}
}

// alloc makes a block, or leaves.
func (p *kprinter) alloc(s *imp.Alloc) {
	h, _ := p.held(s.Mem)
	if p.tasks {
		p.taskAlloc(s, h)
		return
	}
	p.line("if (memc_block_take(memc_dev, fault, %s, %d, %d, %d, &%s)) {", cbytes(s.Bytes), head(h), s.Full, s.Contended, heldAt(s.Mem))
	p.depth++
	p.ended()
	p.jump()
	p.depth--
	p.line("}")
	if h.Counted {
		p.line("%s = memc_dev + %s + %d;", s.Mem, heldAt(s.Mem), head(h))
	} else {
		p.line("%s = memc_dev + %s;", s.Mem, heldAt(s.Mem))
	}
}

// drop releases the block that a variable holds.
func (p *kprinter) drop(h imp.Held) {
	fn := "memc_free((memc_heap)memc_dev, %s);"
	switch {
	case p.tasks && h.Counted:
		fn = "memc_block_drop(%s);"
	case p.tasks:
		fn = "free(%s);"
	case h.Counted:
		fn = "memc_block_drop(memc_dev, %s);"
	}
	p.line(fn, heldAt(h.Mem))
}

func (p *kprinter) free(s *imp.Free) {
	h, _ := p.held(s.Mem)
	p.drop(h)
	p.line("%s = 0;", heldAt(s.Mem))
}

// setMem assigns a block. The reference to the new one is taken before that to
// the old one is dropped: they may be the same.
func (p *kprinter) setMem(s *imp.SetMem) {
	dst, ok := p.held(s.Dst)
	if !ok {
		p.line("%s = %s;", s.Dst, s.Src)
		return
	}
	_, held := p.held(s.Src)
	if held && !s.Move {
		heap := "memc_dev, "
		if p.tasks {
			heap = ""
		}
		p.line("memc_block_share(%s%s);", heap, heldAt(s.Src))
	}
	p.drop(dst)
	p.line("%s = %s;", s.Dst, s.Src)
	switch {
	case !held:
		p.line("%s = 0;", heldAt(s.Dst))
	case s.Move:
		p.line("%s = %s;", heldAt(s.Dst), heldAt(s.Src))
		p.line("%s = 0;", heldAt(s.Src))
	default:
		p.line("%s = %s;", heldAt(s.Dst), heldAt(s.Src))
	}
}

// jump leaves the innermost region, or the kernel.
func (p *kprinter) jump() {
	switch n := len(p.leave); {
	case n > 0:
		p.left[n-1] = true
		p.line("goto %s;", p.leave[n-1])
	case len(p.k.Held) > 0:
		p.early = true
		p.line("goto memc_leave;")
	default:
		p.line("return;")
	}
}

// ending prints the label at which work-items that leave the kernel early drop the blocks that they
// hold.
func (p *kprinter) ending() {
	if !p.early {
		return
	}
	p.line("return;")
	fmt.Fprintln(p, "memc_leave:")
	for _, h := range p.k.Held {
		p.drop(h)
	}
}

// dropped prints, after the label of a region, the drops of the blocks that the region
// makes.
func (p *kprinter) dropped(list []imp.Stmt) {
	made := map[string]bool{}
	imp.Each(list, func(s *imp.Alloc) { made[s.Mem] = true })
	imp.Each(list, func(s *imp.SetMem) { made[s.Dst] = true })
	for _, h := range p.k.Held {
		if made[h.Mem] {
			p.drop(h)
			p.line("%s = 0;", heldAt(h.Mem))
		}
	}
}

// heapTables writes the tables of the device heap for the C runtime. It returns the
// number of kernels that prepare it, and the end of the table of kernels' names.
func (w *hostWriter) heapTables() (kernels int, names string) {
	w.f("#define MEMC_DEVICE_HEAP %d /* bytes; 0: no kernel allocates */\n", w.p.DeviceHeap)
	if w.p.DeviceAllocator == "" {
		return 0, "\n};\n\n"
	}
	a, err := cl.Lookup(w.p.DeviceAllocator)
	if err != nil {
		panic("opencl: " + err.Error())
	}
	w.f("#define MEMC_HEAP_ONCE %d /* nothing is reused */\n", oneIf(!a.Frees))
	text := ",\n  \"memc_heap_clear\", \"memc_heap_split\"\n};\n\n"
	text += "/* Whether a kernel allocates. */\nstatic const char memc_kernel_allocates[] = {"
	for i, k := range w.p.Kernels {
		if i > 0 {
			text += ", "
		}
		text += strconv.Itoa(oneIf(len(k.Held) > 0))
	}
	return 2, text + "};\n\n"
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
