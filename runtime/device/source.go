package device

import "github.com/memc-lang/memc/runtime/device/cl"

// An Allocator is one of the allocators that memc_alloc.h offers.
type Allocator = cl.Allocator

// Allocators lists them, in the order of the paper; memc's own is last.
func Allocators() []Allocator { return cl.Allocators() }

// Lookup returns the allocator of that name.
func Lookup(name string) (Allocator, error) { return cl.Lookup(name) }
