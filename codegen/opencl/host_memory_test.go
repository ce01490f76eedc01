//go:build cgo

package opencl_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime/pool"
)

// TestHostSteadyState compiles the examples to C. The second and later runs ask
// the driver for nothing under every allocator but driver, and the results are
// the same under all.
func TestHostSteadyState(t *testing.T) {
	paths, err := filepath.Glob("../../examples/*.ir")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text := readFile(t, path)
			blocks := must.Get(filetest.Blocks(text, filepath.Dir(path)))(t)
			cases := blocks[0].Cases
			i := slices.IndexFunc(cases, func(c filetest.Case) bool { return c.HasInput })
			if i < 0 {
				t.Fatal("no test input")
			}
			c, _ := hostC(t, path, text)
			prog := buildC(t, "example", c, "-O1")
			want := ""
			for _, policy := range pool.Policies {
				out, errs, code := runC(t, cases[i].Input, prog, "-r", "2", "--stats=json", "--allocator", policy)
				if want == "" {
					want = out
				}
				if code != 0 || out != want || out == "" {
					t.Fatalf("%s: exit code %d, %s%s, want %s", policy, code, out, errs, want)
				}
				m := regexp.MustCompile(`"alloc_requests":(\d+),"driver_allocs":(\d+),.*"hits":(\d+),"driver_frees":(\d+)`).FindStringSubmatch(errs)
				if m == nil {
					t.Fatalf("%s: statistics %s", policy, errs)
				}
				requests, made, hits, back := m[1], m[2], m[3], m[4]
				right := made == "0" && hits == requests && back == "0"
				if policy == "driver" {
					right = made == requests && hits == "0" // the results are still held
				}
				if !right {
					t.Errorf("%s, second run: %s", policy, errs)
				}
			}
		})
	}
}
