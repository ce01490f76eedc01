package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/memc-lang/memc/"

// allowed lists, per room, the rooms of this module that it may import. A room
// that is not listed may import everything except cmd.
var allowed = map[string][]string{
	"internal/diag":           {},
	"ir":                      {"internal/diag"},
	"ir/sym":                  {"ir", "internal/diag"},
	"ir/lmad":                 {"ir", "ir/sym", "internal/diag"},
	"ir/metrics":              {"ir", "ir/sym", "ir/lmad", "internal/diag"},
	"ir/check":                {"ir", "ir/sym", "ir/lmad", "internal/diag"},
	"parser":                  {"ir", "internal/diag"},
	"import/futhark":          {"ir", "ir/check", "ir/lmad", "internal/diag", "internal/memcheck", "internal/signature"},
	"internal/signature":      {"ir"},
	"analysis/aliases":        {"ir"},
	"analysis/liveness":       {"ir", "analysis/aliases"},
	"analysis/places":         {"ir", "ir/sym", "ir/lmad"},
	"analysis/accesses":       {"ir", "ir/sym", "ir/lmad", "analysis/liveness", "analysis/places"},
	"analysis/fits":           {"ir", "ir/sym", "ir/lmad", "analysis/accesses", "analysis/aliases", "analysis/liveness", "analysis/places"},
	"analysis/interference":   {"ir", "ir/sym", "ir/lmad", "analysis/aliases", "analysis/liveness", "analysis/accesses", "analysis/places"},
	"analysis/arena":          {"ir", "ir/sym", "analysis/aliases", "analysis/interference", "analysis/liveness"},
	"internal/explain":        {"ir", "ir/check", "ir/lmad", "ir/sym", "parser", "transform", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/peak", "codegen/imp", "internal/diag", "internal/driver", "internal/pipeline", "runtime/memtrace"},
	"internal/annotate":       {"ir", "analysis/aliases", "analysis/liveness", "analysis/interference"},
	"transform":               {"ir", "internal/diag"},
	"transform/sequentialise": {"ir", "transform"},
	"transform/explicit":      {"ir", "ir/sym", "ir/lmad", "internal/diag", "transform"},
	"transform/reuse/plan":    {},
	"transform/reuse":         {"ir", "ir/sym", "internal/diag", "transform", "transform/reuse/plan", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/peak", "analysis/places"},
	"analysis/peak":           {"ir", "ir/sym", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/places"},
	"internal/reusebench":     {"transform/reuse/plan"},
	"internal/hostmem":        {},
	"internal/value":          {"ir", "internal/hostmem"},
	"internal/scalar":         {"ir", "internal/diag"},
	"internal/memcheck":       {"ir", "ir/lmad", "ir/sym", "internal/diag"},
	"internal/erase":          {"ir", "internal/diag"},
	"internal/patterns":       {"ir", "ir/check", "parser", "internal/diag"},
	"internal/interp":         {"ir", "ir/check", "ir/lmad", "ir/sym", "internal/diag", "internal/hostmem", "internal/scalar", "internal/value"},
	"codegen/imp":             {"ir", "ir/check", "ir/lmad", "ir/sym", "internal/diag", "internal/scalar", "analysis/arena", "analysis/fits", "analysis/places"},
	"codegen/opencl":          {"ir", "internal/diag", "internal/scalar", "codegen/imp", "runtime/device/cl"},
	"runtime":                 {"internal/hostmem", "runtime/pool", "runtime/memtrace"},
	"runtime/device":          {"runtime", "runtime/device/cl"},
	"runtime/device/cl":       {},
	"runtime/device/model":    {"runtime/device"},
	"internal/profile":        {"ir", "internal/diag", "internal/driver", "internal/exec", "internal/pipeline", "internal/value", "runtime"},
	"internal/allocbench":     {"internal/chart", "runtime", "runtime/device"},
	"internal/chart":          {},
	"internal/benchdoc":       {"internal/bench", "internal/chart"},
	"runtime/pool":            {},
	"runtime/memtrace":        {"runtime/pool"},
	"runtime/host":            {"ir", "internal/scalar", "runtime", "runtime/device", "runtime/memtrace"},
	"codegen/futharkapi":      {"ir", "codegen/imp", "codegen/opencl", "internal/signature"},
	"codegen/gohost":          {"ir", "internal/diag", "internal/scalar", "codegen/imp"},
	"codegen/pyhost":          {"ir", "codegen/imp", "codegen/opencl"},
	"examples/go-host":        {"examples/go-host/canny"},
	"examples/go-host/canny":  {"runtime/host"}, // as any module's generated packages
	"internal/membench":       {"ir", "internal/driver", "internal/exec", "internal/value", "codegen/opencl", "runtime", "runtime/pool", "runtime/memtrace"},
	"benchmarks":              {"ir", "internal/value"},
	"internal/bench":          {"ir", "codegen/imp", "analysis/aliases", "analysis/interference", "analysis/liveness", "internal/cc", "internal/diag", "internal/driver", "internal/exec", "internal/pipeline", "internal/value", "runtime", "runtime/pool"},
	"internal/cc":             {"ir", "internal/value", "runtime"},
	"internal/exec":           {"ir", "internal/diag", "internal/hostmem", "internal/scalar", "internal/value", "codegen/imp", "runtime", "runtime/host"},
}

// external lists packages outside the module and the only rooms that may
// import them.
var external = map[string][]string{
	"github.com/alecthomas/participle": {"parser"},
	"github.com/spf13/cobra":           {"cmd/memc"},
	"github.com/jgillich/go-opencl":    {"runtime"},
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	documented, seen := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		room := filepath.ToSlash(rel)
		seen[room] = true
		if file.Doc != nil && len(file.Doc.Text()) > 40 {
			documented[room] = true
		}
		for _, imp := range file.Imports {
			name, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			checkImport(t, room, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for room := range seen {
		if !documented[room] {
			t.Errorf("package %s has no package comment that says what it is", room)
		}
	}
	for room := range allowed {
		if !seen[room] {
			t.Errorf("the rules name %s, which does not exist", room)
		}
	}
}

func checkImport(t *testing.T, room, name string) {
	for prefix, rooms := range external {
		if strings.HasPrefix(name, prefix) && !contains(rooms, room) {
			t.Errorf("%s imports %s; only %v may", room, name, rooms)
		}
	}
	inner, ok := strings.CutPrefix(name, module)
	if !ok {
		return
	}
	if rooms, ruled := allowed[room]; ruled && !contains(rooms, inner) {
		t.Errorf("%s imports %s; it may import %v", room, inner, rooms)
	}
	if strings.HasPrefix(inner, "cmd/") {
		t.Errorf("%s imports the command", room)
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
