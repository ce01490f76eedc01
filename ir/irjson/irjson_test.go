package irjson_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/parser"
)

var kindOf = regexp.MustCompile(`"kind": ?"(\w+)"`)

// TestRepository writes every program of the repository as JSON and reads it: the text stays the same, the JSON
// follows the schema, and every kind of the schema occurs.
func TestRepository(t *testing.T) {
	schema := compiled(t)
	seen := map[string]bool{}
	n := 0
	for _, root := range []string{"../../testdata", "../../examples", "../../parser/testdata", "../../benchmarks"} {
		must.Do(t, filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ir") {
				return err
			}
			p, list := parser.Parse(diag.NewFile(path, must.Read(t, path)))
			if list.Failed() {
				return nil
			}
			text := roundTrip(t, path, p)
			for _, m := range kindOf.FindAllStringSubmatch(string(text), -1) {
				seen[m[1]] = true
			}
			n++
			if err := schema.Validate(must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(text)))(t)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return nil
		}))
	}
	for _, m := range regexp.MustCompile(`"const": "(\w+)"`).FindAllStringSubmatch(string(irjson.Schema()), -1) {
		if !seen[m[1]] {
			t.Errorf("no program has the kind %s", m[1])
		}
	}
	if n < 1000 {
		t.Errorf("only %d programs", n)
	}
}

func roundTrip(t *testing.T, path string, p *ir.Program) []byte {
	t.Helper()
	text := must.Get(irjson.Marshal(p))(t)
	q, list := irjson.Parse(diag.NewFile(path, string(text)))
	if err := list.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if d := cmp.Diff(p.String(), q.String()); d != "" {
		t.Errorf("%s: JSON changes the program (-text +JSON):\n%s", path, d)
	}
	if again := must.Get(irjson.Marshal(q))(t); !bytes.Equal(again, text) {
		t.Errorf("%s: the JSON of the JSON's program differs", path)
	}
	return text
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	must.Do(t, c.AddResource("program.json", must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(irjson.Schema())))(t)))
	return must.Get(c.Compile("program.json"))(t)
}

const small = `entry main [n] (xs: [n]f32) : [n]f32 = {
  let go = n > 0
  let r = loop (c = go) while c { in false }
  let ys = map (i < n) { in xs[i] * 2.0f32 }  -- double
  in ys
}
`

// TestRefusals changes the JSON of a program in ways that no text has: each is an error, by the reader and, except
// where only the text can tell, by the schema.
func TestRefusals(t *testing.T) {
	whole := string(must.Get(irjson.Marshal(must.Get(parser.ParseText("small.ir", small))(t)))(t))
	schema := compiled(t)
	for _, c := range []struct {
		old, new, want string
		text           bool // only the text tells
	}{
		{old: `"kind":"index"`, new: `"kind":"indexx"`, want: `expected an object whose "kind" is one of lit, .* \(did you mean "index"\?\)`},
		{old: `"kind":"index",`, new: ``, want: `funcs\[0\]\.body\.stmts\[2\]\.op\.body\.result\[0\]\.x: expected an object whose "kind"`},
		{old: `"array":"xs",`, new: ``, want: `the field "array" is missing`},
		{old: `"array":"xs",`, new: `"array":"xs","spam":1,`, want: `there is no field "spam"`},
		{old: `"array":"xs",`, new: `"array":7,`, want: `expected a string of one line, not 7`},
		{old: `"entry":true`, new: `"entry":"yes"`, want: `funcs\[0\]\.entry: expected true or false, not "yes"`},
		{old: `"prim":"f32"`, new: `"prim":"f31"`, want: `expected a scalar type, not "f31"`},
		{old: `"kind":"array"`, new: `"kind":"list"`, want: `expected scalar, array or mem, not "list"`},
		{old: `"trail":" double"`, new: `"trail":"\nlet z = 1"`, want: `expected a string of one line`},
		{old: `"sizes":["n"]`, new: `"sizes":"n"`, want: `funcs\[0\]\.sizes: expected a list, not "n"`},
		{old: `"entry":true`, new: `"entry":null`, want: `expected true or false, not null`},
		{old: `{"funcs"`, new: `{"version":-1,"funcs"`, want: `version: expected a number from 0, not -1`},
		{old: `{"funcs"`, new: `{"version":7,"unheard":[],"funcs"`, want: `this file is of version 7`},
		{old: `{"funcs"`, new: `{"funcs"{`, want: `in.json:1:9: error\[E012\]: invalid character`, text: true},
		{old: `"array":"xs"`, new: `"array":"x s"`, want: `in.json \(as text\):\d+:\d+: error\[E001\]: unexpected name`, text: true},
		{old: `"name":"go"`, new: `"name":"a, go"`, want: `error\[E001\]: `, text: true},
		{old: `"text":"2.0"`, new: `"text":"-2.0"`, want: `as text, the program is another one: .*"-2.0`, text: true},
		{old: `"text":"2.0"`, new: `"text":"1 + 2.0"`, want: `as text, the program is another one`, text: true},
	} {
		broken := strings.Replace(whole, c.old, c.new, 1)
		if broken == whole {
			t.Fatalf("the program has no %s:\n%s", c.old, whole)
		}
		_, list := irjson.Parse(diag.NewFile("in.json", broken))
		err := list.Err()
		if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%s for %s gives %v, expected %s", c.new, c.old, err, c.want)
		}
		var value any
		if json.Unmarshal([]byte(broken), &value) != nil || c.text || strings.Contains(c.new, `"version":7`) {
			continue
		}
		if schema.Validate(value) == nil {
			t.Errorf("%s for %s follows the schema", c.new, c.old)
		}
	}
}

// TestByHand reads JSON that leaves out all that it may, and writes a bool and a dim as they come.
func TestByHand(t *testing.T) {
	p, err := irjson.ParseText("hand.json", `{"funcs": [{"name": "f", "results": [{"type": {"kind": "array", "prim": "bool",
		"shape": [{"kind": "lit", "text": "2"}]}}], "body": {"stmts": [{"pat": [{"name": "b"}],
		"op": {"kind": "arrayLit", "elems": [{"kind": "lit", "text": "true"}, {"kind": "lit", "text": "false"}]}}],
		"result": [{"kind": "ref", "name": "b"}]}}]}`)
	must.Do(t, err)
	const want = "fun f () : [2]bool = {\n  let b = [true, false]\n  in b\n}\n"
	if got := p.String(); got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
}

// TestDeep: whatever the parser accepts is written; JSON that is nested too deeply is an error and no crash.
func TestDeep(t *testing.T) {
	deep := func(n int) *ir.Program {
		text := "fun f (x: i64) : i64 = { in " + strings.Repeat("-(", n) + "x" + strings.Repeat(")", n) + " }"
		return must.Get(parser.ParseText("deep.ir", text))(t)
	}
	roundTrip(t, "deep.ir", deep(4000))
	text := must.Get(irjson.Marshal(deep(parser.MaxExpDepth/2 - 10)))(t)
	for _, s := range []string{string(text) + "}", strings.Repeat(`{"funcs":[`, 1e6), `{"funcs":` + strings.Repeat("[", 1e6)} {
		if _, list := irjson.Parse(diag.NewFile("deep.json", s)); !list.Failed() {
			t.Errorf("%.40s.. is read", s)
		}
	}
}

// TestBytes: JSON cannot have what is not UTF-8.
func TestBytes(t *testing.T) {
	if _, err := irjson.Marshal(must.Get(parser.ParseText("in.ir", small+"-- \xff\n"))(t)); err == nil {
		t.Error("a byte is lost")
	}
	roundTrip(t, "in.ir", must.Get(parser.ParseText("in.ir", small+"-- <\t\\ \"\u2028 ä &>\n"))(t))
}

// TestRecognises: only JSON begins with a brace.
func TestRecognises(t *testing.T) {
	for text, want := range map[string]bool{"": false, small: false, " \n{}": true, "-- {": false} {
		if irjson.Recognises(diag.NewFile("x", text)) != want {
			t.Errorf("%q: expected %v", text, want)
		}
	}
	if _, list := irjson.Parse(diag.NewFile("x", "{}")); !slices.ContainsFunc(list.All, func(d *diag.Diagnostic) bool {
		return strings.Contains(d.Msg, "missing") || strings.Contains(d.Msg, "no function")
	}) {
		t.Error("an empty object is a program")
	}
}
