package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// The five commands of docs/testing.md, as a newcomer would give them, on a memc that
// has a bug: a random program shows it, reduced to a few lines; bisecting names the
// pass and the rewrite, and the command that it prints shows a program that is wrong.
func TestPlantedBug(t *testing.T) {
	dir := t.TempDir()
	memc := filepath.Join(dir, "memc")
	build := exec.Command("go", "build", "-tags", "planted", "-o", memc, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(code int, args ...string) string {
		t.Helper()
		c := exec.Command(memc, args...)
		c.Dir, c.Env = dir, append(os.Environ(), "MEMC_PLANTED=coalesce:C3")
		out, _ := c.CombinedOutput()
		if got := c.ProcessState.ExitCode(); got != code {
			t.Fatalf("memc %s: exit code %d, expected %d\n%s", strings.Join(args, " "), got, code, out)
		}
		return string(out)
	}
	out := run(70, "fuzz", "--n", "200", "--opencl", "0", "--max-failures", "1", "--without", "wild,branchy", "--pipelines", "0", "--reduce", "60s")
	files, err := filepath.Glob(filepath.Join(dir, "out", "fuzz", "*.ir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing was kept:\n%s", out)
	}
	run(0, "reduce", files[0], "-o", "small.ir")
	small := must.Get(os.ReadFile(filepath.Join(dir, "small.ir")))(t)
	if n := strings.Count(string(small), "let "); n > 12 {
		t.Errorf("%d statements are left:\n%s", n, small)
	}
	args := []string{"bisect", "small.ir"}
	if m := regexp.MustCompile(`(?m)^-- Passes: (.*)$`).FindStringSubmatch(must.Read(t, files[0])); m != nil {
		args = append(args, "--passes="+m[1])
	}
	found := run(0, args...)
	m := regexp.MustCompile(`memc (opt --passes=.* --limit coalesce=[0-9]+ small\.ir)`).FindStringSubmatch(found)
	if m == nil || !strings.Contains(found, "remark: coalesce: ") {
		t.Fatalf("no rewrite of coalesce is named:\n%s", found)
	}
	run(0, append(strings.Fields(m[1]), "-o", "wrong.ir")...)
	c := exec.Command(memc, "check", "--memory", "wrong.ir")
	c.Dir = dir
	if out, _ := c.CombinedOutput(); c.ProcessState.ExitCode() != 1 && c.ProcessState.ExitCode() != 3 {
		t.Errorf("the static checker finds nothing in the program behind the rewrite:\n%s%s", must.Read(t, filepath.Join(dir, "wrong.ir")), out)
	}
}
