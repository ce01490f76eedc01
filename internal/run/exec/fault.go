package exec

import (
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// pending waits for the kernels launched so far and gives what one of them
// reported, if any.
func (r *run) pending() error {
	code, args, err := r.p.faults.Pending()
	if err != nil || code == 0 {
		return err
	}
	return r.p.fault(code, args)
}

// fault makes the diagnostic of a check.
func (p *Prepared) fault(code int, args []int64) error {
	if code <= 0 || code >= len(p.prog.Faults) || p.prog.Faults[code].Args > len(args) {
		return p.bug(diag.Span{}, "a kernel reported fault %d, which there is not", code)
	}
	f := p.prog.Faults[code]
	if f.Heap {
		d := p.fail(f.Code, f.Span, "%s", runtime.CheckWords(f.Format, args[:f.Args], p.heap.Size())).Hinted("a larger heap: --device-heap=SIZE")
		d.Cause = &host.Error{Kind: host.OutOfMemory, Msg: d.Msg}
		return d
	}
	return p.fail(f.Code, f.Span, "%s", runtime.CheckWords(f.Format, args[:f.Args], -1))
}
