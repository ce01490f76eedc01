package ledger

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
)

// Lines counts the lines of the code that serves a rule alone, without comments and blank lines. Root
// is the root of this repository. A function that does not exist is an error.
func Lines(root string, r rules.Rule) (int, error) {
	total := 0
	for _, part := range strings.Fields(r.Code) {
		file, names, some := strings.Cut(part, ":")
		path := filepath.Join(root, filepath.FromSlash(file))
		data, err := os.ReadFile(path)
		if err != nil {
			return 0, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		if !some {
			total += written(string(data))
			continue
		}
		for _, name := range strings.Split(names, ",") {
			text, err := function(path, data, name)
			if err != nil {
				return 0, fmt.Errorf("rule %s: %w", r.Name, err)
			}
			total += written(text)
		}
	}
	return total, nil
}

// function returns the text of a function or method.
func function(path string, data []byte, name string) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, data, 0)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Name.Name == name
	})
	if at < 0 {
		return "", fmt.Errorf("%s has no function %s", path, name)
	}
	d := f.Decls[at]
	return string(data[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]), nil
}

func written(text string) (n int) {
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
			n++
		}
	}
	return n
}
