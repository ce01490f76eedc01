// Command user uses a generated package as a stranger would; codegen/opencl has the
// same in C (testdata/host/library.c), for the same program.
package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"

	"example.com/user/library"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/host"
)

var failures int

func check(ok bool, format string, args ...any) {
	if !ok {
		failures++
		fmt.Printf(format+"\n", args...)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return x
}

// failed checks that a call failed in that way.
func failed(err error, kind host.Kind, text string) {
	check(host.Is(err, kind) && strings.Contains(err.Error(), text), "error %v, want %v: %s", err, kind, text)
}

func devices() {
	_, err := library.Open(library.Options{Device: "no such device"})
	check(err != nil && strings.Contains(err.Error(), `no OpenCL device matches "no such device"`), "device: %v", err)
	_, err = library.Open(library.Options{Allocator: "buddy"})
	check(err != nil && strings.Contains(err.Error(), "buddy"), "allocator: %v", err)
	_, err = library.Open(library.Options{BuildOptions: "-no-such-option", BuildAll: true})
	check(err != nil, "a wrong build option is accepted")

	// Without BuildAll the first call builds.
	p := must(library.Open(library.Options{BuildOptions: "-no-such-option"}))
	defer p.Close()
	xs := must(library.NewArray(p, []float32{1}))
	_, err = p.Dot(xs, xs)
	check(err != nil && strings.Contains(err.Error(), "building kernels"), "a wrong build option in a call: %v", err)
}

func scalars(p *library.Program) {
	a, b, c, d, e, f, g, h, x, y, z, err := p.Scalars(math.MaxInt8, math.MaxInt16, math.MaxInt32, math.MaxInt64,
		math.MaxUint8, math.MaxUint16, math.MaxUint32, math.MaxUint64, 1.25, -0.1, false)
	check(err == nil && a == math.MinInt8 && b == math.MinInt16 && c == math.MinInt32 && d == math.MinInt64, "signed: %v", err)
	check(e == 0 && f == 0 && g == 0 && h == 0, "unsigned")
	check(x == 2.5 && y == -0.2 && z, "floats: %v %v %v", x, y, z)
}

func arrays(p *library.Program) {
	data := []float64{1, 2, 3, 4, 5, 6}
	bits := []bool{true, false, true, true, false, false}
	a := must(library.NewArray(p, data))
	b := must(library.NewArray(p, bits, 2, 3))
	check(slices.Equal(must(a.Data()), data) && slices.Equal(a.Shape(), []int{6}) && a.Len() == 6, "a")
	check(slices.Equal(must(b.Data()), bits) && slices.Equal(b.Shape(), []int{2, 3}), "b")
	t := must(p.Transpose(b))
	check(slices.Equal(t.Shape(), []int{3, 2}), "shape %v", t.Shape())
	for i, x := range must(t.Data()) {
		check(x == bits[i%2*3+i/2], "transposed %d", i)
	}
	none := must(library.NewArray(p, []float64{}))
	check(none.Len() == 0 && len(must(none.Data())) == 0, "none")
	_, err := library.NewArray(p, data, 7)
	failed(err, host.Misuse, "a new array of shape [7] has 7 elements, but 6 were given")
	_, err = library.NewArray(p, data, -1, -6)
	failed(err, host.Misuse, "cannot have the shape [-1 -6]")
	_, err = library.NewArray(p, data, math.MaxInt, 3)
	failed(err, host.Misuse, "too many elements")
	failed(a.Read(make([]float64, 5)), host.Misuse, "has 6 elements, but there is room for 5")
	a.Free()
	a.Free()
	_, err = a.Data()
	failed(err, host.Misuse, "was freed")
	_, err = p.Put(a, 0, 1)
	failed(err, host.Misuse, "argument `xs` was freed")
	none.Free()
	b.Free()
	t.Free()
	(*library.Array[bool])(nil).Free()
}

func faults(p *library.Program) {
	xs := must(library.NewArray(p, []int32{10, 20, 30}))
	good := must(library.NewArray(p, []int64{2, 0, 1, 2}))
	bad := must(library.NewArray(p, []int64{0, 7, 1}))
	f3 := must(library.NewArray(p, []float32{1, 1, 1}))
	f2 := must(library.NewArray(p, []float32{1, 1}))
	f0 := must(library.NewArray(p, []float32{}))
	square := must(library.NewArray(p, []float32{1, 2, 3, 4}, 2, 2))
	for range 3 {
		ys, m, err := p.Gather(xs, bad)
		failed(err, host.Fault, "library.ir:11:32: index 7 is out of bounds for dimension 0 of `xs`, whose size is 3")
		check(ys == nil && m == 0, "results of a failed call")
		var e *library.Error
		check(errors.As(err, &e) && e.File == "library.ir" && e.Pos == host.Pos{Line: 11, Col: 32}, "position %+v", e)
		ys, m, err = p.Gather(xs, good)
		check(err == nil && m == 4 && slices.Equal(must(ys.Data()), []int32{30, 10, 20, 30}), "gather: %v", err)
		ys.Free()
		_, err = p.Dot(f3, f2)
		failed(err, host.Fault, "library.ir:16:28: argument `ys` has size 2 in dimension 0, but `n` is 3 (from `xs`)")
		_, err = p.Dot(f0, f0)
		failed(err, host.Fault, "library.ir:17:3: assertion failed: nothing to multiply")
		_, err = p.Dot(f3, nil)
		failed(err, host.Misuse, "argument `ys` is missing")
		_, err = p.Dot(f3, square)
		failed(err, host.Misuse, "argument `ys` is [2][2]f32, but [n]f32 is expected")
	}
	s, err := p.Dot(f3, f3)
	check(err == nil && s == 3, "dot: %v", err)
	for _, a := range []interface{ Free() }{xs, good, bad, f3, f2, f0, square} {
		a.Free()
	}
}

// A consumed array is gone; others that share its block keep their values.
func consumption(p *library.Program) {
	a := must(library.NewArray(p, []float64{1, 2, 3}))
	b, c, err := p.Same(a)
	check(err == nil, "same: %v", err)
	d, err := p.Put(a, 1, 9)
	check(err == nil && slices.Equal(must(d.Data()), []float64{1, 9, 3}), "put: %v", err)
	check(must(b.Data())[1] == 2 && must(c.Data())[1] == 2, "an array that shared the block was changed")
	_, err = a.Data()
	failed(err, host.Misuse, "was consumed by a call")
	_, err = p.Put(a, 1, 9)
	failed(err, host.Misuse, "argument `xs` was consumed by a call")
	copied := p.Stats().CopiedBytes
	e, err := p.Put(d, 0, 7) // alone in its block: no copy
	check(err == nil && slices.Equal(must(e.Data()), []float64{7, 9, 3}) && p.Stats().CopiedBytes == copied, "put again: %v", err)
	_, err = p.Put(e, 3, 9)
	failed(err, host.Fault, "out of bounds")
	_, err = e.Data()
	failed(err, host.Misuse, "was consumed by a call")
	_, err = p.Over(b, b)
	failed(err, host.Misuse, "arguments `xs` and `ys` are one array, which `xs` consumes")
	over, err := p.Over(b, c) // two arrays in one block
	check(err == nil && must(over.Data())[2] == 3 && must(c.Data())[2] == 3, "over: %v", err)
	over.Free()
	b.Free()
	c.Free()
}

func memory() {
	p := must(library.Open(library.Options{MemoryLimit: 10000}))
	defer p.Close()
	_, err := p.Grow(1251)
	failed(err, host.OutOfMemory, "out of device memory: 10008 bytes requested")
	_, err = p.Grow(1000)
	failed(err, host.OutOfMemory, "8000 bytes are in use, the limit is 10000\n\tblock `")
	var oom *runtime.OutOfMemory
	check(errors.As(err, &oom) && oom.Request == 8000, "cause %v", oom)
	_, err = p.Grow(-1)
	failed(err, host.Fault, "negative size")
	check(p.Stats().PeakBytes == 8000, "peak %d", p.Stats().PeakBytes)
	_, err = library.NewArray(p, make([]float64, 2000))
	failed(err, host.OutOfMemory, "a new array: out of device memory: 16000 bytes requested")
	p.ResetStats()
	r := must(p.Grow(4))
	check(slices.Equal(must(r.Data()), []int64{6, 7, 8, 9}), "grow")
	s := p.Stats()
	check(s.PeakBytes >= 64 && s.KernelLaunches >= 4 && s.WallUS > 0 && s.Device != "", "statistics %+v", s)
	r.Free()
	check(p.Context().LiveBlocks() == 0, "%d blocks are left", p.Context().LiveBlocks())
}

// Under every allocator the results are the same, and after the first call the
// driver is left alone.
func allocators() {
	for _, name := range []string{"driver", "tagged", "region"} {
		p := must(library.Open(library.Options{Allocator: name}))
		for round := range 3 {
			p.ResetStats()
			b := must(library.NewArray(p, []bool{true, false, true, true, false, false}, 2, 3))
			t, g := must(p.Transpose(b)), must(p.Grow(300))
			check(must(t.Data())[1] && must(g.Data())[299] == 601, "%s: results", name)
			for _, a := range []interface{ Free() }{b, t, g} {
				a.Free()
			}
			s := p.Stats()
			check(s.Allocator == name && (name == "driver" || round == 0 || s.DriverAllocs == 0 && s.DriverFrees == 0), "%s: %+v", name, s)
		}
		p.Close()
	}
}

// Programs on one context hand arrays to each other; those on different ones
// cannot.
func contexts(p *library.Program) {
	q := must(library.Open(library.Options{Context: p.Context()}))
	a := must(library.NewArray(q, []int32{1, 2, 3}))
	is := must(library.NewArray(p, []int64{2, 1}))
	ys, m, err := p.Gather(a, is)
	check(err == nil && m == 2 && slices.Equal(must(ys.Data()), []int32{3, 2}), "shared context: %v", err)
	a.Free()
	q.Close()
	other := must(library.Open(library.Options{}))
	defer other.Close()
	_, _, err = other.Gather(ys, is)
	failed(err, host.Misuse, "argument `xs` lives in another context")
	ys.Free()
	is.Free()
}

// Calls from many goroutines take turns.
func goroutines(p *library.Program) {
	var wg sync.WaitGroup
	a := must(library.NewArray(p, []int32{5, 6, 7}))
	for k := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			is := must(library.NewArray(p, []int64{int64(k % 4)}))
			ys, _, err := p.Gather(a, is)
			if k%4 == 3 {
				failed(err, host.Fault, "index 3 is out of bounds")
			} else {
				check(err == nil && must(ys.Data())[0] == int32(5+k%4), "goroutine %d: %v", k, err)
			}
			ys.Free()
			is.Free()
		}()
	}
	wg.Wait()
	a.Free()
}

func main() {
	devices()
	p := must(library.Open(library.Options{}))
	scalars(p)
	arrays(p)
	faults(p)
	consumption(p)
	contexts(p)
	goroutines(p)
	check(p.Context().LiveBlocks() == 0, "%d blocks are left", p.Context().LiveBlocks())
	p.Close()
	_, err := p.Dot(nil, nil)
	failed(err, host.Misuse, "is missing")
	_, _, _, _, _, _, _, _, _, _, _, err = p.Scalars(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, false)
	failed(err, host.Misuse, "the program is closed")
	p.Close()
	memory()
	allocators()
	if failures == 0 {
		fmt.Println("ok")
	}
}
