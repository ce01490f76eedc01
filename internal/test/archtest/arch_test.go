package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

const module = "github.com/memc-lang/memc/"

// allowed lists, per room, the rooms of this module that it may import. A room
// that is not listed may import everything except cmd.
var allowed = map[string][]string{
	"ir/diag":                   {},
	"ir":                        {"ir/diag"},
	"ir/sym":                    {"ir", "ir/sym/integer", "ir/diag"},
	"ir/sym/integer":            {},
	"ir/inline":                 {"ir"},
	"ir/index":                  {"ir", "ir/lmad", "ir/sym"},
	"ir/lmad":                   {"ir", "ir/sym", "ir/diag"},
	"ir/irjson":                 {"ir", "parser", "ir/diag"},
	"ir/metrics":                {"ir", "ir/sym", "ir/lmad", "ir/diag"},
	"ir/check":                  {"ir", "ir/inline", "ir/sym", "ir/lmad", "ir/diag"},
	"parser":                    {"ir", "ir/diag"},
	"import/futhark":            {"ir", "ir/check", "ir/lmad", "ir/diag", "internal/oracle/memcheck", "internal/base/signature"},
	"internal/base/signature":   {"ir"},
	"analysis/aliases":          {"ir", "ir/index", "internal/base/rules"},
	"analysis/liveness":         {"ir", "ir/index", "analysis/aliases", "internal/base/rules"},
	"analysis/places":           {"ir", "ir/sym", "ir/sym/integer", "ir/lmad", "internal/base/rules"},
	"analysis/accesses":         {"ir", "ir/index", "ir/sym", "ir/lmad", "analysis/aliases", "analysis/liveness", "analysis/places", "internal/base/parallel", "internal/base/rules"},
	"analysis/checks":           {"ir", "ir/index", "ir/sym", "ir/lmad", "analysis/accesses", "analysis/places", "internal/base/rules"},
	"analysis/workers":          {"ir", "ir/lmad", "ir/sym", "analysis/aliases"},
	"analysis/fits":             {"ir", "ir/index", "ir/sym", "ir/lmad", "analysis/accesses", "analysis/places", "internal/base/rules"},
	"analysis/interference":     {"ir", "ir/index", "ir/sym", "ir/lmad", "analysis/aliases", "analysis/liveness", "analysis/accesses", "analysis/places", "internal/base/rules"},
	"analysis/arena":            {"ir", "ir/lmad", "ir/sym", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/peak", "analysis/places"},
	"internal/compiler/explain": {"ir", "ir/check", "ir/index", "ir/lmad", "ir/sym", "parser", "transform", "analysis/accesses", "analysis/aliases", "analysis/arena", "analysis/interference", "analysis/liveness", "analysis/peak", "codegen/imp", "ir/diag", "internal/compiler/driver", "internal/compiler/pipeline", "runtime/memtrace", "internal/base/release"},
	"internal/compiler/schema":  {},
	"internal/lsp":              {"ir", "ir/irjson", "parser", "import/futhark", "ir/diag", "internal/compiler/driver", "internal/compiler/explain", "internal/compiler/pipeline"},
	"internal/test/annotate":    {"ir", "analysis/aliases", "analysis/liveness", "analysis/interference"},
	"transform":                 {"ir", "ir/diag"},
	"transform/sequentialise":   {"ir", "transform"},
	"transform/forget":          {"ir", "transform"},
	"transform/inline":          {"ir", "ir/inline", "transform"},
	"transform/simplify":        {"ir", "ir/check", "ir/index", "ir/lmad", "ir/sym", "ir/diag", "internal/base/scalar", "transform", "analysis/accesses", "analysis/places"},
	"transform/fuse":            {"ir", "ir/index", "ir/sym", "ir/diag", "transform", "analysis/accesses", "analysis/checks"},
	"transform/explicit":        {"ir", "ir/sym", "ir/lmad", "ir/diag", "internal/base/parallel", "transform", "internal/base/rules"},
	"transform/workers":         {"ir", "ir/lmad", "ir/sym", "transform", "analysis/aliases", "analysis/workers"},
	"transform/reuse/plan":      {"analysis/peak/held", "internal/base/rules"},
	"transform/reuse":           {"ir", "ir/index", "ir/lmad", "ir/sym", "ir/diag", "transform", "transform/reuse/plan", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/peak", "analysis/places", "internal/base/parallel", "internal/base/rules"},
	"analysis/peak":             {"ir", "ir/index", "ir/lmad", "ir/sym", "ir/sym/integer", "analysis/accesses", "analysis/aliases", "analysis/interference", "analysis/liveness", "analysis/peak/held", "analysis/places", "analysis/workers", "internal/base/rules"},
	"analysis/peak/held":        {},
	"internal/bench/reusebench": {"internal/base/hostmem", "transform/reuse/plan"},
	"internal/base/hostmem":     {},
	"internal/base/parallel":    {},
	"internal/base/release":     {},
	"internal/base/rules":       {},
	"internal/base/value":       {"ir", "ir/diag", "internal/base/hostmem"},
	"internal/base/scalar":      {"ir", "ir/diag"},
	"internal/oracle/memcheck":  {"ir", "ir/lmad", "ir/sym", "ir/sym/integer", "ir/diag", "internal/base/rules"},
	"internal/oracle/erase":     {"ir", "ir/diag"},
	"internal/test/patterns":    {"ir", "ir/check", "parser", "ir/diag"},
	"internal/oracle/interp":    {"ir", "ir/check", "ir/lmad", "ir/sym", "ir/diag", "internal/base/hostmem", "internal/base/scalar", "internal/base/value"},
	"compiler":                  {"ir", "ir/check", "codegen/imp", "ir/diag", "internal/base/scalar", "internal/base/value", "internal/compiler/driver", "internal/compiler/pipeline", "runtime", "runtime/device", "runtime/host", "transform"},
	"codegen/imp":               {"ir", "ir/check", "ir/lmad", "ir/sym", "ir/diag", "internal/base/parallel", "internal/base/scalar", "analysis/accesses", "analysis/arena", "analysis/checks", "analysis/fits", "analysis/places"},
	"codegen/opencl":            {"ir", "ir/diag", "internal/base/parallel", "internal/base/scalar", "codegen/imp", "runtime/device/cl", "runtime/native", "internal/base/release"},
	"runtime":                   {"internal/base/hostmem", "runtime/native", "runtime/pool", "runtime/memtrace", "runtime/places"},
	"runtime/places":            {"internal/base/hostmem", "runtime/native"},
	"runtime/device":            {"runtime", "runtime/device/cl"},
	"runtime/device/cl":         {},
	"runtime/device/model":      {"runtime/device"},
	"internal/run/profile":      {"ir", "codegen/imp", "ir/diag", "internal/compiler/driver", "internal/run/exec", "internal/compiler/pipeline", "internal/base/value", "runtime", "runtime/memtrace"},
	"internal/bench/allocbench": {"internal/base/hostmem", "internal/bench/chart", "internal/bench/try", "runtime", "runtime/device"},
	"internal/bench/chart":      {},
	"internal/bench/try":        {},
	"internal/bench/devbench":   {"internal/bench/try", "runtime", "runtime/memtrace"},
	"internal/bench/benchdoc":   {"internal/base/hostmem", "internal/bench", "internal/bench/chart"},
	"runtime/native":            {},
	"runtime/pool":              {"runtime/native"},
	"runtime/memtrace":          {"runtime/pool"},
	"runtime/host":              {"ir", "ir/diag", "internal/base/scalar", "runtime", "runtime/device", "runtime/memtrace"},
	"codegen/futharkapi":        {"ir", "codegen/imp", "codegen/opencl", "internal/base/signature", "internal/base/release"},
	"codegen/gohost":            {"ir", "ir/diag", "internal/base/scalar", "codegen/imp", "internal/base/release"},
	"codegen/pyhost":            {"ir", "ir/diag", "codegen/imp", "codegen/opencl", "internal/base/release"},
	"examples/go-host":          {"examples/go-host/canny"},
	"examples/in-process":       {"compiler"},     // as any module
	"examples/go-host/canny":    {"runtime/host"}, // as any module's generated packages
	"internal/bench/membench":   {"ir", "internal/compiler/driver", "internal/run/exec", "internal/base/value", "runtime", "runtime/pool", "runtime/memtrace"},
	"benchmarks":                {"ir", "internal/base/value"},
	"internal/bench":            {"ir", "transform", "internal/bench/try", "codegen/imp", "analysis/aliases", "analysis/interference", "analysis/liveness", "internal/run/cc", "ir/diag", "internal/compiler/driver", "internal/run/exec", "internal/compiler/pipeline", "internal/base/value", "runtime", "runtime/pool"},
	"internal/run/cc":           {"ir", "internal/base/value", "runtime"},
	"internal/run/exec":         {"ir", "ir/diag", "internal/base/hostmem", "internal/base/scalar", "internal/base/value", "codegen/imp", "runtime", "runtime/host"},
}

// external lists packages outside the module and the only rooms that may
// import them.
var external = map[string][]string{
	"github.com/alecthomas/participle": {"parser"},
	"github.com/spf13/cobra":           {"cmd/memc"},
	"github.com/jgillich/go-opencl":    {"runtime"},
	"github.com/sourcegraph/jsonrpc2":  {"internal/lsp"},
	"github.com/invopop/jsonschema":    {}, // only tests
	"github.com/santhosh-tekuri":       {},
}

func TestImports(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	documented, seen := map[string]bool{}, map[string]bool{}
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
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
	}))
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
		if strings.HasPrefix(name, prefix) && !slices.Contains(rooms, room) {
			t.Errorf("%s imports %s; only %v may", room, name, rooms)
		}
	}
	inner, ok := strings.CutPrefix(name, module)
	if !ok {
		return
	}
	if inner == "internal/base/rules" && (strings.HasPrefix(room, "analysis/") || strings.HasPrefix(room, "transform/")) {
		return // the switches of their rules
	}
	if rooms, ruled := allowed[room]; ruled && !slices.Contains(rooms, inner) {
		t.Errorf("%s imports %s; it may import %v", room, inner, rooms)
	}
	if strings.HasPrefix(inner, "cmd/") {
		t.Errorf("%s imports the command", room)
	}
}
