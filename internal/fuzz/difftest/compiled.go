package difftest

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// levels are the flags of C compilers that seeds draw from.
var levels = []string{"-O0", "-O1", "-O2", "-O3", "-O3 -march=native"}

// drawn draws a compiler and its flags from a seed.
func drawn(compilers []string, seed int64) string {
	r := rand.New(rand.NewSource(seed))
	return compilers[r.Intn(len(compilers))] + " " + levels[r.Intn(len(levels))]
}

// compiled compiles the program with a C compiler and runs what it makes, as a user
// would: for OpenCL, and for processors.
func (c *checker) compiled(p *ir.Program) bool {
	for k := range c.s.Inputs {
		c.want[k].values = written(p.Func(c.s.Entry), c.want[k].values)
	}
	return c.compiledFor(p, driver.Lower, c.opt.Device) && c.compiledFor(p, driver.LowerTasks, "")
}

func (c *checker) compiledFor(p *ir.Program, lower func(*ir.Program, imp.Options) (*driver.Lowered, error), device string) bool {
	c.at(StageLower)
	low, err := lower(p, imp.Options{})
	if err != nil {
		if diag.ExitCode(err) == diag.ExitLimitation {
			return c.limited(err)
		}
		return c.fail("%s", describe(err))
	}
	c.stage = StageC
	source, header, err := driver.C(low, driver.COptions{Prefix: "prog", Header: "prog.h"})
	if err != nil {
		return c.fail("%s", describe(err))
	}
	dir, err := os.MkdirTemp("", "memc-c-")
	if err != nil {
		return c.fail("%v", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	prog := filepath.Join(dir, "prog")
	for name, text := range map[string]string{"prog.c": source, "prog.h": header} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return c.fail("%v", err)
		}
	}
	command := append(strings.Fields(c.opt.CC), "-std=c99", "-Wall", "-Werror", "-Wno-xor-used-as-pow", prog+".c", "-lOpenCL", "-lm", "-o", prog)
	cc := exec.Command(command[0], command[1:]...)
	if out, err := cc.CombinedOutput(); err != nil {
		return c.fail("%s: %v\n%s", c.opt.CC, err, out)
	}
	for k, args := range c.s.Inputs {
		if c.want[k].dropped {
			continue
		}
		c.input = k
		got, err := c.runCompiled(prog, device, args)
		if !c.agrees("compiled by "+c.opt.CC, k, got, err, value.DefaultTolerance) {
			return false
		}
	}
	return true
}

// written leaves out the results that a program does not write, since an array's
// shape tells them.
func written(f *ir.Func, results []value.Value) []value.Value {
	var out []value.Value
	for k, v := range results {
		if !f.SizeResult(k) {
			out = append(out, v)
		}
	}
	return out
}

func (c *checker) runCompiled(prog, device string, args []value.Value) ([]value.Value, error) {
	var in, out, errs bytes.Buffer
	for _, v := range args {
		in.WriteString(v.Text() + "\n")
	}
	flags := []string{"-e", c.s.Entry}
	if device != "" {
		flags = append(flags, "-d", device)
	}
	run := exec.Command(prog, flags...)
	run.Stdin, run.Stdout, run.Stderr = &in, &out, &errs
	if err := run.Run(); err != nil {
		if _, code, msg, found := diag.ParseLine(errs.String()); found && run.ProcessState.ExitCode() == diag.ExitInput {
			return nil, &diag.Diagnostic{Severity: diag.Error, Code: code, Msg: msg}
		}
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return value.NewReader("the program's output", out.Bytes()).All()
}
