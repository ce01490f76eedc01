package futhark

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// translate imports a dump and checks what comes out.
func translate(t *testing.T, text string) (*ir.Program, diag.List) {
	t.Helper()
	p, list := Import(diag.NewFile("test.fut_gpu_mem", text))
	if list.Failed() {
		return p, list
	}
	if more := check.Program(p); more.Failed() {
		var b strings.Builder
		more.Render(&b, false)
		t.Fatalf("the program is not right:\n%s\n%s", b.String(), p)
	}
	return p, list
}

// entry wraps statements and the values they give in an entry on xs : [n]i32.
func entry(rets, body string) string {
	return `entry("main", {k: i64, xs: *[]i32}, {` + strings.Repeat("i32, ", strings.Count(rets, "i32")-1) + `i32})
  entry_main (xs_mem_1 : mem@device, n_2 : i64, k_3 : i64,
              xs_4 : *[n_2]i32 @ xs_mem_1 -> {offset: 0i64; strides: [1i64]; shape: [n_2]})
  : ` + rets + " = {\n" + body + "\n}\n"
}

func TestTranslation(t *testing.T) {
	place := func(mem string) string { return " @ " + mem + " -> {offset: 0i64; strides: [1i64]; shape: [n_2]}" }
	for _, c := range []struct{ name, rets, body, want string }{
		{"scalars", "{i32}", `
  let {x_5 : i32} =
    sdiv_safe32(k32_9, 3i32)
  in {x_5}`, "if 3i32 == 0i32 then 0i32 else fdiv(k32_9, 3i32)"},
		{"unsigned operation", "{i32}", `
  let {x_5 : i32} =
    umax32(k32_9, 3i32)
  in {x_5}`, "i32(max(u32(k32_9), u32(3i32)))"},
		{"source location", "{i32}", `
  "life.fut:3:5-12"
  let {x_5 : i32} =
    xs_4[k_3]
  in {x_5}`, "let x_5: i32 = xs_4[k_3]  -- life.fut:3:5-12"},
		{"index", "{i32}", `
  let {x_5 : i32} =
    xs_4[k_3]
  in {x_5}`, "let x_5: i32 = xs_4[k_3]"},
		{"assertion before what it guards", "{i32}", `
  let {ok_5 : bool} =
    slt64(k_3, n_2)
  let {c_6 : unit} =
    assert(ok_5, {"index ", k_3 : i64, " of ", n_2 : i64})
  let {x_7 : i32} =
    #{c_6}
    xs_4[k_3]
  in {x_7}`, `assert ok_5 "index {} of {}" (k_3, n_2)
  let x_7: i32 = xs_4[k_3]`},
		{"map in its block", "{i32}", `
  let {b_5 : i64} =
    mul_nw64(4i64, n_2)
  let {mem_6 : mem@device} =
    alloc(b_5, @device)
  let {ys_7 : [n_2]i32` + place("mem_6") + `} =
    segmap(thread; ; grid=g_8; blocksize=t_9)
    (gtid_10 < n_2) (~tid_11) : {i32} {
      let {x_12 : i32} =
        xs_4[gtid_10]
      return {returns x_12}
    }
  let {y_13 : i32} =
    ys_7[k_3]
  in {y_13}`, "let ys_7: [n_2]i32 @ mem_6 = map (gtid_10 < n_2)"},
		{"several operators in one reduction", "{i32, i32}", `
  let {mem_5 : mem@device} =
    alloc(4i64, @device)
  let {mem_6 : mem@device} =
    alloc(4i64, @device)
  let {a_7 : [1i64]i32 @ mem_5 -> {offset: 0i64; strides: [1i64]; shape: [1i64]},
       b_8 : [1i64]i32 @ mem_6 -> {offset: 0i64; strides: [1i64]; shape: [1i64]}} =
    segred(thread; ; grid=g_8; blocksize=t_9)
    (one_9 < 1i64, gtid_10 < n_2) (~tid_11) : {i32, i32} {
      let {x_12 : i32} =
        xs_4[gtid_10]
      return {returns x_12, returns x_12}
    }
    ({0i32}, , commutative \ {p_13 : i32, q_14 : i32} : {i32} ->
      let {s_15 : i32} =
        add32(p_13, q_14)
      in {s_15},
    {1i32}, , commutative \ {p_16 : i32, q_17 : i32} : {i32} ->
      let {s_18 : i32} =
        mul32(p_16, q_17)
      in {s_18})
  let {y_19 : i32} =
    a_7[0i64]
  let {z_20 : i32} =
    b_8[0i64]
  in {y_19, z_20}`, "commutative op (p_13: i32, p_16: i32, q_14: i32, q_17: i32)"},
		{"a conditional addition stays in its branch", "{i32}", `
  let {r_5 : [n_2]i32` + place("xs_mem_1") + `} =
    with_acc({([n_2], {xs_4}, (\ {i_6 : i64, p_7 : i32, q_8 : i32} : {i32} ->
        let {s_9 : i32} =
          add32(p_7, q_8)
        in {s_9}, {0i32}))},
    \ {c_10 : unit, acc_11 : acc(c_10, [n_2], {i32})} : {acc(c_10, [n_2], {i32})} ->
      let {acc_12 : acc(c_10, [n_2], {i32})} =
        segmap(thread; ; grid=g_8; blocksize=t_9)
        (gtid_13 < k_3) (~tid_14) : {acc(c_10, [n_2], {i32})} {
          let {even_15 : bool} =
            slt64(gtid_13, 3i64)
          let {acc_16 : acc(c_10, [n_2], {i32})} =
            if even_15
            then {
              let {acc_17 : acc(c_10, [n_2], {i32})} =
                update_acc(acc_11, {gtid_13}, {7i32})
              in {acc_17}
            } else {acc_11}
            : {acc(c_10, [n_2], {i32})}
          return {returns acc_16}
        }
      in {acc_12})
  let {y_18 : i32} =
    r_5[k_3]
  in {y_18}`, "map (gtid_13 < k_3) into (xs_4 commutative op"},
		{"all versions", "{i32}", `
  let {y_5 : i32} =
    if <equiv> big_6
    then {
      let {z_7 : i32} =
        segred(block; ; grid=g_8; blocksize=t_9) (i_8 < 1i64) (~tid_9) : {i32} { return {returns 1i32} }
        ({0i32}, , \ {p_10 : i32, q_11 : i32} : {i32} -> {p_10})
      in {z_7}
    } else {
      let {z_12 : i32} =
        xs_4[0i64]
      in {z_12}
    }
    : {i32}
  in {y_5}`, "let y_5: i32 = if big_6 {"},
		{"a branch of two views", "{i32}", `
  let {m_5 : i64} =
    sub64(n_2, 1i64)
  let {off_6 : i64} =
    btoi bool big_6 to i64
  let {v_7 : [m_5]i32 @ xs_mem_1 -> {offset: off_6; strides: [1i64]; shape: [m_5]}} =
    if big_6
    then {
      let {a_8 : [m_5]i32 @ xs_mem_1 -> {offset: 1i64; strides: [1i64]; shape: [m_5]}} =
        xs_4[1i64 :+ m_5 * 1i64]
      in {a_8}
    } else {
      let {b_9 : [m_5]i32 @ xs_mem_1 -> {offset: 0i64; strides: [1i64]; shape: [m_5]}} =
        xs_4[0i64 :+ m_5 * 1i64]
      in {b_9}
    }
    : {[m_5]i32 @ xs_mem_1 -> {offset: off_6; strides: [1i64]; shape: [m_5]}}
  let {y_10 : i32} =
    v_7[k_3]
  in {y_10}`, "let v_7: [m_5]i32 @ ?v_7_mem -> LMAD(?v_7_mem_at; (m_5 : ?v_7_mem_by)) = if big_6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := entry(c.rets, "  let {k32_9 : i32} =\n    sext i64 k_3 to i32\n  let {big_6 : bool} =\n    slt64(100i64, n_2)"+c.body)
			p, list := translate(t, text)
			if list.Failed() {
				t.Fatal(list.Err())
			}
			if got := p.String(); !strings.Contains(got, c.want) {
				t.Errorf("the program\n%s\ndoes not hold\n%s", got, c.want)
			}
		})
	}
}

func TestUnsignedAndSizes(t *testing.T) {
	p, list := translate(t, `entry("first", {xs: []u8}, {[]u8, u8})
  entry_first (xs_mem_1 : mem, n_2 : i64,
               xs_3 : [n_2]i8 @ xs_mem_1 -> {offset: 0i64; strides: [1i64]; shape: [n_2]})
  : {mem#([0], []), i64, [?1]i8 @ ?0 -> {offset: 0i64; strides: [1i64]; shape: [?1]}#([2], [1]), i8} = {
  let {h_4 : i64} =
    sdiv64(n_2, 2i64)
  let {ys_5 : [h_4]i8 @ xs_mem_1 -> {offset: 0i64; strides: [1i64]; shape: [h_4]}} =
    xs_3[0i64 :+ h_4 * 1i64]
  let {y_6 : i8} =
    xs_3[0i64]
  in {xs_mem_1, h_4, ys_5, y_6}
}`)
	if list.Failed() {
		t.Fatal(list.Err())
	}
	got := strings.SplitN(p.String(), "\n", 2)[0]
	if want := "entry first [n_2] (xs_3: [n_2]u8 @ ?xs_3_mem) : (n1: i64, [n1]u8, u8) = {"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{

		{"function", entry("{i32}", "let {x_5 : f64} =\n apply zeta64(1.0f64)\n : {f64}\n in {1i32}"), "6:8: limitation: the function `zeta64`"},
		{"operation", entry("{i32}", "let {x_5 : i32} =\n frob32(1i32, 2i32)\n in {1i32}"), "limitation: the operation `frob32`"},
		{"source location", entry("{i32}", "\"life.fut:3:5-12\"\nlet {x_5 : i32} =\n frob32(1i32, 2i32)\n in {x_5}"), "7:2 (life.fut:3:5-12): limitation: the operation `frob32`"},
		{"name", entry("{i32}", "let {x_5 : i32} =\n add32(y_7, 2i32)\n in {x_5}"), "error[E013]: `y_7` is not in scope"},
		{"syntax", entry("{i32}", "let {x_5 : i32} =\n add32(1i32 2i32)\n in {x_5}"), "error[E013]: found `2i32`, expected `,`"},
		{"end", "entry(\"main\", {", "expected a name"},
		{"deep", "entry(\"main\", {}, {i32}) entry_main () : {i32} = {" + strings.Repeat(" let {x_1 : i32} = if true then {", 5000), "nest deeper"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, list := Import(diag.NewFile("x.fut_gpu_mem", c.text))
			err := list.Err()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}
