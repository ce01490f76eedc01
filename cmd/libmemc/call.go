package main

// #include <stdlib.h>
// #define MEMC_TYPES_ONLY
// #include <memc.h>
import "C"

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/memc-lang/memc/compiler"
)

// types are the names of types by their number in memc_type, and sizes their bytes.
var (
	types = []string{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool"}
	sizes = []int{1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1}
)

// maxRank bounds what a wrong rank would have the library read.
const maxRank = 64

//export memc_call
func memc_call(prog C.memc_program, entry *C.char, args *C.memc_value, nargs C.size_t, results *C.memc_value, nresults C.size_t, failed **C.char) C.int {
	p, ok := get[*compiler.Program](&handles, uint64(prog))
	if !ok {
		return failure(misuse("", "there is no such program"), failed)
	}
	name := C.GoString(entry)
	list := p.Entries()
	if i := slices.IndexFunc(list, func(e compiler.Entry) bool { return e.Name == name }); i >= 0 && len(list[i].Results) != int(nresults) {
		return failure(misuse("", fmt.Sprintf("`%s` has %d results, but there is room for %d", name, len(list[i].Results), nresults)), failed)
	}
	given := make([]any, nargs)
	for i, v := range unsafe.Slice(args, nargs) {
		var err error
		if given[i], err = argument(&v); err != nil {
			return failure(fmt.Errorf("argument %d: %w", i, err), failed)
		}
	}
	out, err := p.Call(name, given...)
	if err != nil {
		return failure(err, failed)
	}
	for i := range unsafe.Slice(results, nresults) {
		unsafe.Slice(results, nresults)[i] = result(out[i])
	}
	return C.MEMC_OK
}

// argument returns a value of C's as an argument. It shares C's memory.
func argument(v *C.memc_value) (any, error) {
	if v.array != 0 {
		a, ok := get[*array](&handles, uint64(v.array))
		if !ok {
			return nil, misuse(gone, "there is no such array")
		}
		return a.Array, nil
	}
	if v._type < 0 || int(v._type) >= len(types) {
		return nil, misuse(badValue, fmt.Sprintf("there is no type %d", v._type))
	}
	b := compiler.Bytes{Type: types[v._type]}
	size := sizes[v._type]
	if v.rank == 0 {
		b.Data = slices.Clone(v.scalar[:size])
		return b, nil
	}
	if v.rank < 0 || v.rank > maxRank || v.shape == nil {
		return nil, misuse(badValue, fmt.Sprintf("an array of rank %d has no shape", v.rank))
	}
	for _, d := range unsafe.Slice(v.shape, v.rank) {
		b.Shape = append(b.Shape, int(d))
	}
	n, err := b.Size()
	if err != nil {
		return nil, err
	}
	if n > 0 && v.data == nil {
		return nil, misuse(badValue, "an array has no data")
	}
	b.Data = unsafe.Slice((*byte)(v.data), n)
	return b, nil
}

// result returns a result for C.
func result(x any) (v C.memc_value) {
	if a, ok := x.(*compiler.Array); ok {
		return arrayValue(a)
	}
	b := compiler.BytesOf(x)
	v._type = C.int32_t(slices.Index(types, b.Type))
	copy(v.scalar[:], b.Data)
	return v
}

func arrayValue(a *compiler.Array) (v C.memc_value) {
	shape := a.Shape()
	v._type, v.rank = C.int32_t(slices.Index(types, a.Type())), C.int32_t(len(shape))
	own := (*C.int64_t)(C.malloc(C.size_t(max(1, len(shape)) * 8)))
	for i, d := range shape {
		unsafe.Slice(own, len(shape))[i] = C.int64_t(d)
	}
	v.shape = own
	v.array = C.memc_array(handles.put(&array{a, own}))
	return v
}

//export memc_array_new
func memc_array_new(ctx C.memc_context, data *C.memc_value, to *C.memc_array, failed **C.char) C.int {
	c, ok := get[*compiler.Context](&handles, uint64(ctx))
	if !ok {
		return failure(misuse("", "there is no such context"), failed)
	}
	x, err := argument(data)
	if err != nil {
		return failure(err, failed)
	}
	a, err := c.NewArray(x)
	if err != nil {
		return failure(err, failed)
	}
	*to = arrayValue(a).array
	return C.MEMC_OK
}

//export memc_array_read
func memc_array_read(from C.memc_array, data unsafe.Pointer, size C.size_t, failed **C.char) C.int {
	a, ok := get[*array](&handles, uint64(from))
	if !ok {
		return failure(misuse(gone, "there is no such array"), failed)
	}
	return failure(a.Read(unsafe.Slice((*byte)(data), size)), failed)
}

// A view is elements in memory of Go's that C reads.
type view struct{ pin runtime.Pinner }

//export memc_array_view
func memc_array_view(of C.memc_array, to *C.memc_array, data *unsafe.Pointer, failed **C.char) C.int {
	a, ok := get[*array](&handles, uint64(of))
	if !ok {
		return failure(misuse(gone, "there is no such array"), failed)
	}
	bytes, err := a.View()
	if err != nil {
		return failure(err, failed)
	}
	*to, *data = 0, nil
	if len(bytes) > 0 {
		v := &view{}
		v.pin.Pin(&bytes[0])
		*to, *data = C.memc_array(handles.put(v)), unsafe.Pointer(&bytes[0])
	}
	return C.MEMC_OK
}

//export memc_array_free
func memc_array_free(which C.memc_array) {
	if v, ok := take[*view](&handles, uint64(which)); ok {
		v.pin.Unpin()
		return
	}
	if a, ok := take[*array](&handles, uint64(which)); ok {
		a.Free()
		C.free(unsafe.Pointer(a.shape))
	}
}
