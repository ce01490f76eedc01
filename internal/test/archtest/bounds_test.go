package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// The table of internal/compiler/pipeline/bounds.md lists the constants that bound a search of coalesce, reuse and
// the account, with their values.
func TestBounds(t *testing.T) {
	text := must.Read(t, "../../compiler/pipeline/bounds.md")
	listed := map[string]int64{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-zA-Z]+)` \\| ([0-9,]+) \\|").FindAllStringSubmatch(text, -1) {
		n := must.Get(strconv.ParseInt(strings.ReplaceAll(m[2], ",", ""), 10, 64))(t)
		listed[m[1]] = n
	}
	noBound := map[string]bool{ // samples, a cache's line, limits on what is kept in one list
		"coalesce.sampleSize": true, "coalesce.line": true, "coalesce.maxSpoiled": true, "peak.drawn": true, "peak.MostWorkers": true, "plan.smallGroup": true, "coalesce.fewMembers": true, "peak.neighbours": true,
		"fuse.load": true, "fuse.divide": true, "fuse.turns": true, "fuse.never": true, // weights
	}
	for _, dir := range []string{"transform/inline", "transform/fuse", "transform/coalesce", "transform/reuse", "transform/reuse/plan", "analysis/peak", "ir/index"} {
		files, err := filepath.Glob("../../../" + dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, 0))(t)
			for name, value := range constants(f) {
				name = f.Name.Name + "." + name
				if noBound[name] {
					continue
				}
				if want, ok := listed[name]; !ok || want != value {
					t.Errorf("%s: %s is %d, and internal/compiler/pipeline/bounds.md says %d", path, name, value, want)
				}
				delete(listed, name)
			}
		}
	}
	for name := range listed {
		t.Errorf("internal/compiler/pipeline/bounds.md lists %s, which is no constant", name)
	}
}

// constants returns the constants of a file that are numbers, or 1 << number.
func constants(f *ast.File) map[string]int64 {
	out := map[string]int64{}
	number := func(e ast.Expr) (int64, bool) {
		l, ok := e.(*ast.BasicLit)
		if !ok || l.Kind != token.INT {
			return 0, false
		}
		n, err := strconv.ParseInt(l.Value, 0, 64)
		return n, err == nil
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			for k, v := range s.(*ast.ValueSpec).Values {
				name := s.(*ast.ValueSpec).Names[k].Name
				if n, ok := number(v); ok {
					out[name] = n
				} else if b, ok := v.(*ast.BinaryExpr); ok && b.Op == token.SHL {
					x, ok1 := number(b.X)
					y, ok2 := number(b.Y)
					if ok1 && ok2 {
						out[name] = x << y
					}
				}
			}
		}
	}
	return out
}
