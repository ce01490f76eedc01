package main

// #cgo CFLAGS: -I${SRCDIR}
// #include <stdlib.h>
// #define MEMC_TYPES_ONLY
// #include <memc.h>
import "C"

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unsafe"

	"github.com/memc-lang/memc/compiler"
	"github.com/memc-lang/memc/ir/diag"
)

// codes are the kinds of errors by their number in memc_code.
var codes = []compiler.Kind{"", compiler.Input, compiler.Limitation, compiler.Fault, compiler.OutOfMemory, compiler.Misuse,
	compiler.DeviceLost, compiler.Failure, compiler.Bug}

// An array is what memc_array stands for.
type array struct {
	*compiler.Array
	shape *C.int64_t // for C, in its memory
}

// failure tells an error to C.
func failure(err error, to **C.char) C.int {
	if err == nil {
		return C.MEMC_OK
	}
	var e *compiler.Error
	if !errors.As(err, &e) {
		e = misuse("", err.Error())
	}
	if to != nil {
		*to = text(struct {
			*compiler.Error
			Text string `json:"text"`
		}{e, e.Error()})
	}
	for code, k := range codes {
		if k == e.Kind {
			return C.int(code)
		}
	}
	return C.MEMC_FAILURE
}

// Codes of a call that the library itself refuses.
const (
	gone     = string(diag.ArrayGone)
	badValue = string(diag.BadValue)
)

func misuse(code, what string) *compiler.Error {
	return &compiler.Error{Kind: compiler.Misuse, Messages: []compiler.Message{{Severity: "error", Code: code, Message: what}}}
}

// text returns a value as JSON in C's memory.
func text(v any) *C.char {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil
	}
	return C.CString(string(bytes.TrimSpace(b.Bytes())))
}

// options reads a JSON object, which may be missing.
func options(from *C.char, to any) error {
	if from == nil {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader([]byte(C.GoString(from))))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return misuse("", "options: "+err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return misuse("", "options: there is more behind the JSON object")
	}
	return nil
}

//export memc_abi
func memc_abi() C.int { return C.MEMC_ABI }

//export memc_open
func memc_open(device *C.char, ctx *C.memc_context, failed **C.char) C.int {
	var d compiler.Device
	if err := options(device, &d); err != nil {
		return failure(err, failed)
	}
	c, err := compiler.Open(d)
	if err != nil {
		return failure(err, failed)
	}
	*ctx = C.memc_context(handles.put(c))
	return C.MEMC_OK
}

//export memc_close
func memc_close(ctx C.memc_context) {
	if c, ok := take[*compiler.Context](&handles, uint64(ctx)); ok {
		c.Close()
	}
}

//export memc_stats
func memc_stats(ctx C.memc_context) *C.char {
	c, ok := get[*compiler.Context](&handles, uint64(ctx))
	if !ok {
		return nil
	}
	return text(c.Stats())
}

//export memc_compile
func memc_compile(ctx C.memc_context, source *C.char, length C.size_t, opts *C.char, prog *C.memc_program, failed **C.char) C.int {
	c, ok := get[*compiler.Context](&handles, uint64(ctx))
	if !ok {
		return failure(misuse("", "there is no such context"), failed)
	}
	var opt compiler.Options
	if err := options(opts, &opt); err != nil {
		return failure(err, failed)
	}
	p, err := c.Compile(string(unsafe.Slice((*byte)(unsafe.Pointer(source)), length)), opt)
	if err != nil {
		return failure(err, failed)
	}
	*prog = C.memc_program(handles.put(p))
	return C.MEMC_OK
}

//export memc_program_free
func memc_program_free(prog C.memc_program) {
	if p, ok := take[*compiler.Program](&handles, uint64(prog)); ok {
		p.Close()
	}
}

//export memc_entries
func memc_entries(prog C.memc_program) *C.char {
	p, ok := get[*compiler.Program](&handles, uint64(prog))
	if !ok {
		return nil
	}
	return text(struct {
		Entries  []compiler.Entry   `json:"entries"`
		Warnings []compiler.Message `json:"warnings"`
	}{p.Entries(), append([]compiler.Message{}, p.Warnings()...)})
}

//export memc_build
func memc_build(prog C.memc_program, entry *C.char, failed **C.char) C.int {
	p, ok := get[*compiler.Program](&handles, uint64(prog))
	switch {
	case !ok:
		return failure(misuse("", "there is no such program"), failed)
	case entry == nil:
		return failure(p.Build(), failed)
	}
	return failure(p.Build(C.GoString(entry)), failed)
}

//export memc_free
func memc_free(s *C.char) { C.free(unsafe.Pointer(s)) }
