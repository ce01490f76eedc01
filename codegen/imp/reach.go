package imp

// Apart reports whether the kernels of an entry can be built by themselves: there are others, and no
// kernel needs a heap, which lives from the first call to the last.
func (p *Program) Apart() bool { return len(p.Entries) > 1 && p.DeviceAllocator == "" }

// Callers returns, for each kernel, the numbers of the entries that may launch it, in order.
func (p *Program) Callers() map[*Kernel][]int {
	out := map[*Kernel][]int{}
	for i, e := range p.Entries {
		seen, launched := map[*Func]bool{}, map[*Kernel]bool{}
		var visit func(f *Func)
		visit = func(f *Func) {
			if seen[f] {
				return
			}
			seen[f] = true
			Each(f.Body, func(l *Launch) {
				if !launched[l.Kernel] {
					launched[l.Kernel] = true
					out[l.Kernel] = append(out[l.Kernel], i)
				}
			})
			Each(f.Body, func(c *Call) { visit(c.Func) })
		}
		visit(e.Func)
	}
	return out
}
