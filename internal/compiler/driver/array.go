package driver

import (
	"fmt"
	"sync"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime/host"
)

// An Arg is an argument or a result: a value, or (if Array is not nil) an array of a machine.
type Arg struct {
	Value value.Value
	Array *Array
}

// Values returns values as arguments.
func Values(list []value.Value) []Arg {
	args := make([]Arg, len(list))
	for i, v := range list {
		args[i].Value = v
	}
	return args
}

// An Array is an array of a machine, until it is freed or consumed by a call. Without OpenCL it is a
// value, which has the same manners. Its methods may be called from any goroutine.
type Array struct {
	m     *Machine
	raw   *host.Raw // of OpenCL
	mu    sync.Mutex
	value value.Value
	gone  string // why
}

// NewArray copies an array to the machine.
func (m *Machine) NewArray(v value.Value) (*Array, error) {
	end, err := m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	if m.ctx == nil {
		own := value.New(v.Prim, v.Shape)
		copy(own.Data, v.Data)
		return &Array{m: m, value: own}, nil
	}
	b, err := m.ctx.Alloc(int64(len(v.Data)), m.tag+m.ctx.LiveBlocks()%arrayTags)
	if err == nil {
		if err = m.ctx.Write(b, 0, v.Data); err == nil {
			return &Array{m: m, raw: host.NewRaw(m.ctx, v.Prim, v.Shape, b)}, nil
		}
		b.Release()
	}
	return nil, fmt.Errorf("a new array: %w", err)
}

// Prim returns the type of the elements.
func (a *Array) Prim() ir.Prim {
	if a.raw != nil {
		return a.raw.Prim()
	}
	return a.value.Prim
}

// Shape returns the sizes of the dimensions, which must not be changed.
func (a *Array) Shape() []int64 {
	if a.raw != nil {
		return a.raw.Shape()
	}
	return a.value.Shape
}

// Read copies the elements to bytes of just their size.
func (a *Array) Read(to []byte) error {
	end, err := a.m.begin()
	if err != nil {
		return err
	}
	defer end()
	if a.raw != nil {
		return a.raw.Read(to)
	}
	data, err := a.data()
	if err == nil && len(to) != len(data) {
		err = &host.Error{Kind: host.Misuse, Code: diag.BadValue, File: "array", Msg: fmt.Sprintf("has %d bytes, but there is room for %d", len(data), len(to))}
	}
	copy(to, data)
	return err
}

// View returns the elements where they lie, which nobody changes: no call writes into a value. Those of
// OpenCL are not here: it returns nil.
func (a *Array) View() ([]byte, error) {
	end, err := a.m.begin()
	if err != nil {
		return nil, err
	}
	defer end()
	if a.raw != nil {
		return nil, nil
	}
	return a.data()
}

// data returns the elements of an array that is a value.
func (a *Array) data() ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone != "" {
		return nil, &host.Error{Kind: host.Misuse, Code: diag.ArrayGone, File: "array", Msg: a.gone}
	}
	return a.value.Data, nil
}

// Free gives the memory back, unless the array is gone already.
func (a *Array) Free() {
	end, err := a.m.begin()
	if err != nil {
		return
	}
	defer end()
	if a.raw != nil {
		a.raw.Free()
		return
	}
	a.leave("was freed")
}

// leave ends an array that is a value.
func (a *Array) leave(why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone == "" {
		a.gone, a.value.Data = why, nil
	}
}

// values returns the values of arguments without OpenCL, and the arrays among them that a call consumes.
func (l *Loaded) values(f *ir.Func, args []Arg) (given []value.Value, consumed []*Array, err error) {
	e := host.Entry{}
	arrays := make([]host.Given, len(args))
	for i, a := range args {
		if a.Array == nil || f == nil || i >= len(f.Params) {
			given = append(given, a.Value)
			e.Params = append(e.Params, host.Param{})
			continue
		}
		q := f.Params[i]
		if q.Type.Unique {
			consumed = append(consumed, a.Array)
		}
		e.Params = append(e.Params, host.Param{Name: q.Name, Consumed: q.Type.Unique})
		arrays[i].Array = a.Array
		a.Array.mu.Lock()
		gone := a.Array.gone
		given = append(given, a.Array.value)
		a.Array.mu.Unlock()
		if gone != "" {
			return nil, nil, l.misuse(diag.ArrayGone, q, "argument `"+q.Name+"` "+gone)
		}
	}
	if wrong := e.Twice(arrays); wrong != nil {
		return nil, nil, l.misuse(diag.ArrayTwice, f.Params[wrong.Param], wrong.Msg)
	}
	return given, consumed, nil
}

// own checks that the arrays among arguments are the machine's.
func (l *Loaded) own(f *ir.Func, args []Arg) error {
	for i, a := range args {
		if a.Array != nil && a.Array.m != l.m && f != nil && i < len(f.Params) {
			return l.misuse(diag.ArrayGone, f.Params[i], "argument `"+f.Params[i].Name+"` lives in another context")
		}
	}
	return nil
}

func (l *Loaded) misuse(code diag.Code, param *ir.Elem, what string) error {
	d := &diag.Diagnostic{Severity: diag.Error, Code: code, File: l.p.File, Span: param.Span, Msg: what}
	d.Cause = &host.Error{Kind: host.Misuse, Msg: d.Msg}
	return d
}
