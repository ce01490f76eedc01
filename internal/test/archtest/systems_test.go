package archtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestSystems checks the types of all packages as the compiler would for every system of a release, without cgo. A
// build finds no more than links and machine code that fail, and a cold one takes sixty times as long (`make cross`).
func TestSystems(t *testing.T) {
	list := regexp.MustCompile(`\nsystems=\$\{SYSTEMS-(.*)\}`).FindStringSubmatch(must.Read(t, "../../../scripts/release"))
	if list == nil {
		t.Fatal("scripts/release names no systems")
	}
	for _, system := range strings.Fields(list[1]) {
		t.Run(system, func(t *testing.T) {
			packages, err := checkSystem("../../..", system)
			if err != nil {
				t.Error(err)
			}
			if packages < 80 {
				t.Errorf("only %d packages of memc were checked", packages)
			}
		})
	}
}

// What only one system lacks is an error there, and on no other.
func TestSystemsDiffer(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module m\ngo 1.24\n",
		"m.go":         "package main\n\nfunc main() { kill() }\n",
		"m_unix.go":    "//go:build unix\n\npackage main\n\nimport \"syscall\"\n\nfunc kill() { _ = syscall.Kill(0, 0) }\n",
		"m_windows.go": "package main\n\nimport \"syscall\"\n\nfunc kill() { _ = syscall.Kill(0, 0) }\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	for system, want := range map[string]string{"freebsd/amd64": "<nil>", "windows/arm64": "undefined: syscall.Kill", "plan9/386": "undefined: kill"} {
		if _, err := checkSystem(dir, system); !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", system, err, want)
		}
	}
}

// A listed package is what `go list` says of one.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
	Error *struct{ Err string }
}

// checkSystem checks the types of a module's packages for a system, and counts these. go list gives each package behind
// those that it imports. Of other modules' packages only the declarations are checked.
func checkSystem(dir, system string) (packages int, err error) {
	goos, arch, _ := strings.Cut(system, "/")
	c := exec.Command("go", "list", "-e", "-deps", "-json=Dir,ImportPath,GoFiles,ImportMap,Module,Error", "./...")
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+arch)
	out, err := c.Output()
	if err != nil {
		return 0, err
	}
	fset, sizes, done := token.NewFileSet(), types.SizesFor("gc", arch), imports{"unsafe": types.Unsafe}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if end := d.Decode(&p); end == io.EOF {
			return packages, err
		} else if end != nil {
			return packages, end
		}
		if len(p.GoFiles) == 0 || p.ImportPath == "unsafe" { // or only with cgo
			continue
		}
		if p.Error != nil {
			err = errors.Join(err, errors.New(p.Error.Err))
		}
		conf := types.Config{Importer: done.of(&p), Sizes: sizes, IgnoreFuncBodies: true, FakeImportC: true,
			Error: func(wrong error) { err = errors.Join(err, wrong) }}
		if p.Module != nil && p.Module.GoVersion != "" {
			conf.GoVersion = "go" + p.Module.GoVersion
		}
		if p.Module != nil && p.Module.Main {
			packages++
			conf.IgnoreFuncBodies = false
		}
		files, wrong := parse(fset, &p)
		err = errors.Join(err, wrong)
		done[p.ImportPath], _ = conf.Check(p.ImportPath, fset, files, nil)
	}
}

func parse(fset *token.FileSet, p *listed) (files []*ast.File, err error) {
	for _, name := range p.GoFiles {
		f, wrong := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if wrong != nil {
			return nil, wrong
		}
		files = append(files, f)
	}
	return files, nil
}

// imports holds packages by their paths.
type imports map[string]*types.Package

// of finds what a package imports: the standard library has other paths for packages of its own copies.
func (i imports) of(p *listed) importer {
	return func(path string) (*types.Package, error) {
		if copied, ok := p.ImportMap[path]; ok {
			path = copied
		}
		if found := i[path]; found != nil {
			return found, nil
		}
		return nil, fmt.Errorf("%s is not there on this system", path)
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
