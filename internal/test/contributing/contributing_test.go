package contributing

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

const root = "../../.."

var file = regexp.MustCompile("(?s)<!-- ([\\w./]+\\.go) -->\n```go\n(.*?)```")

// TestExamples puts the Go files of the document over the source tree, and runs their tests.
func TestExamples(t *testing.T) {
	dir, abs := t.TempDir(), must.Get(filepath.Abs(root))(t)
	overlay := map[string]map[string]string{"Replace": {}}
	var packages []string
	for i, m := range file.FindAllStringSubmatch(must.Read(t, root+"/CONTRIBUTING.md"), -1) {
		name, text := m[1], m[2]
		if _, err := os.Stat(filepath.Join(root, name)); err == nil {
			t.Errorf("%s exists", name)
		}
		at := filepath.Join(dir, strings.Repeat("x", i+1)+".go")
		must.Do(t, os.WriteFile(at, []byte(text), 0o600))
		overlay["Replace"][filepath.Join(abs, name)] = at
		if p := "./" + path.Dir(name); !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
		if out := must.Get(exec.Command("gofmt", "-l", at).Output())(t); len(out) > 0 {
			t.Errorf("gofmt would change %s", name)
		}
	}
	if len(packages) != 2 {
		t.Fatalf("examples: %v", packages)
	}
	list := filepath.Join(dir, "overlay.json")
	must.Do(t, os.WriteFile(list, must.Get(json.Marshal(overlay))(t), 0o600))
	for _, p := range packages { // in two steps, since go test would run the tests in folders that do not exist
		test := filepath.Join(dir, path.Base(p)+".test")
		build := exec.Command("go", "test", "-vet=off", "-c", "-overlay", list, "-o", test, p)
		build.Dir = abs
		for _, cmd := range []*exec.Cmd{build, exec.Command(test)} {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", p, err, out)
				break
			}
		}
	}
}

// TestStatement compares the table of packages that know a statement with the code.
func TestStatement(t *testing.T) {
	_, table, _ := strings.Cut(must.Read(t, root+"/CONTRIBUTING.md"), "| package | adds |")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \|`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			listed[name[1]] = true
		}
	}
	known, mention := map[string]bool{}, regexp.MustCompile(`\bir\.Scratch\b|\*Scratch\b`)
	must.Do(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if mention.MatchString(must.Read(t, path)) {
			known[filepath.ToSlash(must.Get(filepath.Rel(root, filepath.Dir(path)))(t))] = true
		}
		return nil
	}))
	for p := range known {
		if !listed[p] {
			t.Errorf("%s knows `scratch`, and the table lacks it", p)
		}
	}
	for p := range listed {
		if !known[p] {
			t.Errorf("the table has %s, which does not know `scratch`", p)
		}
	}
}
