package ledger

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
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

// TestDocument: the document that is written, and the one that is kept, have a row for each rule, in
// this order, and for nothing else. Their headings and columns are the same. The kept one also says
// when it was measured.
func TestDocument(t *testing.T) {
	list := must.Get(Rows(root, rules.List))(t)
	for k := range list {
		list[k].Worth = make([]Worth, 3)
	}
	var text strings.Builder
	must.Do(t, Write(&text, []Corpus{{Name: "programs"}, {Name: tests}, {Name: "random"}}, list))
	kept := must.Read(t, "ledger.md")
	head := document(t, "the text that is written", text.String())
	if got := document(t, "internal/bench/ledger/ledger.md", kept); got != head {
		t.Errorf("internal/bench/ledger/ledger.md begins with\n%s\nwant\n%s", got, head)
	}
	if !regexp.MustCompile(`(?m)^Measured at commit [0-9a-f]{8}`).MatchString(kept) {
		t.Error("internal/bench/ledger/ledger.md does not say at which commit it was measured")
	}
}

var row = regexp.MustCompile("^\\| `(.*?)` \\| (?:few|[0-9]+(?: !)?) (?:\\| [0-9]+(?: \\([0-9a-z, ]+\\))? ){3}\\| (.*) \\|$")

// document checks the rows of a ledger's text. It returns the text before what it was measured on, and the
// head of the table.
func document(t *testing.T, what, text string) string {
	t.Helper()
	heading, measured, ok := strings.Cut(text, "\nMeasured on ")
	_, table, ok2 := strings.Cut(measured, "\n| rule ")
	if !ok || !ok2 {
		t.Fatalf("%s has no table, or does not say what it was measured on", what)
	}
	lines := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	for k, r := range rules.List {
		if k+2 >= len(lines) {
			t.Fatalf("%s has no row for %s", what, r.Name)
		}
		if m := row.FindStringSubmatch(lines[k+2]); m == nil || m[1] != r.Name || m[2] != r.Does {
			t.Fatalf("%s has the row\n%s\nwhere %s should be: %s", what, lines[k+2], r.Name, r.Does)
		}
	}
	if n := len(rules.List) + 2; len(lines) > n {
		t.Errorf("%s has further lines:\n%s", what, strings.Join(lines[n:], "\n"))
	}
	return heading + lines[0] + lines[1]
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
