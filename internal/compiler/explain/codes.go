package explain

import (
	"fmt"
	"strings"
)

// Codes lists every code that a refusal can have. docs/passes.md has the conditions C1
// to C5 of the thesis at length (section 5.3).
var Codes = []Code{
	{"C1", "the source is still used", "A copy `x with [i] = ys` can go only if nobody changes `ys` after it, and if the elements of `ys` that are read later are not overwritten in their new place.", "let t1 = t with [0, (0, m)] = ys\nlet ys1 = ys with [0] = 1.0     -- C1: `ys` changes after the copy"},
	{"C2", "the destination does not exist yet", "`ys` can be made in its destination only if that block is allocated before `ys` is made, and if `ys` is made in the same body as the copy.", "entry main [m] (ys: [m]f32, t: *[4][m]f32) : [4][m]f32 = {\n  let t1 = t with [0, (0, m)] = ys   -- C2: the caller made `ys`\n  in t1\n}"},
	{"C3", "something else uses the destination meanwhile", "From the first write of `ys` to the copy, nothing else may touch the part of the block where `ys` would lie.", "let ys = map (i < m) { in xs[i] + 1.0 }\nlet z = t[0, 3]                 -- C3: row 0 of `t` is read after `ys` is made there\nlet t1 = t with [0, (0, m)] = ys"},
	{"C4", "an array has no single place", "Every array that shares elements with the source must get one place that follows from the destination.", "let row = all[2, (0, m)]\nlet t1 = t with [0, (0, m)] = row   -- C4: `row` is part of `all`, which is larger"},
	{"C5", "the place is not known yet", "The offset of the destination must be known when the source is made.", "let ys = map (i < m) { in xs[i] + 1 }\nlet k = ys[0]\nlet t1 = t with [k, (0, m)] = ys    -- C5: the row is read from `ys` itself"},
	{"access", "it would be read or written more slowly", "In its destination the array's neighbours would lie far apart, and kernels that use it often would run slower than the copy costs.", ""},
	{"bound", "the search ended at its limit", "More arrays, blocks or accesses take part than memc compares. Keeping the copy is always right.", ""},
	{"call", "a call needs the array in its place", "The program passes the array to a function, which expects it row-major in a block of its own.", ""},
	{"choice", "another rewrite was better", "Two rewrites exclude each other, and the other one saves more.", ""},
	{"interferes", "both contents are needed at one time", "Two blocks can share storage only if one is dead before the other is written. The remark names a point at which both are needed, and an array of each.", ""},
	{"peak", "some run would hold more memory", "The rewrite removes a copy or a block, but may hold memory for longer. memc refuses if it cannot prove that no run's peak rises.", ""},
	{"place", "it has a place as good, or cannot have this one", "The array already lies where another copy put it, or the place cannot be written as an index function.", ""},
	{"room", "the block may be too small", "The array would be made in a block whose own array is not made in every run, so nothing proves that the block has room for it.", ""},
	{"size", "the order of two sizes is not known", "A block can serve a second array, which may be larger, only if the larger size is known before the block is allocated.", ""},
	{"sizes", "two sizes are not provably equal", "The array and the part that it would be copied to must have equal sizes.", ""},
	{"switch", "it was switched off", "This kind of rewrite is off: `--passes` names the pass with a switch, as in coalesce:-concat.", ""},
}

// LookUp returns the code of that name.
func LookUp(name string) (Code, bool) {
	for _, c := range Codes {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Code{}, false
}

func (c Code) String() string {
	s := fmt.Sprintf("[%s] %s\n\n%s\n", c.Name, c.Title, c.Meaning)
	if c.Example != "" {
		s += "\n  " + strings.ReplaceAll(c.Example, "\n", "\n  ") + "\n"
	}
	return s
}
