package runtime

// BuildLog gives what the device's compiler said about a program that it built,
// "" where it said nothing. With the option -cl-nv-verbose, NVIDIA's tells the
// registers of each kernel there.
func (p *Program) BuildLog() string {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	if m, ok := p.mod.(interface{ log() string }); ok && !p.ctx.closed {
		return m.log()
	}
	return ""
}
