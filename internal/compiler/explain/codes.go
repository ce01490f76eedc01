package explain

import (
	"fmt"
	"strings"
)

// Codes lists every code that a refusal can have. docs/passes.md has the conditions C1
// to C5 of the thesis at length (section 5.3). Some codes are of several passes; their texts name these.
var Codes = []Code{
	{"C1", "the source is still used", "A copy `x with [i] = ys` can go only if nobody changes `ys` after it, and if the elements of `ys` that are read later are not overwritten in their new place.", "let t1 = t with [0, (0, m)] = ys\nlet ys1 = ys with [0] = 1.0     -- C1: `ys` changes after the copy"},
	{"C2", "the destination does not exist yet", "`ys` can be made in its destination only if that block is allocated before `ys` is made, and if `ys` is made in the same body as the copy.", "entry main [m] (ys: [m]f32, t: *[4][m]f32) : [4][m]f32 = {\n  let t1 = t with [0, (0, m)] = ys   -- C2: the caller made `ys`\n  in t1\n}"},
	{"C3", "something else uses the destination meanwhile", "From the first write of `ys` to the copy, nothing else may touch the part of the block where `ys` would lie.", "let ys = map (i < m) { in xs[i] + 1.0 }\nlet z = t[0, 3]                 -- C3: row 0 of `t` is read after `ys` is made there\nlet t1 = t with [0, (0, m)] = ys"},
	{"C4", "an array has no single place", "Every array that shares elements with the source must get one place that follows from the destination.", "let row = all[2, (0, m)]\nlet t1 = t with [0, (0, m)] = row   -- C4: `row` is part of `all`, which is larger"},
	{"C5", "the place is not known yet", "The offset of the destination must be known when the source is made.", "let ys = map (i < m) { in xs[i] + 1 }\nlet k = ys[0]\nlet t1 = t with [k, (0, m)] = ys    -- C5: the row is read from `ys` itself"},
	{"access", "it would be read or written more slowly", "In its destination the array's neighbours would lie far apart, and kernels that use it often would run slower than the copy costs.", ""},
	{"again", "elements would be computed again and again", "`fuse` computes an element where it is read, in place of storing the array. It refuses if that repeats more work than a load costs: in the turns of a loop, for every row of a matrix product, or at many places of the reader.", "let e = map (i < n, l < k) { in exp(a[i, l]) }\nlet c = reduce (i < n, j < m, l < k) op (x, y) { in x + y } neutral (0) { in e[i, l] * b[l, j] }\n                                -- again: every `j` would compute `e[i, l]`"},
	{"bound", "the search ended at its limit", "More arrays, blocks or accesses take part than memc compares. Keeping the copy is always right.", ""},
	{"bounds", "an index may lie outside of the array", "An array that `fuse` does not store has no bounds to check. So every index that reads it must be proven to lie in it.", "let ys = map (i < m) { in xs[i] * 2 }\nlet zs = map (i < m) { in ys[at[i]] }    -- bounds: `at[i]` comes from the data"},
	{"call", "a call needs the array in its place", "The program passes the array to a function, which expects it row-major in a block of its own.", ""},
	{"choice", "another rewrite was better, or a choice of blocks may fail", "In `coalesce`: two rewrites exclude each other, and the other one saves more. In `forget`: a statement that only chooses a block may stop the run, so it stays, and so does the function's memory.", "let m: mem = if xs[k] > 1 { in m_a } else { in m_b }    -- choice, in `forget`: `xs[k]` may be out of bounds"},
	{"condition", "an element is needed only in some cases, and takes statements to compute", "A condition within an expression, as in `if c then ys[i] else 0`, leaves no room for statements. `fuse` computes an element there only if it is one expression, or if it may be computed in every case.", "let ys = map (i < n) {\n  let s = loop (a = 0) for t < k { in a + xs[i] }\n  in s\n}\nlet zs = map (i < m) { in if at[i] < k then ys[m - 1 - i] else 0 }    -- condition: `ys` takes a loop"},
	{"consumed", "an array is overwritten", "`fuse` computes elements later than the program does, so what they are made from must still be there. `simplify` lets one array stand for an equal one only if neither is overwritten.", "let ys = map (i < n) { in xs[i] * xs[i] }\nlet xs1 = xs with [0] = 5                -- overwrites `xs`\nlet zs = map (i < n) { in ys[i] + 1 }    -- consumed: `xs[0]` is another value here"},
	{"explicit", "a function says where its arrays live", "`inline` replaces calls only between functions without memory: the places of a body would make its caller explicit. The pass `forget` removes memory.", "let ys = doubled(xs)    -- explicit: `doubled` has an `alloc` and an `@`"},
	{"fails", "a run could fail, or not fail, by the rewrite", "A program that fails must still fail, and no other one may. `fuse` keeps an array if computing it may fail and its reader may not read every element. `simplify` keeps a scalar in its loop if it may be out of bounds and the loop may have no iteration.", "let ys = map (i < n) { in 100 / xs[i] }\nlet zs = map (i < m) { in ys[i] + 1 }    -- fails: only the first `m` divisions would be made"},
	{"interferes", "both contents are needed at one time", "Two blocks can share storage only if one is dead before the other is written. The remark names a point at which both are needed, and an array of each.", ""},
	{"layout", "elements lie in another order", "The copy of a slice or of a transposed array lays its elements side by side. `simplify` keeps it, for those who read it.", "let t = rearrange (1, 0) xs\nlet a = copy t    -- layout: the rows of `t` are columns of `xs`"},
	{"long", "a kernel is long as it is", "`fuse` bounds the text of a kernel, so that compilers of kernels are done in time, and its values have room in registers.", ""},
	{"loop", "a loop in the function carries arrays", "The blocks of such a loop take turns, and are free after the call. `inline` leaves the call where the function is called more than once or in a loop: beside each other these blocks find less to share.", ""},
	{"memory", "an array would have to live longer", "`fuse` and `simplify` refuse if an array that was dead would have to be kept beside others. `fuse` accepts it if the array is no larger than the one that is not stored.", "let ys = map (i < n) { in xs[i] * 2 }\nlet s = reduce (i < n) op (p, q) { in p + q } neutral (0) { in ys[i] }    -- the last use of `ys`\nlet zs = map (i < n) { in xs[i] * 2 }    -- memory, in `simplify`: `ys` would live until `zs` is read"},
	{"operator", "the operator is another one for each thread", "`fuse` makes one kernel of a map of reductions only if all threads combine with the same operator.", "let r = map (i < n) {\n  let s = reduce (j < m) op (a, b) { in a * w[i] + b } neutral (0) { in xs[j] }    -- operator: it reads `w[i]`\n  in s\n}"},
	{"peak", "some run would hold more memory", "The rewrite removes a copy or a block, but may hold memory for longer. memc refuses if it cannot prove that no run's peak rises.", ""},
	{"place", "it has a place as good, or cannot have this one", "In `coalesce`: the array already lies where another copy put it, or the place cannot be written as an index function. In `forget`: a value depends on where an array lies.", ""},
	{"ragged", "threads run kernels of different sizes", "`fuse` makes one kernel of a map of kernels only if these have the same sizes, and the same neutral values, in all threads.", "let r = map (i < n) {\n  let s = reduce (j < i) op (a, b) { in a + b } neutral (0) { in xs[j] }    -- ragged: thread `i` adds `i` elements\n  in s\n}"},
	{"result", "a function returns the array", "A caller may overwrite what a function hands out as its own. So `simplify` keeps a result of a function that is no entry as an array of its own.", "fun own [n] (xs: [n]i32) : [n]i32 = {\n  let a = copy xs    -- result\n  in a\n}"},
	{"room", "the block may be too small", "The array would be made in a block whose own array is not made in every run, so nothing proves that the block has room for it.", ""},
	{"rounding", "two functions round differently", "The kernels of a function with the word `contract` may round `x * y + z` once. `inline` keeps calls between such a function and another one, so that both round as before.", "fun contract f [n] (xs: [n]f32) : f32 = { .. }\nentry main [n] (xs: [n]f32) : f32 = {\n  let s = f(xs)    -- rounding: `main` does not say `contract`\n  in s\n}"},
	{"size", "the order of two sizes is not known, a size is checked, or a text is too long", "In `reuse`: a block can serve a second array, which may be larger, only if the larger size is known before the block is allocated. In `simplify`: a copy stays if it checks that the sizes of two arrays agree. In `inline`: a large function with several calls stays if only scalars cross them, or if the program would become too long.", ""},
	{"sizes", "two sizes are not provably equal", "The array and the part that it would be copied to must have equal sizes.", ""},
	{"switch", "it was switched off", "This kind of rewrite is off: `--passes` names the pass with a switch, as in coalesce:-concat.", ""},
	{"uses", "too much else uses the array", "`fuse` leaves an array out only if kernels alone read it, element by element: one of them, or up to three if an element costs no more than to load it. An array that is returned, joined, updated or passed to a function is stored.", "let ys = map (i < n) { in xs[i] + 1 }\nlet zs = map (i < n) { in ys[n - 1 - i] * 2 }\nlet both = concat@0 (ys, zs)    -- uses: `ys` is joined as a whole"},
}

// LookUp returns the page of a code, of a refusal or of an error.
func LookUp(name string) (fmt.Stringer, bool) {
	for _, c := range Codes {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	for _, c := range Errors() {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return nil, false
}

func (c Code) String() string {
	s := fmt.Sprintf("[%s] %s\n", c.Name, c.Title)
	if c.Meaning != "" {
		s += "\n" + c.Meaning + "\n"
	}
	if c.Example != "" {
		s += "\n" + indented(c.Example)
	}
	return s
}

func indented(text string) string { return "  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n" }
