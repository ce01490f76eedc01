// Command harness calls the entries of generated packages (programs.go names them)
// for the tests: requests come as JSON on standard input, answers go to standard
// output. Entries are called through reflection, but as any Go program would call
// them: with the types that their methods have.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

// A value is a scalar (without a shape) or an array, its elements little-endian.
type value struct {
	Type  string `json:"type"` // of an element, in Go
	Array bool   `json:"array"`
	Shape []int  `json:"shape"`
	Data  []byte `json:"data"`
}

type request struct {
	Program, Method string
	Args            []value
	Last            bool // no more calls of this program follow
}

type response struct {
	Results []value
	Kind    string // of an error
	Code    string
	Error   string
	Live    int           // blocks that are left, after the last call
	Stats   runtime.Stats // of the second of two equal calls
}

type element interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | host.Float16 | float32 | float64 | bool
}

// decode reads the elements of a value.
func decode[T element](v value) []T {
	data := make([]T, len(v.Data)/binary.Size(*new(T)))
	if err := binary.Read(bytes.NewReader(v.Data), binary.LittleEndian, data); err != nil {
		panic(err)
	}
	return data
}

// argument makes an argument of an entry; arrays are made by way of p.
func argument[T element](p *host.Program, v value) (reflect.Value, error) {
	data := decode[T](v)
	if !v.Array {
		return reflect.ValueOf(data[0]), nil
	}
	a, err := host.NewArray(p, data, v.Shape...)
	return reflect.ValueOf(a), err
}

var arguments = map[string]func(*host.Program, value) (reflect.Value, error){
	"int8": argument[int8], "int16": argument[int16], "int32": argument[int32], "int64": argument[int64],
	"uint8": argument[uint8], "uint16": argument[uint16], "uint32": argument[uint32], "uint64": argument[uint64],
	"host.Float16": argument[host.Float16], "float32": argument[float32], "float64": argument[float64], "bool": argument[bool],
}

// result reads a result of an entry.
func result(r reflect.Value) (v value, err error) {
	data := r
	if r.Kind() == reflect.Pointer {
		v.Array = true
		v.Shape = r.MethodByName("Shape").Call(nil)[0].Interface().([]int)
		got := r.MethodByName("Data").Call(nil)
		if !got[1].IsNil() {
			return v, got[1].Interface().(error)
		}
		data = got[0]
		v.Type = data.Type().Elem().String()
	} else {
		v.Type = r.Type().String()
	}
	var b bytes.Buffer
	err = binary.Write(&b, binary.LittleEndian, data.Interface())
	v.Data = b.Bytes()
	return v, err
}

func free(r reflect.Value) {
	if r.Kind() == reflect.Pointer {
		r.MethodByName("Free").Call(nil)
	}
}

// call makes a request: new arguments, the call, and all is freed.
func call(arrays *host.Program, program reflect.Value, r request) (results []value, err error) {
	var args []reflect.Value
	defer func() {
		for _, a := range args {
			free(a)
		}
	}()
	for _, v := range r.Args {
		make, ok := arguments[v.Type]
		if !ok {
			return nil, fmt.Errorf("arguments of type %s are not known", v.Type)
		}
		a, err := make(arrays, v)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	outs := program.MethodByName(r.Method).Call(args)
	last := len(outs) - 1
	if err := outs[last]; !err.IsNil() {
		return nil, err.Interface().(error)
	}
	for _, o := range outs[:last] {
		v, err := result(o)
		if err != nil {
			return nil, err
		}
		results = append(results, v)
		free(o)
	}
	return results, nil
}

func serve() error {
	ctx, err := runtime.Open("", runtime.Options{})
	if err != nil {
		return err
	}
	defer ctx.Close()
	opt := host.Options{Context: ctx}
	arrays, err := host.Open(&host.Source{File: "harness", Kernels: "__kernel void nothing(void) {}"}, opt)
	if err != nil {
		return err
	}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	open := map[string]reflect.Value{}
	for {
		var r request
		if err := in.Decode(&r); err != nil {
			return nil // the end of the input
		}
		p, ok := open[r.Program]
		if !ok {
			program, err := programs[r.Program](opt)
			if err != nil {
				return fmt.Errorf("%s: %w", r.Program, err)
			}
			p = reflect.ValueOf(program)
			open[r.Program] = p
		}
		var a response
		if a.Results, err = call(arrays, p, r); err == nil {
			ctx.ResetStats()
			_, err = call(arrays, p, r)
			a.Stats = ctx.Stats()
		}
		if err != nil {
			a.Error = err.Error()
			var e *host.Error
			if errors.As(err, &e) {
				a.Kind, a.Code = e.Kind.String(), string(e.Code)
			}
		}
		if r.Last {
			p.MethodByName("Close").Call(nil)
			delete(open, r.Program)
			a.Live = ctx.LiveBlocks()
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
