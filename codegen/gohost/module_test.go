package gohost_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/codegen/gohost"
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// A module is somebody else's Go module, which imports generated packages.
type module struct {
	t   *testing.T
	dir string
}

// newModule makes a module that finds memc in this tree, and all else in the
// module cache, without a network.
func newModule(t *testing.T) *module {
	t.Helper()
	m := &module{t, t.TempDir()}
	root := must.Get(filepath.Abs(filepath.Join("..", "..")))(t)
	m.write("go.mod", `module example.com/user

go 1.24

require github.com/memc-lang/memc v0.0.0

require github.com/jgillich/go-opencl v0.0.0-20180608191952-a0efba3e5257 // indirect

replace github.com/memc-lang/memc => `+root+"\n")
	m.write("go.sum", must.Read(t, filepath.Join(root, "go.sum")))
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	name = filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// add generates a package from a program, and gives the program as lowered.
func (m *module) add(p *ir.Program, name string) *imp.Program {
	m.t.Helper()
	low := lower(m.t, p)
	pkg, err := gohost.Generate(low, name)
	if err != nil {
		m.t.Fatalf("%s: %v", p.File.Name, err)
	}
	m.write(name+"/"+gohost.APIFile, pkg.API)
	m.write(name+"/"+gohost.HostFile, pkg.Host)
	m.write(name+"/"+gohost.TablesFile, pkg.Tables)
	m.write(name+"/"+gohost.KernelsFile, opencl.Kernels(low))
	return low
}

// run runs a command in the module, which must be successful.
func (m *module) run(stdin string, command ...string) string {
	m.t.Helper()
	out, err := m.try(stdin, command...)
	if err != nil {
		m.t.Fatalf("%v: %v", command, err)
	}
	return out
}

// try returns the standard output of a command; its standard error
// is part of the error.
func (m *module) try(stdin string, command ...string) (string, error) {
	cmd := exec.CommandContext(m.t.Context(), command[0], command[1:]...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte(stdin)), &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), &commandError{err, errs.String()}
	}
	return out.String(), nil
}

type commandError struct {
	error
	stderr string
}

func (e *commandError) Error() string { return e.error.Error() + "\n" + e.stderr }

// parse gives the elaborated, verified program of a source text.

// lower brings a program to imperative form, by way of the explicit one.
func lower(t *testing.T, p *ir.Program) *imp.Program {
	t.Helper()
	if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}); err != nil {
		t.Fatalf("%s: %v", p.File.Name, err)
	}
	low, err := imp.Lower(p, imp.Options{})
	if err != nil {
		t.Fatalf("%s: %v", p.File.Name, err)
	}
	return low
}
