//go:build cgo

package opencl_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// TestKnownOperands runs every operation on constants near the edges of its type. The device's
// compiler then knows the operands, and computes the result itself: where the operation is undefined
// for it, the result is any number, or the rest of the kernel is lost.
func TestKnownOperands(t *testing.T) {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		t.Fatalf("this test needs an OpenCL device (PoCL will do): %v", err)
	}
	defer ctx.Close()
	for _, p := range []ir.Prim{ir.I8, ir.I32, ir.I64, ir.U8, ir.U64, ir.F32, ir.F64} {
		t.Run(p.String(), func(t *testing.T) {
			rows := knownRows(p)
			text := knownProgram(rows)
			source := load.Checked(t, "known.ir", text)
			low := lower(t, "known.ir", text)
			prepared := must.Get(exec.Prepare(ctx, low, opencl.Kernels(low), exec.Options{}))(t)
			defer prepared.Close()
			args := []value.Value{value.Scalar(ir.I64, 1)}
			want := must.Get(interp.ByValue(source, "main", args, interp.Options{}))(t)
			got := must.Get(prepared.Call("main", args))(t)
			for i := range want {
				if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
					t.Errorf("[%s]: %s", strings.Join(rows[i].exps, ", "), d)
				}
			}
		})
	}
}

// A knownRow is one operation on several constants; prim is the type of its results.
type knownRow struct {
	exps []string
	prim ir.Prim
}

func knownProgram(rows []knownRow) string {
	var types, names []string
	var body strings.Builder
	for i, r := range rows {
		fmt.Fprintf(&body, "  let r%d = map (i < n) { let y = [%s] in y }\n", i, strings.Join(r.exps, ", "))
		types = append(types, fmt.Sprintf("[n][%d]%s", len(r.exps), r.prim))
		names = append(names, fmt.Sprintf("r%d", i))
	}
	return fmt.Sprintf("entry main (n: i64) : (%s) = {\n%s  in (%s)\n}\n", strings.Join(types, ", "), &body, strings.Join(names, ", "))
}

func knownRows(p ir.Prim) (rows []knownRow) {
	var constants []string
	bits := p.Bits()
	switch {
	case p.Float():
		for _, c := range []string{"nan", "inf"} {
			constants = append(constants, p.String()+"."+c)
		}
		for _, c := range []string{"0.0", "1.0", "-2.5", "1e30", "-1e30"} {
			constants = append(constants, c+p.String())
		}
		constants = append(constants, "-"+p.String()+".inf", "-0.0"+p.String())
	case p.Signed():
		for _, c := range []int64{-1 << (bits - 1), -1<<(bits-1) + 1, -1, 0, 1, 7, 1<<(bits-1) - 1} {
			constants = append(constants, fmt.Sprintf("%d%s", c, p))
		}
	default:
		for _, c := range []uint64{0, 1, 7, 1 << (bits - 1), 1<<bits - 1} {
			constants = append(constants, fmt.Sprintf("%d%s", c, p))
		}
	}
	row := func(prim ir.Prim, exp func(x, y string) string, allowed func(y string) bool) {
		r := knownRow{prim: prim}
		for _, x := range constants {
			for _, y := range constants {
				if e := exp("("+x+")", "("+y+")"); allowed(y) && !slices.Contains(r.exps, e) {
					r.exps = append(r.exps, e)
				}
			}
		}
		rows = append(rows, r)
	}
	all := func(string) bool { return true }
	divisor := func(y string) bool { return p.Float() || y != "0"+p.String() }
	infix := func(prim ir.Prim, allowed func(string) bool, ops ...string) {
		for _, op := range ops {
			row(prim, func(x, y string) string { return x + " " + op + " " + y }, allowed)
		}
	}
	infix(ir.Bool, all, "==", "!=", "<", "<=")
	infix(p, all, "+", "-", "*")
	infix(p, divisor, "/", "%")
	row(p, func(x, _ string) string { return "-" + x }, all)
	if p.Integer() {
		infix(p, all, "&", "|", "^", "<<", ">>")
		infix(p, func(y string) bool { return y[0] != '-' }, "**")
		row(p, func(x, _ string) string { return "~" + x }, all)
	}
	for _, to := range ir.Prims {
		row(to, func(x, _ string) string { return to.String() + x }, all)
	}
	for _, fn := range slices.Sorted(maps.Keys(ir.Builtins)) {
		sig := ir.Builtins[fn]
		if !(sig.Integer && p.Integer() || sig.Float && p.Float()) || sig.Bits { // the bits of a NaN are unspecified
			continue
		}
		prim, allowed := sig.Result, all
		if prim == ir.Unknown {
			prim = p
		}
		if fn == "fdiv" || fn == "fmod" {
			allowed = divisor
		}
		row(prim, func(x, y string) string { return fn + "(" + strings.Join([]string{x, y, x}[:sig.Args], ", ") + ")" }, allowed)
	}
	return rows
}
