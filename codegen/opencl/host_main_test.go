//go:build cgo

package opencl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestHostMain uses the options of a compiled program.
func TestHostMain(t *testing.T) {
	c, _ := hostC(t, "library.ir", readFile(t, "testdata/host/library.ir"))
	prog := buildC(t, "library", c)
	times := filepath.Join(t.TempDir(), "times")
	for _, x := range []struct {
		args, in    string
		out, errs   string // regular expressions of all that is written
		code        int
		description string
	}{
		{"-e gather", "[10, 20, 30] [2, 0]", `\[30i32, 10i32\]\n2i64\n`, "", 0, "results as text"},
		{"--entry=gather -b", "[10, 20, 30] empty([0]i64)", `b\x02\x01 i32\x00{8}b\x02\x00 i64\x00{8}`, "", 0, "binary results"},
		{"-egather -n --stats=json", "[1] [0]", "", `\{"device":".+","peak_bytes":16,"alloc_requests":3,"driver_allocs":1,"copied_bytes":0,"kernel_launches":1,"wall_us":\d+,"allocator":"region","hits":2,"driver_frees":0,"peak_held_bytes":16384\}\n`, 0, "statistics"},
		{"-egather -n -a driver --stats=json", "[1] [0]", "", `\{.*"alloc_requests":3,"driver_allocs":3,.*,"allocator":"driver","hits":0,.*\}\n`, 0, "statistics of another allocator"},
		{"-egather -n -r 2 --stats=json --allocator=tagged", "[1] [0]", "", `\{.*"alloc_requests":3,"driver_allocs":0,.*,"allocator":"tagged","hits":3,"driver_frees":0,.*\}\n`, 0, "statistics of a later run"},
		{"-egather -a buddy", "[1] [0]", "", `.*: -a takes driver, tagged or region, not "buddy"\n`, 2, "an unknown allocator"},
		{"-e put -r 3 -t " + times, "[1, 2] 0 5", `\[5\.0f64, 2\.0f64\]\n`, "", 0, "runs"},
		{"-e gather -m 10", "[1] [0]", "", `library\.ir:11:\d+: error\[E812\]: .*out of device memory: 4 bytes requested, 12 bytes are in use, the limit is 10\n|error\[E812\]: an argument: out of device memory: 8 bytes requested, 4 bytes are in use, the limit is 10\nnote: an argument holds 4 bytes\n`, 1, "out of memory"},
		{"-e gather", "[1] [1]", "", `library\.ir:11:32: error\[E801\]: index 1 is out of bounds for dimension 0 of .xs., whose size is 1\n`, 1, "a fault"},
		{"-e gather", "[1]", "", `<stdin>:1:4: error\[E902\]: .gather. takes 2 arguments, but 1 was given: expected \(xs: \[n\]i32, is: \[m\]i64\)\n`, 1, "too few arguments"},
		{"-e gather", "[1] [1] 7", "", `<stdin>:1:9: error\[E902\]: .gather. takes 2 arguments, and there is more input.*\n`, 1, "too many arguments"},
		{"-e gather", "[1] [[1]]", "", `<stdin>:1:10: error\[E903\]: argument .is. is \[1\]\[1\]i64, but \[m\]i64 is expected\n`, 1, "a wrong rank"},
		{"-e gather", "[1] [1i32]", "", `<stdin>:1:11: error\[E903\]: argument .is. is \[1\]i32, but \[m\]i64 is expected\n`, 1, "a wrong type"},
		{"-e nothing", "", "", `error\[E901\]: there is no entry .nothing.; -h shows what there is\n`, 2, "an unknown entry"},
		{"", "", "", `error\[E901\]: there is no entry .main.; -h shows what there is\n`, 2, "no main"},
		{"-e gather -d nonsense", "[1] [0]", "", `error: no OpenCL device matches "nonsense"; there are:(\n  #\d+ .*)+\n`, 1, "an unknown device"},
		{"-e gather -r 0", "", "", `.*: -r takes a number above 0, not "0"\n`, 2, "a bad number"},
		{"-m abc", "", "", `.*: -m takes a number of bytes above 0, not "abc"\n`, 2, "a bad limit"},
		{"--memory-limit=-5", "", "", `.*: --memory-limit takes a number of bytes above 0, not "-5"\n`, 2, "a negative limit"},
		{"--frobnicate", "", "", `.*: there is no option --frobnicate; -h shows what there is\n`, 2, "an unknown option"},
		{"-e gather -t /nonexistent/times", "[1] [0]", `(?s).*`, `error: cannot write /nonexistent/times\n`, 1, "times that cannot be written"},
		{"-h", "", `(?s)usage: .*\n  gather \(xs: \[n\]i32, is: \[m\]i64\)\n.*`, "", 0, "help"},
	} {
		t.Run(x.description, func(t *testing.T) {
			out, errs, code := runC(t, x.in, prog, strings.Fields(x.args)...)
			if code != x.code || !fully(x.out, out) || !fully(x.errs, errs) {
				t.Errorf("exit code %d, output %q, error %q", code, out, errs)
			}
		})
	}
	data, err := os.ReadFile(times)
	if err != nil || !fully(`(\d+\n){3}`, string(data)) {
		t.Errorf("times %q, %v", data, err)
	}
}

// The option of --target=c takes numbers of threads only.
func TestHostMainThreads(t *testing.T) {
	p, _ := lowerBoth(t, "one.ir", "entry main (x: i32) : i32 = { in x + 1 }")
	low := must.Get(imp.Lower(p, imp.Options{Tasks: true}))(t)
	c, _, err := opencl.Host(low, "", opencl.HostOptions{})
	must.Do(t, err)
	prog := buildC(t, "one", c)
	for _, n := range []string{"0", "4097", "x"} {
		if out, errs, code := runC(t, "1", prog, "-T", n); code != 2 || out != "" || !strings.HasSuffix(errs, `: -T takes a number from 1 to 4096, not "`+n+"\"\n") {
			t.Errorf("-T %s: exit code %d, output %q, error %q", n, code, out, errs)
		}
	}
}

// fully reports whether a regular expression matches all of a text.
func fully(pattern, text string) bool {
	return regexp.MustCompile(`\A(?:` + pattern + `)\z`).MatchString(text)
}
