package ir_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestOpsCovered reads the source of package ir: a type switch marked
// "exhaustive" must name every type of one of the sealed interfaces.
func TestOpsCovered(t *testing.T) {
	files := must.Get(os.ReadDir("."))(t)
	set := token.NewFileSet()
	sealed := map[string][]string{} // marker method to types
	var switches []*ast.TypeSwitchStmt
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file := must.Get(parser.ParseFile(set, f.Name(), nil, parser.ParseComments))(t)
		marked := map[int]bool{}
		for _, group := range file.Comments {
			if strings.TrimSpace(group.Text()) == "exhaustive" {
				marked[set.Position(group.Pos()).Line] = true
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && strings.HasPrefix(n.Name.Name, "is") && n.Type.Params.NumFields() == 0 && len(n.Body.List) == 0 {
					sealed[n.Name.Name] = append(sealed[n.Name.Name], typeName(n.Recv.List[0].Type))
				}
			case *ast.TypeSwitchStmt:
				if line := set.Position(n.Pos()).Line; marked[line] {
					switches = append(switches, n)
					delete(marked, line)
				}
			}
			return true
		})
		for line := range marked {
			t.Errorf("%s:%d: no type switch here to be exhaustive", f.Name(), line)
		}
	}
	if len(sealed["isOp"]) < 20 || len(sealed["isExp"]) < 9 || len(sealed["isIxOp"]) < 5 {
		t.Fatalf("sealed types not found: %v", sealed)
	}
	used := map[string]int{}
	for _, s := range switches {
		var cases []string
		for _, c := range s.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				cases = append(cases, typeName(e))
			}
		}
		for marker, types := range sealed {
			if !slices.Contains(types, cases[0]) {
				continue
			}
			used[marker]++
			for _, want := range types {
				if !slices.Contains(cases, want) {
					t.Errorf("%s: %s is not handled", set.Position(s.Pos()), want)
				}
			}
		}
	}
	if used["isOp"] < 2 || used["isExp"] < 3 || used["isIxOp"] < 2 {
		t.Errorf("exhaustive switches: %v, expected at least the printer and the schema for each interface, and a walker of expressions", used)
	}
}

func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
