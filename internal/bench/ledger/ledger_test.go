package ledger

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
)

const root = "../../.."

var switches = regexp.MustCompile(`rules\.Off\((.*?)\)`)

// TestList compares the list of rules with the switches in the code: each is in the other, and a rule's
// name begins with the package that has its switch.
func TestList(t *testing.T) {
	switched := map[string]bool{}
	for _, dir := range []string{"analysis", "transform", "internal/oracle"} {
		must.Do(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, m := range switches.FindAllStringSubmatch(must.Read(t, path), -1) {
				name := strings.Trim(m[1], `"`)
				switched[name] = true
				if !slices.Contains(rules.Names(), name) {
					t.Errorf("%s has a switch for %s, which is not in internal/base/rules/list.go", path, m[1])
				}
				if room, _, _ := strings.Cut(name, "."); !strings.Contains(filepath.ToSlash(path), "/"+room+"/") {
					t.Errorf("%s has a switch for %s, a rule of another package", path, name)
				}
			}
			return nil
		}))
	}
	for k, r := range rules.List {
		if !switched[r.Name] {
			t.Errorf("no code asks whether %s is off", r.Name)
		}
		if k > 0 && rules.List[k-1].Name >= r.Name {
			t.Errorf("%s is behind %s", r.Name, rules.List[k-1].Name)
		}
		if !strings.HasSuffix(r.Does, ".") || strings.Contains(r.Does, "|") {
			t.Errorf("%s: want a sentence that says what it does, not %q", r.Name, r.Does)
		}
		n, err := Lines(root, r)
		if err != nil {
			t.Error(err)
		} else if n == 0 && r.Code != "" {
			t.Errorf("%s: %s has no lines", r.Name, r.Code)
		}
	}
}

// TestDocument: the document has a row for each rule, in this order, and for nothing else.
func TestDocument(t *testing.T) {
	list := must.Get(Rows(root, rules.List))(t)
	for k := range list {
		list[k].Worth = []Worth{{}}
	}
	var text strings.Builder
	must.Do(t, Write(&text, []Corpus{{Name: "programs"}}, list))
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `(.*?)` \\|").FindAllStringSubmatch(text.String(), -1) {
		rows = append(rows, m[1])
	}
	if !slices.Equal(rows, rules.Names()) {
		t.Fatalf("the document has rows for %q", rows)
	}
}

// TestMeasure: a program that needs a rule is worse without it, and no other one is.
func TestMeasure(t *testing.T) {
	worse := map[string]int{"coalesce.buffers": 1, "coalesce.motion": 1, "hoist.dropped": 0}
	var list []rules.Rule
	for _, r := range rules.List {
		if _, ok := worse[r.Name]; ok {
			list = append(list, r)
		}
	}
	programs := Corpus{Name: "tests"}
	for _, path := range []string{"coalesce/loop/pos-map-then-row.ir", "coalesce/hoisting/pos-creation-with-its-inputs.ir"} {
		programs.Programs = append(programs.Programs, func() (*diag.File, error) {
			return driver.ReadSource(filepath.Join(root, "testdata", filepath.FromSlash(path)))
		})
	}
	rows := must.Get(Rows(root, list))(t)
	Measure([]Corpus{programs}, rows, func(string) {})
	if len(rows) != len(worse) {
		t.Fatalf("got %d rows for %d rules", len(rows), len(worse))
	}
	for _, r := range rows {
		if n := worse[r.Name]; r.Worth[0].Worse != n || r.Worth[0].Programs != n {
			t.Errorf("without %s, %+v; want %d worse", r.Name, r.Worth[0], n)
		}
	}
	if rules.Off(list[len(list)-1].Name) {
		t.Error("a rule is still off")
	}
}
