package parser

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

func parse(t testing.TB, text string) *ir.Program {
	t.Helper()
	p, list := Parse(diag.NewFile("in.ir", text))
	if err := list.Err(); err != nil {
		var b strings.Builder
		list.Render(&b, false)
		t.Fatalf("%s\n%s", b.String(), text)
	}
	return p
}

// sameProgram compares up to positions, which it takes out of both. cmp.Diff is
// asked for a difference only where there is one: the fuzzer needs speed.
func sameProgram(p, q *ir.Program) string {
	placeless(reflect.ValueOf(p))
	placeless(reflect.ValueOf(q))
	if reflect.DeepEqual(p, q) {
		return ""
	}
	return cmp.Diff(p, q, cmpopts.IgnoreTypes(diag.Span{}, &diag.File{}), cmpopts.IgnoreUnexported(ir.Program{}), cmpopts.EquateEmpty())
}

// placeless sets spans and files to zero, and empty slices to nil.
func placeless(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if _, file := v.Interface().(*diag.File); file && v.CanSet() {
			v.SetZero()
		} else if !v.IsNil() {
			placeless(v.Elem())
		}
	case reflect.Slice:
		if v.Len() == 0 && v.CanSet() {
			v.SetZero()
		}
		for i := range v.Len() {
			placeless(v.Index(i))
		}
	case reflect.Struct:
		if _, span := v.Interface().(diag.Span); span && v.CanSet() {
			v.SetZero()
			return
		}
		for i := range v.NumField() {
			placeless(v.Field(i))
		}
	}
}

// repository returns every program of the repository that parses.
func repository(t testing.TB) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, dir := range []string{"testdata", "../examples", "../testdata"} {
		must.Do(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			data, err := os.ReadFile(path)
			texts[path] = string(data)
			return err
		}))
	}
	return texts
}

// TestPrintParse prints every program of the repository and parses it again:
// the same program, and the same text when printed once more.
func TestPrintParse(t *testing.T) {
	n := 0
	for path, text := range repository(t) {
		p, list := Parse(diag.NewFile(path, text))
		if list.Failed() {
			continue // a program with a syntax error on purpose
		}
		n++
		printed := p.String()
		q := parse(t, printed)
		if d := sameProgram(p, q); d != "" {
			t.Errorf("%s: printing changes the program (-parsed +printed):\n%s", path, d)
		}
		if again := q.String(); again != printed {
			t.Errorf("%s: printing again changes the text:\n%s", path, cmp.Diff(printed, again))
		}
		if a, b := strings.Count(text, "--"), strings.Count(printed, "--"); a != b {
			t.Errorf("%s: %d comments became %d", path, a, b)
		}
	}
	if n < 6 {
		t.Fatalf("only %d programs", n)
	}
}

// TestErrors renders the diagnostics of every program in testdata/errors and
// compares them with the golden file beside it.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.ir")
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no programs")
	}
	for _, path := range files {
		data := must.Read(t, path)
		_, list := Parse(diag.NewFile(filepath.Base(path), data))
		if !list.Failed() {
			t.Errorf("%s: no error", path)
		}
		var got strings.Builder
		list.Render(&got, false)
		golden(t, strings.TrimSuffix(path, ".ir")+".want", got.String())
	}
}

// TestLimits gives texts that are built to exhaust a recursive reader.
func TestLimits(t *testing.T) {
	const head, tail = "entry main (x: i64) : i64 = { in ", " }"
	n := 1 << 19
	for name, c := range map[string]struct{ text, want string }{
		"parentheses": {head + strings.Repeat("(", n), "nested deeper than 10000"},
		"minus":       {head + strings.Repeat("- ", n) + "x" + tail, "nested deeper than 10000"},
		"left chain":  {head + strings.Repeat("x + ", n) + "x" + tail, "nested deeper than 10000"},
		"right chain": {head + strings.Repeat("x ** ", n) + "x" + tail, "nested deeper than 10000"},
		"conditional": {head + strings.Repeat("if x then ", n), "nested deeper than 10000"},
		"indices":     {head + strings.Repeat("x[", n), "nested deeper than 10000"},
		"bodies":      {"entry main (x: i64) : i64 = {" + strings.Repeat("let y = map (i < x) {", n/64), "bodies nest deeper than 1000"},
		"long line":   {head + strings.Repeat("x", 10<<20) + tail, ""},
	} {
		_, list := Parse(diag.NewFile("in.ir", c.text))
		switch {
		case c.want == "" && list.Failed():
			t.Errorf("%s: %v", name, list.Error())
		case c.want != "" && (!list.Failed() || !strings.Contains(list.Error(), c.want)):
			t.Errorf("%s: %v, expected %q", name, list.Err(), c.want)
		}
	}
	deep := "entry main (x: i64) : i64 = { let y = " + strings.Repeat("(x + ", MaxExpDepth/2-2) + "x" + strings.Repeat(")", MaxExpDepth/2-2) + " in y }"
	if _, list := Parse(diag.NewFile("in.ir", deep)); list.Failed() {
		t.Errorf("an expression within the limit: %v", list.Error())
	}
}

// FuzzParse: any text gives a program, or diagnostics, and never a panic.
func FuzzParse(f *testing.F) {
	for _, text := range repository(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, list := Parse(diag.NewFile("in.ir", text))
		if p == nil {
			t.Fatal("no program")
		}
		var b strings.Builder
		list.Render(&b, true)
		if list.Failed() && b.Len() == 0 {
			t.Fatal("failed without a message")
		}
	})
}

// FuzzParsePrint: what is printed parses to the same program, and prints the
// same again.
func FuzzParsePrint(f *testing.F) {
	for _, text := range repository(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, list := Parse(diag.NewFile("in.ir", text))
		if list.Failed() {
			return
		}
		printed := p.String()
		q := parse(t, printed)
		if d := sameProgram(p, q); d != "" {
			t.Fatalf("printing changes the program:\n%s\n%s", d, printed)
		}
		if again := q.String(); again != printed {
			t.Fatalf("printing again changes the text:\n%s", cmp.Diff(printed, again))
		}
	})
}

// BenchmarkParse100k reads 100,000 simple statements, 6 MB of text; b.Loop's
// time per operation is to stay well below 3 s.
func BenchmarkParse100k(b *testing.B) { benchmarkParse(b, 100000) }

// BenchmarkParse10k is there to compare: the time grows linearly.
func BenchmarkParse10k(b *testing.B) { benchmarkParse(b, 10000) }

func benchmarkParse(b *testing.B, n int) {
	var text strings.Builder
	text.WriteString("entry main (v0: i64) : i64 = {\n")
	for i := range n {
		fmt.Fprintf(&text, "  let v%d = v%d * 3 + (v%d & 15) - min(v%d, 1234567)\n", i+1, i, i/2, i)
	}
	fmt.Fprintf(&text, "  in v%d\n}\n", n)
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		parse(b, text.String())
	}
}
