package futhark

import (
	"fmt"
	"strings"
	"testing"
)

// The scalar operations of Futhark's IR, as its printer names them.
var (
	intBinary = strings.Fields("add sub mul add_nw sub_nw mul_nw udiv udiv_up sdiv sdiv_up umod smod squot srem " +
		"udiv_safe udiv_up_safe sdiv_safe sdiv_up_safe umod_safe smod_safe squot_safe srem_safe " +
		"smin umin smax umax shl lshr ashr and or xor pow")
	intCompare   = strings.Fields("ult ule slt sle eq_i")
	intUnary     = strings.Fields("neg_i abs ssignum usignum complement")
	floatBinary  = strings.Fields("fadd fsub fmul fdiv fmod fmin fmax fpow")
	floatCompare = strings.Fields("lt le eq_f")
	floatUnary   = strings.Fields("neg_f fabs fsignum")
	floatFuns    = strings.Fields("sqrt rsqrt cbrt log log10_ log1p_ log2_ exp sin sinpi sinh cos cospi cosh tan tanpi tanh asin asinpi asinh " +
		"acos acospi acosh atan atanpi atanh round ceil floor gamma lgamma erf erfc")
	floatFuns2 = strings.Fields("nextafter copysign atan2_ atan2pi_ hypot")
	floatFuns3 = strings.Fields("lerp mad fma")
	intFuns    = strings.Fields("clz ctz popc") // give i32
	intFuns2   = strings.Fields("umul_hi smul_hi")
	intFuns3   = strings.Fields("umad_hi smad_hi")
)

// TestEveryOperation: every scalar operation, conversion and function is
// translated to something of the right type.
func TestEveryOperation(t *testing.T) {
	var stms []string
	n := 100
	value := map[string]string{}
	stm := func(prim, exp string) {
		n++
		stms = append(stms, fmt.Sprintf("  let {v_%d : %s} =\n    %s", n, prim, exp))
	}
	prims := strings.Fields("i8 i16 i32 i64 f16 f32 f64")
	for _, p := range prims {
		if p[0] == 'i' {
			stm(p, fmt.Sprintf("add%s(5%s, 2%s)", p[1:], p, p))
		} else {
			stm(p, fmt.Sprintf("fadd%s(5.0%s, 2.5%s)", p[1:], p, p))
		}
		value[p] = fmt.Sprintf("v_%d", n)
	}
	stm("bool", "logand(true, false)")
	value["bool"] = fmt.Sprintf("v_%d", n)
	for _, p := range prims {
		w, x := p[1:], value[p]
		binary, compare, unary := intBinary, intCompare, intUnary
		if p[0] == 'f' {
			binary, compare, unary = floatBinary, floatCompare, floatUnary
		}
		for _, op := range binary {
			stm(p, fmt.Sprintf("%s%s(%s, %s)", op, w, x, x))
		}
		for _, op := range compare {
			stm("bool", fmt.Sprintf("%s%s(%s, %s)", op, w, x, x))
		}
		for _, op := range unary {
			stm(p, fmt.Sprintf("%s%s %s", op, w, x))
		}
		stm(p, fmt.Sprintf("apply cond_%s(%s, %s, %s)\n    : {%s}", p, value["bool"], x, x, p))
		apply := func(to string, args int, fns []string) {
			for _, f := range fns {
				stm(to, fmt.Sprintf("apply %s%s(%s)\n    : {%s}", f, w, strings.Join(strings.Split(strings.Repeat(x, args), "v")[1:], ", "), to))
				stms[len(stms)-1] = strings.ReplaceAll(strings.ReplaceAll(stms[len(stms)-1], "(_", "(v_"), ", _", ", v_")
			}
		}
		if p[0] == 'i' {
			apply("i32", 1, intFuns)
			apply(p, 2, intFuns2)
			apply(p, 3, intFuns3)
			stm("bool", fmt.Sprintf("itob %s %s to bool", p, x))
			stm(p, fmt.Sprintf("btoi bool %s to %s", value["bool"], p))
		} else {
			apply(p, 1, floatFuns)
			apply(p, 2, floatFuns2)
			apply(p, 3, floatFuns3)
			apply("bool", 1, []string{"isnan", "isinf"})
			stm(p, fmt.Sprintf("apply ldexp%s(%s, %s)\n    : {%s}", w, x, value["i32"], p))
			stm("bool", fmt.Sprintf("ftob %s %s to bool", p, x))
			stm(p, fmt.Sprintf("btof bool %s to %s", value["bool"], p))
			stm("i"+w, fmt.Sprintf("fptobits %s %s to i%s", p, x, w))
			stm(p, fmt.Sprintf("bitstofp i%s %s to %s", w, value["i"+w], p))
		}
		for _, q := range prims {
			convs := map[string][]string{"ii": {"sext", "zext"}, "ff": {"fpconv"}, "if": {"sitofp", "uitofp"}, "fi": {"fptosi", "fptoui"}}
			for _, c := range convs[p[:1]+q[:1]] {
				stm(q, fmt.Sprintf("%s %s %s to %s", c, p, x, q))
			}
		}
	}
	b := value["bool"]
	for _, op := range []string{"logand", "logor", "llt", "lle", "eq_bool"} {
		stm("bool", fmt.Sprintf("%s(%s, %s)", op, b, b))
	}
	stm("bool", "neg_bool "+b)
	// One at a time, so that a failure names its operation.
	head := strings.Join(stms[:8], "\n")
	for i, s := range stms[8:] {
		name := fmt.Sprintf("v_%d", 101+8+i)
		prim, _, _ := strings.Cut(strings.SplitN(s, " : ", 2)[1], "}")
		text := "entry(\"main\", {}, {" + prim + "}) entry_main () : {" + prim + "} = {\n" + head + "\n" + s + "\n  in {" + name + "}\n}\n"
		p, list := translate(t, text)
		if list.Failed() {
			t.Errorf("%s: %v", s, list.Err())
			continue
		}
		if got := p.Funcs[0].Results[0].Type.Prim.String(); got != prim {
			t.Errorf("%s: gives %s", s, got)
		}
	}
	if len(stms) < 500 {
		t.Errorf("%d operations", len(stms))
	}
}
