package compiler

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A Device says where programs run. Its zero value is the first GPU, or else the first OpenCL device;
// where there is none, programs run as C on the processors, and without a C compiler on the
// interpreter.
type Device struct {
	// Device is a device's number, a part of its name, or a list of these with commas: several
	// devices, of which the first runs the programs and the others take what has no room there. "c"
	// compiles to C for the processors; "interp" is the interpreter, and "interp-memory" the one
	// that checks every access to memory.
	Device string `json:"device"`
	// MemoryLimit bounds the bytes in use on the device; 0: what the device has.
	MemoryLimit int64 `json:"memory_limit"`
	// Allocator is "region" (also ""), "tagged" or "driver" (docs/runtime.md).
	Allocator string `json:"allocator"`
	// Evict moves arrays to the host if the device is full.
	Evict bool `json:"evict"`
	// Threads is the number of threads of "c"; 0: as many as the environment says.
	Threads int `json:"threads"`
}

// A Context is an open device with its memory, which its programs share.
type Context struct{ machine *driver.Machine }

// Stats is what was done on a context since it was opened.
type Stats = runtime.Stats

// Open opens a device.
func Open(d Device) (_ *Context, err error) {
	defer guard(&err)
	m, err := driver.Open(driver.RunOptions{Device: d.Device, MemoryLimit: d.MemoryLimit, Allocator: d.Allocator, Evict: d.Evict, Threads: d.Threads})
	if err != nil {
		return nil, wrap(err)
	}
	return &Context{m}, nil
}

// Name returns the device's name: "c", "interp" or "interp-memory" if it is no OpenCL device.
func (c *Context) Name() string { return c.machine.Name() }

// Stats returns statistics; without OpenCL they are empty.
func (c *Context) Stats() Stats {
	if ctx := c.machine.Context(); ctx != nil {
		return ctx.Stats()
	}
	return Stats{Device: c.Name()}
}

// Trim gives the driver back all memory that no array is in.
func (c *Context) Trim() {
	if ctx := c.machine.Context(); ctx != nil {
		ctx.Trim()
	}
}

// Close waits for running calls, and gives the device back, with the memory of all arrays. Programs
// and arrays of the context can only be closed and freed afterwards.
func (c *Context) Close() { c.machine.Close() }

// NewArray copies data, a slice, to the context's device, row-major. Without a shape the array has one
// dimension. data may also be Bytes, which have a shape.
func (c *Context) NewArray(data any, shape ...int) (_ *Array, err error) {
	defer guard(&err)
	v, ok := slice(data)
	if !ok {
		return nil, misuse(diag.BadValue, "a new array is made of a slice of numbers or bools, not of %T", data)
	}
	if len(shape) > 0 {
		if v.Shape, err = reshaped(v, shape); err != nil {
			return nil, err
		}
	}
	if err := whole(v); err != nil {
		return nil, err
	}
	return c.newArray(v)
}

func (c *Context) newArray(v value.Value) (*Array, error) {
	a, err := c.machine.NewArray(v)
	if err != nil {
		return nil, wrap(err)
	}
	return &Array{a}, nil
}
