//go:build cgo

package futharkapi_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// fully reports whether a regular expression matches all of a text.
func fully(pattern, text string) bool {
	return regexp.MustCompile(`\A(?:` + pattern + `)\z`).MatchString(text)
}

// TestExecutable uses the options of an executable as programs that run Futhark's do.
func TestExecutable(t *testing.T) {
	dir := generate(t, "values.ir", false)
	prog := build(t, dir, "prog", filepath.Join(dir, "values.c"))
	binary := "b\x02\x01 i64\x02\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\x01\x00\x00\x00\x00\x00\x00\x00", 2)
	for _, x := range []struct {
		description, args, in string
		out, errs             string // regular expressions of all that is written
		code                  int
	}{
		{"text", "-e gather", "[10, 20, 30] [2, 0]", `\[30i32, 10i32\]\n`, "", 0},
		{"binary in, text out", "-e gather", "[10i32, 20i32] " + binary, `\[20i32, 20i32\]\n`, "", 0},
		{"binary out", "-e gather -b", "[10, 20] [1]", `b\x02\x01 i32\x01\x00{7}\x14\x00{3}`, "", 0},
		{"long names", "--entry-point gather --binary-output", "[10, 20] [1]", `b\x02\x01 i32\x01\x00{7}\x14\x00{3}`, "", 0},
		{"long names with =", "--entry-point=gather --no-print-result", "[10, 20] [1]", ``, "", 0},
		{"the start of a name", "--entry=gather --bin", "[10, 20] [1]", `b\x02\x01 i32.*(?s:.*)`, "", 0},
		{"letters together", "-nbe gather", "[10, 20] [1]", ``, "", 0},
		{"a size that a shape tells is no result", "-ecount_up", "2", `\[0i64, 1i64, 2i64\]\n`, "", 0},
		{"runs and times", "-t times -r 3 -e gather", "[10, 20] [1]", `\[20i32\]\n`, "", 0},
		{"a consumed argument in several runs", "-r 2 -e add_to", "[1, 2] 0 5", `\[6\.0f64, 2\.0f64\]\n`, "", 0},
		{"log", "-L -n -e gather", "[1] [0]", "", `(?s)device: .*entry gather: \d+ us, code 0\n`, 0},
		{"debugging", "-D -n -e gather", "[1] [0]", "", `(?s).*kernel gather\w*: 1 work-groups\n.*`, 0},
		{"profile", "-P -n -e gather", "[1] [0]", "", `\{"memory":\{"device":\d+\},"events":\[\{"name":"gather",.*\}\]\}\n`, 0},
		{"device", "-d #0 -p #0 -n -e gather", "[1] [0]", "", "", 0},
		{"no such device", "-d nonsense -e gather", "[1] [0]", "", `error: no OpenCL device matches "nonsense"; there are:(\n  #\d+ .*)+\n`, 1},
		{"list of devices", "--list-devices", "", `(?s)Platform: .*\n\[0\]: .*\n`, "", 0},
		{"cache, made", "-L --cache-file cache -n -e gather", "[1] [0]", "", `(?s).*cache cache: miss\n.*`, 0},
		{"cache, used", "-L --cache-file cache -n -e gather", "[1] [0]", "", `(?s).*cache cache: hit\n.*`, 0},
		{"cache, of other options", "-L --cache-file cache --build-option=-DX -n -e gather", "[1] [0]", "", `(?s).*cache cache: miss\n.*`, 0},
		{"kernels written", "--dump-opencl kernels.cl", "", "", "", 0},
		{"kernels read", "--load-opencl kernels.cl -e gather", "[7] [0]", `\[7i32\]\n`, "", 0},
		{"built kernels written", "--dump-opencl-binary kernels.bin", "", "", "", 0},
		{"built kernels read", "--load-opencl-binary kernels.bin -e gather", "[7] [0]", `\[7i32\]\n`, "", 0},
		{"sizes", "--default-group-size 64 --default-num-groups=8 --default-tile-size 16 -n -e gather", "[1] [0]", "", "", 0},
		{"parameters", "--print-params", "", "", "", 0},
		{"no such parameter", "--param main.x=3", "", "", `.*there is no tuning parameter: main\.x\n`, 1},
		{"a parameter without a value", "--param main.x", "", "", `.*expected NAME=INT: main\.x\n`, 1},
		{"help", "--help", "", `(?s)usage: .*-t, --write-runtime-to FILE .*\n  gather \(xs: \[\]i32, is: \[\]i64\) : \[\]i32\n.*`, "", 0},
		{"no main", "", "", "", `(?s).*there is no entry point main; .*\ngather\n.*`, 1},
		{"no such entry", "-e nothing", "", "", `(?s).*there is no entry point nothing; .*`, 1},
		{"no such option", "--frobnicate", "", "", `.*there is no such option; .*: --frobnicate\n`, 1},
		{"an ambiguous option", "--default", "", "", `.*there is no such option; .*: --default\n`, 1},
		{"no such letter", "-bz", "", "", `.*there is no such option; .*: -bz\n`, 1},
		{"a missing argument", "-n -e", "", "", `.*an option without its argument: -e\n`, 1},
		{"an argument too many", "--log=yes", "", "", `.*there is no such option; .*: --log=yes\n`, 1},
		{"a word", "input.txt", "", "", `.*an argument that is no option: input\.txt\n`, 1},
		{"no runs", "-r 0", "", "", `.*expected a positive number of runs: 0\n`, 1},
		{"a program error", "-e gather", "[1] [1]", "", `.*error\[E801\]: index 1 is out of bounds .*\n`, 1},
		{"wrong input", "-e gather", "[1] [true]", "", `<stdin>:1:6: error\[E\d+\]: .*\n`, 1},
		{"too much input", "-e gather", "[1] [0] 3", "", `<stdin>:1:9: error\[E902\]: .*more input.*\n`, 1},
		{"times that cannot be written", "-t /nonexistent/times -n -e gather", "[1] [0]", "", `error: cannot write /nonexistent/times\n`, 1},
	} {
		t.Run(x.description, func(t *testing.T) {
			out, errs, code := run(t, dir, x.in, prog, strings.Fields(x.args)...)
			if code != x.code || !fully(x.out, out) || !fully(x.errs, errs) {
				t.Errorf("exit code %d, output %q, error %q", code, out, errs)
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(dir, "times")); err != nil || !fully(`(\d+\n){3}`, string(data)) {
		t.Errorf("times %q, %v", data, err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "kernels.cl")); err != nil || !strings.Contains(string(data), "__kernel") {
		t.Errorf("kernels: %v", err)
	}
}

// A program of Futhark's has tuning parameters, and values of opaque types are read
// and written as what they are made of.
func TestExecutableOfDump(t *testing.T) {
	dir := generate(t, "opaque_entries.fut_gpu_mem", false)
	prog := build(t, dir, "prog", filepath.Join(dir, "opaque_entries.c"))
	out, errs, code := run(t, dir, "", prog, "--print-params")
	if code != 0 || !fully(`(?s)(.*\n)?move\.segmap_tblock_size_\d+ \(thread_block_size\)\n.*`, out) {
		t.Fatalf("exit code %d, output %q, error %q", code, out, errs)
	}
	name, _, _ := strings.Cut(out, " ")
	must.Do(t, os.WriteFile(filepath.Join(dir, "tuning"), []byte(name+"=32\n"), 0o644))
	out, errs, code = run(t, dir, "[0i32, 1i32] [1f32, 2f32] [4f32, 6f32]", prog, "--tuning=tuning", "--param", name+"=128")
	if code != 0 || !fully(`\[3\.1415.*f32, 6\.0f32\]\n1\.5f32\n5\.0f32\n`, out) {
		t.Errorf("exit code %d, output %q, error %q", code, out, errs)
	}
	out, errs, code = run(t, dir, "7i32 2.5f64 1f32 2f32", prog, "-e", "make_body")
	if code == 0 || out != "" {
		t.Errorf("exit code %d, output %q, error %q", code, out, errs)
	}
	out, errs, code = run(t, dir, "1f32 2f32 2.5f64 7i32", prog, "-e", "make_body")
	if code != 0 || out != "7i32\n2.5f64\n1.0f32\n2.0f32\n" {
		t.Errorf("exit code %d, output %q, error %q", code, out, errs)
	}
}

// An entry has the name of the source, also where that is a word of memc's language.
func TestExecutableOfWords(t *testing.T) {
	dir := generate(t, "words.fut_seq_mem", false)
	prog := build(t, dir, "prog", filepath.Join(dir, "words.c"))
	for _, x := range []struct{ entry, in, want string }{{"map", "1", "2i32\n"}, {"max", "3 4", "4i32\n"}} {
		if out, errs, code := run(t, dir, x.in, prog, "-e", x.entry); code != 0 || out != x.want {
			t.Errorf("%s: exit code %d, output %q, error %q", x.entry, code, out, errs)
		}
	}
	header, err := os.ReadFile(filepath.Join(dir, "words.h"))
	if err != nil || !strings.Contains(string(header), "int futhark_entry_max(") {
		t.Errorf("%v in %s", err, header)
	}
}
