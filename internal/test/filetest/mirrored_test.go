package filetest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/part"
)

// TestMirrored runs loops whose accesses to one block have different steps, as merging in place makes
// them, as C by several compilers: GCC 12 compiled some to nothing (Note [Kernels are called by
// pointer], codegen/opencl).
func TestMirrored(t *testing.T) {
	dir := t.TempDir()
	for k, text := range mirrored() {
		if !part.Of(k, 3) {
			continue
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.ir", k)), []byte(text), 0o600))
	}
	if part.All() {
		run(t, []string{dir}, CompiledOptions{Compilers: Compilers, Files: 30})
		return
	}
	// At -O0 nothing goes wrong that does not at -O1.
	run(t, []string{dir}, CompiledOptions{Compilers: []string{"gcc -O2"}, Files: 30})
	run(t, []string{dir}, CompiledOptions{Compilers: []string{"gcc -O1", "gcc -O3", "clang -O2"}, Turns: true, Files: 15})
}

// mirroredShapes are a type of x and the statements that make r. N is a size, I and H are an index and
// its mirror image, T is the element type. An operation needs numbers.
const mirroredShapes = `
[N][2]    let u = map (i < N) { in x[I, 1] } let r = x with [(0, N), 0] = u
[N][2]    let u = map (i < N) { in x[I, 0] } let r = x with [(0, N), 1] = u
[N][3]    let u = map (i < N) { in x[I, 2] } let r = x with [(0, N), 0] = u
[N][3]    let u = map (i < N) { in x[I, 0] } let r = x with [(0, N), 1] = u
[N][4]    let u = map (i < N) { in x[I, 1] } let r = x with [(0, N), 2] = u
[N][4]    let u = map (i < N) { in x[I, 3] } let r = x with [(0, N), 0] = u
[2][N]    let u = map (i < N) { in x[1, I] } let r = x with [0, (0, N)] = u
[N]       let r = map (i < N) { in x[I] }
[N]       let r = map (i < N) { in x[i] + x[I] }
[N][3]    let u = map (i < N) { in x[i, 0] + x[I, 2] } let r = x with [(0, N), 1] = u
[N][2]    let u = map (i < N) { in x[I, 1] + x[i, 0] } let r = x with [(0, N), 0] = u
[N][2]    let r = loop (y: *[N][2]T = x) for i < N { let a = y[I, 1] let z = y with [i, 0] = a in z }
[N]       let r = loop (y: *[N]T = x) for i < N / 2 { let a = y[N - 1 - i] let b = y[i] let z = y with [i] = a let w = z with [N - 1 - i] = b in w }
[N][3][2] let u = map (i < N, j < 3) { in x[I, 2 - j, 1] } let r = x with [(0, N), (0, 3), 0] = u
[3][N][2] let u = map (j < 3, i < N) { in x[j, I, 0] } let r = x with [(0, 3), (0, N), 1] = u
[N][2]    let u = map (j < 2, i < N) { in x[I, 1 - j] } let v = rearrange (1, 0) u let r = copy v
[N]       let h = N / 2 let u = map (i < h) { in x[2 * (H) + 1] } let r = x with [(0, h, 2)] = u
[N]       let h = N / 2 let u = map (i < h) { in x[2 * (H)] } let r = x with [(1, h, 2)] = u
[N]       let h = N / 2 let u = map (i < h) { in x[h + (H)] } let r = x with [(0, h)] = u
[N]       let h = N / 2 let u = map (i < h) { in x[H] } let r = x with [(2 * h - 1, h, -1)] = u
[N]       let h = N / 2 let p = x[(h - 1, h, -1)] let u = map (i < h) { in p[H] } let r = x with [(h, h)] = u
[N]       let h = N / 3 let u = map (i < h) { in x[2 * (H)] } let r = x with [(N - h, h)] = u
[N]       let h = N / 3 let u = map (i < h) { in x[h + 1 + (H)] } let r = x with [(1, h)] = u
[N]       let h = N / 4 let u = map (i < h) { in x[4 * (H) + 3] } let r = x with [(0, h, 2)] = u
[N]       let h = N / 4 let u = map (i < h) { in x[2 * (H) + 1] } let r = x with [(0, h, 4)] = u
[N]       let h = N - 1 let u = map (i < h) { in x[i + 1] } let r = x with [(0, h)] = u
[N]       let h = N - 1 let u = map (i < h) { in x[i] } let r = x with [(1, h)] = u
[N]       let p = x[(N - 1, N, -1)] let r = copy p
[N][2]    let p = x[(N - 1, N, -1), 1] let r = x with [(0, N), 0] = p
[N]       let u = scan (i < N) op (a, b) { in a + b } neutral (0) { in x[I] } let r = x with [(0, N)] = u
[N][2]    let u = scan (i < N) op (a, b) { in a + b } neutral (0) { in x[I, 1] } let r = x with [(0, N), 0] = u
[N][2]    let u = reduce (i < N, k < 2) op (a, b) { in a + b } neutral (0) { in x[I, k] } let r = x with [(0, N), 0] = u
[N]       let y = scratch T (N) let r = scatter y (i < N) { in (N - 1 - i, x[i]) }
`

// mirrored returns a program for every shape, both directions, and a fixed and a variable size. Its
// entry does the same with an array of every element type: one entry compiles faster than twelve.
func mirrored() (programs []string) {
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(mirroredShapes), "\n") {
		for _, n := range []string{"n", "6"} {
			for _, index := range [][2]string{{"i", "i"}, {"N - 1 - i", "h - 1 - i"}} {
				text := mirroredProgram(strings.NewReplacer("I", index[0], "H", index[1]).Replace(line), n)
				if !seen[text] {
					seen[text] = true
					programs = append(programs, text)
				}
			}
		}
	}
	return programs
}

var mirroredName = regexp.MustCompile(`\b[a-z]\b`)

func mirroredProgram(line, n string) string {
	shape, body, _ := strings.Cut(line, " ")
	var params, types, results, inputs []string
	statements := ""
	for _, t := range strings.Fields("i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool") {
		within := " in 0 ..< 100"
		if t == "bool" {
			if within = ""; strings.Contains(line, " + x[") || strings.Contains(line, "neutral") {
				continue
			}
		}
		own := mirroredName.ReplaceAllString(strings.TrimSpace(body), "${0}_"+t)
		own = strings.NewReplacer("N", n, "T", t).Replace(own)
		statements += "  " + strings.ReplaceAll(own, " let ", "\n  let ") + "\n"
		typ := strings.ReplaceAll(shape, "N", n) + t
		params, types, results = append(params, "x_"+t+": *"+typ), append(types, typ), append(results, "r_"+t)
		// A random input's sizes have names.
		inputs = append(inputs, strings.NewReplacer("N", "n", "2", "b", "3", "c", "4", "d").Replace(shape)+t+within)
	}
	text := "-- ==\n"
	for _, k := range []int{6, 131} {
		if n == "n" || k == 6 {
			text += fmt.Sprintf("-- random input (n = %d, b = 2, c = 3, d = 4) { %s }\n", k, strings.Join(inputs, ", "))
		}
	}
	sizes := ""
	if n == "n" {
		sizes = "[n] "
	}
	return text + fmt.Sprintf("entry main %s(%s) : (%s) = {\n%s  in (%s)\n}\n", sizes,
		strings.Join(params, ", "), strings.Join(types, ", "), statements, strings.Join(results, ", "))
}
