package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// These packages are for other modules, which cannot name types of internal packages: no exported
// declaration does.
func TestPublicAPI(t *testing.T) {
	var files []string
	for _, dir := range []string{"compiler", "ir", "ir/check", "ir/diag", "ir/irjson", "parser"} {
		files = append(files, must.Get(filepath.Glob("../../../"+dir+"/*.go"))(t)...)
	}
	checked := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file := must.Get(parser.ParseFile(set, name, nil, 0))(t)
		for _, d := range file.Decls {
			for _, part := range exportedParts(d) {
				checked++
				for _, at := range internalTypes(file, part) {
					t.Errorf("%s: an exported declaration has a type of an internal package", set.Position(at))
				}
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d declarations were found", checked)
	}
}

// exportedParts returns what a declaration shows to other packages: bodies of functions and fields that are
// not exported excluded.
func exportedParts(d ast.Decl) (parts []ast.Node) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() {
			parts = append(parts, d.Type)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					parts = append(parts, shownOf(s.Type)...)
				}
			case *ast.ValueSpec:
				if s.Names[0].IsExported() && s.Type != nil {
					parts = append(parts, s.Type)
				}
			}
		}
	}
	return parts
}

func shownOf(t ast.Expr) (parts []ast.Node) {
	s, ok := t.(*ast.StructType)
	if !ok {
		return []ast.Node{t}
	}
	for _, f := range s.Fields.List {
		if len(f.Names) == 0 || f.Names[0].IsExported() {
			parts = append(parts, f.Type)
		}
	}
	return parts
}

// internalTypes finds names of internal packages.
func internalTypes(file *ast.File, part ast.Node) (found []token.Pos) {
	internal := map[string]bool{}
	for _, imp := range file.Imports {
		path, _ := strconv.Unquote(imp.Path.Value)
		if strings.Contains(path, "/internal/") {
			internal[filepath.Base(path)] = true
		}
	}
	ast.Inspect(part, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && internal[x.Name] {
				found = append(found, s.Pos())
			}
		}
		return true
	})
	return found
}
