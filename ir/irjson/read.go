package irjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// Recognises reports whether a file is a program in JSON: no text of a program begins with "{".
func Recognises(f *diag.File) bool {
	return strings.HasPrefix(strings.TrimLeft(f.Text, " \t\r\n"), "{")
}

// ParseText reads a program from JSON; name stands for the file in messages. The error lists all that is wrong.
func ParseText(name, text string) (*ir.Program, error) {
	p, list := Parse(diag.NewFile(name, text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Parse reads a program from JSON. The program's file is its text, in which messages have their places.
func Parse(f *diag.File) (*ir.Program, diag.List) {
	list := diag.List{File: f}
	none := &ir.Program{File: f}
	if v := versionOf(f); v > ir.Version {
		list.Errorf(diag.BadVersion, diag.Span{}, "this file is of version %d of the language, but this memc knows only the versions up to %d", v, ir.Version).Hinted("use a newer memc; `memc version` says which version it knows")
		return none, list
	}
	p, err := decode(f)
	var at *json.SyntaxError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		end := len(strings.TrimRight(f.Text, " \t\r\n"))
		list.Errorf(diag.BadJSON, diag.Span{Start: max(0, end-1), End: end}, "the text ends within the program").Hinted("is it all there?")
	case errors.As(err, &at):
		list.Errorf(diag.BadJSON, diag.Span{Start: max(0, int(at.Offset)-1), End: int(at.Offset)}, "%v", err)
	case err != nil:
		list.Errorf(diag.BadJSON, diag.Span{}, "%v", err).Hinted("`memc schema program` prints the schema")
	}
	if err != nil {
		return none, list
	}
	q, problems := parser.Parse(diag.NewFile(f.Name+" (as text)", p.String()))
	if problems.Failed() {
		return q, problems
	}
	if a, b := tree(p), tree(q); !bytes.Equal(a, b) {
		list.Errorf(diag.BadJSON, diag.Span{}, "as text, the program is another one: %s", difference(a, b)).
			Hinted("a name must be a name, a number has no sign, and an operator binds as `kind` says")
		return none, list
	}
	return q, problems
}

// versionOf returns the version that a file states; it is asked first, since what follows may be new.
func versionOf(f *diag.File) int {
	var v struct{ Version int }
	if json.Unmarshal([]byte(f.Text), &v) != nil {
		return 0 // decode says why
	}
	return v.Version
}

// difference shows where two texts begin to differ.
func difference(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	near := func(s []byte) string { return strings.ToValidUTF8(string(s[max(0, n-30):min(len(s), n+30)]), "?") }
	return fmt.Sprintf("%q becomes %q", near(a), near(b))
}

func decode(f *diag.File) (p *ir.Program, err error) {
	d := json.NewDecoder(strings.NewReader(f.Text))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more follows the program's closing brace")
	}
	p = &ir.Program{}
	r := &reader{}
	r.value("", x, reflect.ValueOf(p).Elem())
	return p, r.err
}

// A reader fills values from JSON. It keeps the first problem, with its path: funcs[0].body.stmts[3].op.
type reader struct{ err error }

func (r *reader) fail(path, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%s: %s", strings.TrimPrefix("program"+path, "program."), fmt.Sprintf(format, args...))
	}
}

func (r *reader) value(path string, x any, v reflect.Value) {
	if r.err != nil {
		return
	}
	switch t := v.Type(); {
	case t == typDim:
		e := reflect.New(typExp).Elem()
		if r.value(path, x, e); r.err == nil {
			v.Set(reflect.ValueOf(dim(e.Interface().(ir.Exp))))
		}
	case t == typPrim:
		p := ir.PrimByName(word(x))
		if p == ir.Unknown {
			r.fail(path, "expected a scalar type, not %s", shown(x))
		}
		v.SetUint(uint64(p))
	case t == typKind:
		k := slices.Index(kindNames, word(x))
		if k <= 0 {
			r.fail(path, "expected scalar, array or mem, not %s", shown(x))
		}
		v.SetUint(uint64(max(k, 0)))
	default:
		r.plain(path, x, v)
	}
}

func (r *reader) plain(path string, x any, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		s, ok := x.(string)
		if !ok || strings.ContainsAny(s, "\r\n") {
			r.fail(path, "expected a string of one line, not %s", shown(x))
		}
		v.SetString(s)
	case reflect.Bool:
		b, ok := x.(bool)
		if !ok {
			r.fail(path, "expected true or false, not %s", shown(x))
		}
		v.SetBool(b)
	case reflect.Int:
		n, _ := x.(json.Number)
		k, err := n.Int64()
		if err != nil || k < 0 {
			r.fail(path, "expected a number from 0, not %s", shown(x))
		}
		v.SetInt(k)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.value(path, x, v.Elem())
	case reflect.Interface:
		r.union(path, x, v)
	case reflect.Slice:
		list, ok := x.([]any)
		if !ok {
			r.fail(path, "expected a list, not %s", shown(x))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i, e := range list {
			r.value(fmt.Sprintf("%s[%d]", path, i), e, v.Index(i))
		}
	case reflect.Struct:
		r.object(path, x, v, false)
	default:
		panic("irjson: cannot read " + v.Type().String())
	}
}

// union reads a value whose field "kind" says its type.
func (r *reader) union(path string, x any, v reflect.Value) {
	u := unionFor(v.Type())
	m, _ := x.(map[string]any)
	k := slices.Index(u.kinds, word(m["kind"]))
	if k < 0 {
		hint := ""
		if near := diag.Nearest(word(m["kind"]), u.kinds); near != "" {
			hint = fmt.Sprintf(" (did you mean %q?)", near)
		}
		r.fail(path, "expected an object whose \"kind\" is one of %s, not %s%s", strings.Join(u.kinds, ", "), shown(x), hint)
		return
	}
	s := reflect.New(u.types[k])
	r.object(path, x, s.Elem(), true)
	v.Set(s)
}

func (r *reader) object(path string, x any, v reflect.Value, union bool) {
	m, ok := x.(map[string]any)
	if !ok {
		r.fail(path, "expected an object, not %s", shown(x))
		return
	}
	known := map[string]bool{"kind": union}
	for _, f := range fieldsOf(v.Type()) {
		known[f.name] = true
		e, ok := m[f.name]
		if !ok && !f.optional {
			r.fail(path, "the field %q is missing", f.name)
		}
		if ok {
			r.value(path+"."+f.name, e, v.Field(f.index))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !known[name] {
			r.fail(path, "there is no field %q%s", name, nearest(name, known))
		}
	}
	if r.err == nil {
		finish(v)
	}
}

func nearest(name string, known map[string]bool) string {
	if near := diag.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

func word(x any) string {
	s, _ := x.(string)
	return s
}

// shown returns a value for a message, shortened.
func shown(x any) string {
	text, err := json.Marshal(x)
	if err != nil || x == nil {
		return "null"
	}
	if len(text) > 40 {
		return strings.ToValidUTF8(string(text[:37]), "") + "..."
	}
	return string(text)
}
