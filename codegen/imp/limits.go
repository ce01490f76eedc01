package imp

import "github.com/memc-lang/memc/ir"

// Note [Limits of devices]
//
// What a device allows decides how a kernel's work is done. The limits:
//
//	work-groups of a launch      more run in turns (runtime.DeviceInfo, MEMC_MAX_GROUPS)
//	local memory of a group      DeviceLocal; every device has leastLocal. A kernel that needs more
//	                             is launched only where the device has it (ifLocal), and its text
//	                             is empty elsewhere, since a compiler may refuse it
//	work-items of a group        GroupSize; a device that allows fewer is refused
//	bytes of arguments           every device takes leastArguments. A combination of many values
//	                             has no kernel of groups (many). A kernel that reads and writes
//	                             more arrays is the device's compiler's to refuse
//
// docs/kernels.md says what `memc test --small-device` lowers.

// leastLocal is the local memory that every device has (OpenCL 1.2, CL_DEVICE_LOCAL_MEM_SIZE).
const leastLocal = 32 << 10

// leastArguments is the bytes of arguments that every device takes (OpenCL 1.2,
// CL_DEVICE_MAX_PARAMETER_SIZE); NVIDIA's take 4,352. A block is 16 bytes.
const leastArguments = 1024

// many reports whether a result and a partial value of each kind are too many arguments.
func (c *combination) many() bool { return 2*16*c.arity > leastArguments-128 }

// LocalBytes is the local memory that a kernel declares, with that for flags and alignment.
func (k *Kernel) LocalBytes() int64 {
	own := int64(slack)
	for _, l := range k.Locals {
		own += (int64(l.Len)*l.Prim.Size() + localAlign - 1) / localAlign * localAlign
	}
	return own
}

const localAlign = 16

// NeedsLocal is the local memory without which the text of a kernel is empty, or 0.
func (k *Kernel) NeedsLocal() int64 {
	if own := k.LocalBytes(); own > leastLocal {
		return own
	}
	return 0
}

// byGroups lowers a combination by work-groups that leave its values in local memory, if the
// device has enough. Otherwise single work-items do what tasks do on processors (Note [Tasks]).
func (c *combination) byGroups(b *block, groups, items, tasks func(*block)) {
	alone := func(b *block) { b.strategy(c, items, tasks) }
	if c.many() {
		alone(b)
		return
	}
	b.ifLocal(c.bytes()*GroupSize+slack, groups, alone)
}

// ifLocal chooses by the local memory that a kernel declares.
func (b *block) ifLocal(bytes int64, enough, less func(*block)) {
	if bytes <= leastLocal {
		enough(b)
		return
	}
	b.when(not(b.lacks(bytes)), enough, less)
}

// lacks is the condition that the device has too little local memory for a kernel.
func (b *block) lacks(bytes int64) ir.Exp {
	if bytes <= leastLocal {
		return ir.BoolLit(false)
	}
	return less(b.query(DeviceLocal), i64(bytes))
}

// roomFor reports whether a kernel of a group that has some arrays in local memory may have those
// of an operator, too, on any device.
func (b *block) roomFor(c *combination) bool {
	return b.k.out.LocalBytes()+c.bytes()*GroupSize <= leastLocal
}

// oneItem makes a kernel one of work-groups with a single work-item, if it is not for processors.
func (b *block) oneItem() {
	if !b.tasks() {
		b.k.items = i64(1)
	}
}
