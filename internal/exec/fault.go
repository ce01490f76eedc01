package exec

import (
	"encoding/binary"
	"fmt"

	"github.com/memc-lang/memc/internal/diag"
)

// faultBytes is the size of the fault buffer: a 32-bit code (0: no fault), and
// from byte 8 on up to seven arguments of 64 bits. The kernel's first failing
// check fills it; later ones leave it alone.
const faultBytes = 64

func (p *Prepared) makeFaults() error {
	b, err := p.ctx.AllocUncounted(faultBytes)
	if err != nil {
		return fmt.Errorf("fault buffer: %w", err)
	}
	p.faults = b
	return p.resetFaults()
}

func (p *Prepared) resetFaults() error {
	if err := p.ctx.Write(p.faults, 0, make([]byte, faultBytes)); err != nil {
		return fmt.Errorf("fault buffer: %w", err)
	}
	return nil
}

// pending waits for the kernels launched so far and gives what one of them
// reported, if any.
func (r *run) pending() error {
	if r.p.faults == nil || !r.launched {
		return nil
	}
	r.launched = false
	var buf [faultBytes]byte
	if err := r.ctx.Read(r.p.faults, 0, buf[:]); err != nil {
		return fmt.Errorf("waiting for kernels: %w", err)
	}
	code := int(int32(binary.LittleEndian.Uint32(buf[:])))
	if code == 0 {
		return nil
	}
	if err := r.p.resetFaults(); err != nil {
		return err
	}
	var args []int64
	for at := 8; at < faultBytes; at += 8 {
		args = append(args, int64(binary.LittleEndian.Uint64(buf[at:])))
	}
	return r.p.fault(code, args)
}

// fault makes the diagnostic of a check.
func (p *Prepared) fault(code int, args []int64) error {
	if code <= 0 || code >= len(p.prog.Faults) || p.prog.Faults[code].Args > len(args) {
		return p.bug(diag.Span{}, "a kernel reported fault %d, which there is not", code)
	}
	f := p.prog.Faults[code]
	shown := make([]any, f.Args)
	for i := range shown {
		shown[i] = args[i]
	}
	return p.fail(f.Span, f.Format, shown...)
}
