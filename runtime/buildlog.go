package runtime

// BuildLog returns the messages of the device's compiler about a program that it built, or "". With
// the option -cl-nv-verbose, NVIDIA's compiler reports the registers of each kernel there.
func (p *Program) BuildLog() string {
	p.ctx.mu.Lock()
	defer p.ctx.mu.Unlock()
	if m, ok := p.mod.(interface{ log() string }); ok && !p.ctx.closed {
		return m.log()
	}
	return ""
}
