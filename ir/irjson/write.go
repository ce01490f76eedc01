package irjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// Marshal returns a program as JSON, one statement or so per line. It fails only if the program's text does not parse,
// or is not UTF-8.
func Marshal(p *ir.Program) ([]byte, error) {
	text := p.String()
	if !utf8.ValidString(text) {
		return nil, errors.New("a comment or a message has bytes that are not UTF-8, which JSON cannot have")
	}
	q, list := parser.Parse(diag.NewFile("text", text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	w := &writer{}
	w.value(reflect.ValueOf(q).Elem())
	return append(w.out.Bytes(), '\n'), nil
}

// tree returns the JSON of a program that the parser has made, without comments.
func tree(p *ir.Program) []byte {
	w := &writer{bare: true}
	w.value(reflect.ValueOf(p).Elem())
	return w.out.Bytes()
}

// A writer writes values. The lists of functions and statements have a line per element.
type writer struct {
	out  bytes.Buffer
	bare bool // leave out comments and empty lines
}

func (w *writer) value(v reflect.Value) {
	switch t := v.Type(); {
	case t == typDim:
		d := v.Interface().(ir.Dim)
		e := d.Exp()
		if d.Name == "" && d.Written == nil {
			e = &ir.Lit{Text: d.String()} // as the text has it
		}
		w.value(reflect.ValueOf(&e).Elem())
	case t == typPrim:
		w.text(v.Interface().(ir.Prim).String())
	case t == typKind:
		w.text(kindNames[v.Uint()])
	default:
		w.plain(v)
	}
}

func (w *writer) plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		w.text(v.String())
	case reflect.Bool:
		w.out.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int64:
		w.out.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Pointer:
		w.value(v.Elem())
	case reflect.Interface:
		u, s := unionFor(v.Type()), v.Elem().Elem()
		for i, t := range u.types {
			if t == s.Type() {
				w.object(s, u.kinds[i])
				return
			}
		}
		panic(fmt.Sprintf("irjson: %v is not made by the parser", s.Type()))
	case reflect.Slice:
		w.list(v)
	case reflect.Struct:
		w.object(v, "")
	default:
		panic("irjson: cannot write " + v.Type().String())
	}
}

func (w *writer) list(v reflect.Value) {
	line := ","
	if t := v.Type().Elem(); t == reflect.TypeFor[*ir.Stmt]() || t == reflect.TypeFor[*ir.Func]() {
		line = ",\n"
	}
	w.out.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			w.out.WriteString(line)
		}
		w.value(v.Index(i))
	}
	w.out.WriteByte(']')
}

// object writes a struct; what is optional and zero is left out.
func (w *writer) object(v reflect.Value, kind string) {
	v = written(v)
	w.out.WriteByte('{')
	sep := ""
	if kind != "" {
		w.out.WriteString(`"kind":`)
		w.text(kind)
		sep = ","
	}
	for _, f := range fieldsOf(v.Type()) {
		x := v.Field(f.index)
		if f.optional && (x.IsZero() || x.Kind() == reflect.Slice && x.Len() == 0) || w.bare && comment(f) {
			continue
		}
		w.out.WriteString(sep)
		w.text(f.name)
		w.out.WriteByte(':')
		w.value(x)
		sep = ","
	}
	w.out.WriteByte('}')
}

// comment reports whether a field holds comments or empty lines.
func comment(f field) bool {
	return f.typ == reflect.TypeFor[[]ir.Comment]() || f.name == "trail" || f.name == "blank"
}

func (w *writer) text(s string) {
	if strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) < 0 {
		w.out.WriteString(`"` + s + `"`)
		return
	}
	e := json.NewEncoder(&w.out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // a string always has a JSON form
	}
	w.out.Truncate(w.out.Len() - 1) // the line end
}
