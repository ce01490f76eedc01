package irjson

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// The interfaces of ir, with the types that the parser makes of each. An Alias is made later, from a Compute.
var (
	exps  = []ir.Exp{&ir.Lit{}, &ir.Ref{}, &ir.Exist{}, &ir.Index{}, &ir.Unary{}, &ir.Binary{}, &ir.Cond{}, &ir.Convert{}, &ir.Builtin{}}
	steps = []ir.IxOp{&ir.Direct{}, &ir.LMAD{}, &ir.Permute{}, &ir.IxReshape{}, &ir.IxSlice{}}
	ops   = []ir.Op{&ir.Compute{}, &ir.Assert{}, &ir.Copy{}, &ir.Concat{}, &ir.Scratch{}, &ir.Range{}, &ir.Replicate{}, &ir.ArrayLit{},
		&ir.Reshape{}, &ir.Rearrange{}, &ir.Slice{}, &ir.Update{}, &ir.Alloc{}, &ir.If{}, &ir.Loop{}, &ir.Call{}, &ir.Map{},
		&ir.Reduce{}, &ir.Scan{}, &ir.Scatter{}, &ir.Hist{}, &ir.Into{}, &ir.Put{}}

	unions = []union{unionOf("exp", exps), unionOf("step", steps), unionOf("op", ops)}

	typDim  = reflect.TypeFor[ir.Dim]()
	typExp  = reflect.TypeFor[ir.Exp]()
	typPrim = reflect.TypeFor[ir.Prim]()
	typKind = reflect.TypeFor[ir.Kind]()
	typSpan = reflect.TypeFor[diag.Span]()
	typLit  = reflect.TypeFor[ir.Lit]()
	typConv = reflect.TypeFor[ir.Convert]()
)

// A union is an interface with its types.
type union struct {
	name  string
	typ   reflect.Type
	kinds []string       // the values of the field "kind"
	types []reflect.Type // structs
}

func unionOf[T any](name string, members []T) union {
	u := union{name: name, typ: reflect.TypeFor[T]()}
	for _, m := range members {
		t := reflect.TypeOf(m).Elem()
		u.types = append(u.types, t)
		u.kinds = append(u.kinds, lower(strings.TrimPrefix(t.Name(), "Ix")))
	}
	return u
}

// unionFor returns the union of an interface.
func unionFor(t reflect.Type) union {
	for _, u := range unions {
		if u.typ == t {
			return u
		}
	}
	panic("irjson: no union for " + t.String())
}

// lower returns a Go name as a JSON name: "Pat" is pat, "ArrayLit" arrayLit, "LMAD" lmad.
func lower(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	return strings.ToLower(name[:1]) + name[1:]
}

// left lists the fields that JSON leaves out: what elaboration and passes add, and what follows from other fields.
var left = map[string]bool{
	"Program.File": true, "Program.Renamed": true, "Program.numbers": true, "Func.Alias": true,
	"Lit.Suffix": true, "Lit.Bits": true, "Elem.Written": true, "Loop.While": true,
}

// renamed lists the fields that have another name in JSON.
var renamed = map[string]string{"T": "prim", "Loop.Cond": "while"}

// optional lists the fields that an object may leave out, beside lists and booleans: absent is empty, false or nil.
var optional = map[string]bool{
	"Program.Version": true, "Lit.T": true, "Result.Name": true, "Elem.Type": true, "Body.Trail": true, "Stmt.Trail": true,
	"Type.Prim": true, "Type.Place": true, "Type.Space": true, "Assert.Msg": true, "Range.Lo": true, "Alloc.Space": true,
	"Loop.Var": true, "Loop.Bound": true, "Loop.Cond": true, "Reduce.Over": true, "Scan.Over": true, "Accumulator.Op": true,
	"Item.Index": true, "Item.Start": true, "Item.Len": true, "Item.Stride": true,
}

// A field is a field of a struct in JSON.
type field struct {
	name     string
	index    int
	typ      reflect.Type
	optional bool
}

var known sync.Map // of a struct: its fields

// fieldsOf returns the fields of a struct that JSON has.
func fieldsOf(t reflect.Type) []field {
	if fs, ok := known.Load(t); ok {
		return fs.([]field)
	}
	fs := findFields(t)
	known.Store(t, fs)
	return fs
}

func findFields(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		full := t.Name() + "." + f.Name
		if left[full] || f.Type == typSpan || f.Name == "T" && t != typLit && t != typConv {
			continue
		}
		name := lower(f.Name)
		for _, key := range []string{f.Name, full} {
			if n, ok := renamed[key]; ok {
				name = n
			}
		}
		k := f.Type.Kind()
		out = append(out, field{name, i, f.Type, optional[full] || k == reflect.Slice || k == reflect.Bool})
	}
	return out
}

// written returns a value as JSON has it: the condition of a loop is an expression, even if it is only a name.
func written(v reflect.Value) reflect.Value {
	if l, ok := v.Addr().Interface().(*ir.Loop); ok && l.While != "" {
		c := *l
		c.Cond = &ir.Ref{Name: l.While}
		return reflect.ValueOf(&c).Elem()
	}
	return v
}

// finish sets the fields that JSON leaves out.
func finish(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *ir.Lit:
		if x.Text == "true" || x.Text == "false" {
			x.T = ir.Bool
		}
		x.Suffix = x.T != ir.Unknown && x.T != ir.Bool
	case *ir.Elem:
		x.Written = x.Type.Kind != ir.NoKind
	case *ir.Loop:
		if r, ok := x.Cond.(*ir.Ref); ok {
			x.While, x.Cond = r.Name, nil
		}
	}
}

// dim makes a dim of an expression, as the parser does.
func dim(e ir.Exp) ir.Dim {
	switch e := e.(type) {
	case *ir.Ref:
		return ir.Dim{Name: e.Name}
	case *ir.Lit:
		digits, base := e.Text, 10
		if hex := strings.ToLower(digits); strings.HasPrefix(hex, "0x") {
			digits, base = hex[2:], 16
		}
		if n, err := strconv.ParseInt(digits, base, 64); err == nil && e.T == ir.Unknown && n >= 0 {
			return ir.Dim{Const: n}
		}
	}
	return ir.Dim{Written: e}
}

// kindNames are the names of ir.Kind; a type that is left out has none.
var kindNames = []string{"", "scalar", "array", "mem"}
