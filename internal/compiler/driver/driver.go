package driver

import (
	"os"
	"slices"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/base/hostmem"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
)

// maxSource bounds a program's text, of which the compiler keeps many times as much: a device or a
// pipe may have no end. The longest program known has 4 MB.
const maxSource = 64 << 20

// ReadSource reads a file, or standard input for "-".
func ReadSource(path string) (*diag.File, error) {
	name, in := path, os.Stdin
	if path == "-" {
		name = "<stdin>"
	} else {
		f, err := hostmem.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := hostmem.ReadText(name, in, maxSource)
	if err != nil {
		return nil, err
	}
	return diag.NewFile(name, string(data)), nil
}

// Parse reads a program: memc's own text, or the same as JSON, or, by the file's name or its beginning, the
// memory IR of another compiler; what the import chose is not told.
func Parse(f *diag.File) (*ir.Program, diag.List) {
	if irjson.Recognises(f) {
		return irjson.Parse(f)
	}
	if !futhark.Recognises(f) {
		return parser.Parse(f)
	}
	p, list := futhark.Import(f)
	list.All = slices.DeleteFunc(list.All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Remark })
	return p, list
}

// Import translates a dump of Futhark's memory IR to a checked program. The list
// holds remarks on what was chosen as well.
func Import(f *diag.File) (*ir.Program, *diag.List) {
	p, list := futhark.Import(f)
	if list.Failed() {
		return p, &list
	}
	more := check.Program(p)
	list.All = append(list.All, more.All...)
	return p, &list
}

// Check parses, elaborates and verifies. The list holds what was found, also
// warnings; where it failed the program may be incomplete.
func Check(f *diag.File) (*ir.Program, *diag.List) {
	p, list := Parse(f)
	if list.Failed() {
		return p, &list
	}
	more := check.Program(p)
	list.All = append(list.All, more.All...)
	return p, &list
}

// Explicit checks a file and runs passes over it.
func Explicit(f *diag.File, passes []*transform.Pass, opt pipeline.Options) (*ir.Program, *pipeline.Report, error) {
	p, list := Check(f)
	if err := list.Err(); err != nil {
		return nil, nil, err
	}
	report, err := pipeline.Run(p, passes, opt)
	if err != nil {
		return nil, nil, err
	}
	return p, report, nil
}

// Lowered is a program ready to be executed or written as C.
type Lowered struct {
	Imp     *imp.Program
	Kernels string // OpenCL C
}

// Lower brings an explicit program into the imperative form.
func Lower(p *ir.Program, opt imp.Options) (*Lowered, error) {
	low, err := imp.Lower(p, opt)
	if err != nil {
		return nil, err
	}
	return &Lowered{Imp: low, Kernels: opencl.Kernels(low)}, nil
}
