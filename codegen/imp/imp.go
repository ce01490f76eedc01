package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// GroupSize is the number of work-items in a work-group, and at most in one whose launch
// says how many (Kernel.Sized).
const GroupSize = 256

// Locks is the number of locks in the block that an Atomic takes one from, NearLocks of those in
// local memory.
const (
	Locks     = 4096
	NearLocks = 256
)

// A Program is the lowered form of a whole ir.Program.
type Program struct {
	File    *diag.File
	Funcs   []*Func // callees come before callers
	Entries []*Entry
	Kernels []*Kernel
	// Faults holds the reports of a kernel's Checks, by Check.Code; host checks
	// are in it too. Code 0 means "no fault", so Faults[0] is unused.
	Faults []Fault
	// KernelChecks tells whether any kernel holds a Check (then kernels take
	// the fault buffer as their first parameter).
	KernelChecks bool
	// Tasks tells that the program is lowered for processors (Options.Tasks).
	Tasks bool
	Sites int // allocations in the program, see Alloc.Site
	Slots int // scalars that kernels leave for the host and each other, see Note [Slots]
	// DeviceAllocator names the allocator (runtime/device/cl) that serves the
	// kernels that allocate, from a heap of DeviceHeap bytes; "" if none does.
	DeviceAllocator string
	DeviceHeap      int64
	// Thresholds names those that the program depends on.
	Thresholds []string
	// source gives the source's name of each variable that has one there.
	source func() map[string]string
	// Lone are the kernels of groups in which one work-item does the work of a group.
	Lone []Lone
}

// A Lone is a kernel in which one work-item does all the work of a group, and the block for which
// it must (Note [Groups]).
type Lone struct {
	Span  diag.Span
	Does  string // a verb and its object: computes `ys`
	Block string
}

// Why returns the reason, as a sentence.
func (l *Lone) Why() string {
	return "one thread does the work of each group that " + l.Does + ", since `" + l.Block + "` must lie in the device's memory"
}

// A Var is a scalar variable of a function or a kernel.
type Var struct {
	Name string
	Prim ir.Prim
}

// A Slot is a parameter or result: a scalar, or (if Mem is set) a block.
type Slot struct {
	Name string
	Mem  bool
	Prim ir.Prim
	// Local: of a kernel, an arena in the work-group's local memory. The argument is its
	// size in bytes; memory variables of Kernel.Near point into it.
	Local bool
}

// A Func is a host function. It declares all its variables at its top (blocks as empty, scalars as
// zero), so that an error can leave from anywhere and release every block.
type Func struct {
	Name    string
	Params  []Slot
	Results []Slot // variables of Vars and Mems that hold the results at the end
	Vars    []Var  // scalars, parameters excluded
	Mems    []string
	Body    []Stmt
}

// An Entry describes how to call a Func from outside. Arrays come and go
// row-major from offset 0.
type Entry struct {
	Name    string
	Alias   string // its name for users of the program, if that differs
	Func    *Func
	Params  []EntryParam
	Results []EntryResult
	// Sizes are the size variables in the order in which they are passed: they
	// are the Func's first parameters.
	Sizes []string
}

// An EntryParam is one argument. A scalar is passed in one slot. An array binds its dims, and is
// passed in one memory slot. If an earlier array has bound a size, both must agree.
type EntryParam struct {
	Name   string
	Prim   ir.Prim
	Array  bool
	Shape  []ir.Dim
	Unique bool
	Span   diag.Span
}

// An EntryResult is one result: a scalar slot, or a memory slot and one i64
// slot per dimension, in the order of Func.Results.
type EntryResult struct {
	Name  string
	Prim  ir.Prim
	Array bool
	Rank  int
	Shape []ir.Dim // in the words of the program
	Size  bool     // it sizes a later result, and is not written out (ir.Func.SizeResult)
}

// A Fault is a message for a failed Check: Format has one %d per argument
// (arguments are i64), and no other verb.
type Fault struct {
	Code   diag.Code
	Span   diag.Span
	Format string
	Args   int
	Memory bool // there was none for a block of a kernel
	Heap   bool // of the device heap: a larger one may help
}

// A Stmt is one imperative statement.
type Stmt interface{ visit(*visitor) }

// Statements of host functions and kernels.
type (
	// Set assigns a scalar.
	Set struct {
		Dst string
		E   ir.Exp
	}
	// Load reads element Off (in elements of Prim) of a block into a scalar. On the host it
	// stands in a Fetch.
	Load struct {
		Dst  string
		Prim ir.Prim
		Mem  string
		Off  ir.Exp
		// Fresh tells that another work-group of the same launch wrote the element, before
		// a Ticket.
		Fresh bool
	}
	// Fetch makes several Loads on the host. It waits for the device, once, and reports a
	// pending fault first.
	Fetch struct{ Loads []*Load }
	// Slots makes a memory variable refer to the program's block of slots (Note [Slots]). It
	// stands on the host.
	Slots struct{ Mem string }
	// Upload writes constants one behind the other, from the element at Off on. It stands
	// on the host. Values are bits (internal/base/scalar).
	Upload struct {
		Mem    string
		Prim   ir.Prim
		Off    ir.Exp
		Values []uint64
	}
	// Store writes one element.
	Store struct {
		Mem  string
		Prim ir.Prim
		Off  ir.Exp
		Val  ir.Exp
	}
	// Check reports fault Code with Args if Cond is false: on the host the
	// function fails; in a kernel the work-item leaves the innermost Region.
	Check struct {
		Cond ir.Exp
		Code int
		Args []ir.Exp
	}
	If struct {
		Cond       ir.Exp
		Then, Else []Stmt
	}
	// For runs Body with Var = 0 .. Bound-1; Bound is evaluated once.
	For struct {
		Var   string
		Bound ir.Exp
		Body  []Stmt
		// Points: Body is the work of work-items, and no iteration touches data that
		// another one writes.
		Points bool
		// Unroll tells that several turns at once are worth it.
		Unroll bool
		// Whole tells that all turns are worth being written out, Single that several turns at
		// once are not.
		Whole, Single bool
		// Waves tells that all turns are worth being written out on devices with waves; processors would
		// only take long to compile them.
		Waves bool
		// Each, where it is not 0, shares the loop among all work-items of a launch. A work-item
		// does Turns turns, Step apart, from First on. Turns is at most Each, and 1 if DeviceSeveral
		// is 0. Behind the last turn of the loop it may do that one once more, unless the loop is in
		// place (Note [Points in place]).
		Each               int64
		Turns, First, Step ir.Exp
		InPlace            bool
		// Local shares the loop among the work-items of a group: Var = LocalID, LocalID +
		// LocalSize, .. below Bound. Box says which indices are computed from it.
		Local bool
		Box   []Axis
	}
	// While runs Body while Cond is true.
	While struct {
		Cond ir.Exp
		Body []Stmt
	}
	// SetMem makes Dst another reference to Src's block, and drops the block that Dst held. In a
	// kernel a variable that is not in Kernel.Held is a pointer, and nothing is counted. Move (only
	// in kernels) takes Src's reference away: Src becomes empty.
	SetMem struct {
		Dst, Src string
		Move     bool
	}
	// Alloc makes a block of Bytes bytes. A negative number counts as 0: the statement that makes
	// the array reports the size. Site numbers the alloc in the program, from 0, for tags and
	// traces. Name is the block's name in the IR, "" for temporaries of a strategy. In a kernel the
	// block comes from the device heap, and belongs to the work-item. If there is none, the kernel
	// reports the fault Full (there was no room) or Contended (other work-items held the heap all
	// the time), and the work-item leaves as at a failing Check.
	Alloc struct {
		Mem             string
		Bytes           ir.Exp
		Site            int
		Name            string
		Span            diag.Span
		Full, Contended int
	}
	// SizeOf gives the size of a block, in bytes. It stands on the host.
	SizeOf struct{ Dst, Mem string }
	// SizeAs gives the bytes that an Alloc of that size would ask for: it computes without wrapping. In a
	// kernel it stands behind that Alloc.
	SizeAs struct {
		Dst   string
		Bytes ir.Exp
	}
	// Inverse prepares divisions by N of numbers below Total in a kernel (QuotientFn).
	// Multiplication is several times as fast as division (Granlund and Montgomery): with
	//
	//	l = ceil(log2 n),  m = 2^32 * (2^l - n) / n + 1,  x / n = (t + (x - t) / 2) / 2^(l-1)
	//
	// where t is the upper half of m * x, the inverse is m + 2^32 * l. If N or Total does not fit
	// in 31 bits, the inverse is 0, and x is divided. Inverse stands on the host.
	Inverse struct {
		Dst      string
		N, Total ir.Exp
	}
	// Query asks the device for a property that decides how work is divided. It stands on the host.
	Query struct {
		Dst  string
		What Property
	}
	// Free drops the variable's reference; the variable becomes empty.
	Free struct{ Mem string }
)

// Statements of host functions only.
type (
	// Copy copies Shape elements between two places, exactly, also where the
	// two overlap. It does nothing if they coincide at run time.
	Copy struct {
		Dst, Src Region
		Prim     ir.Prim
		Shape    []ir.Exp
	}
	// Launch runs Groups work-groups of GroupSize, or of Size if the kernel is Sized. If Groups is
	// 0, nothing runs. Args match Kernel.Params. Copied is the number of bytes that the kernel
	// moves for array results of its body, as far as the host knows the sizes (nil: none), for
	// statistics.
	Launch struct {
		Kernel *Kernel
		Groups ir.Exp
		Size   ir.Exp
		Args   []Arg
		Copied ir.Exp
	}
	// Call calls a host function. Results name variables of the caller.
	Call struct {
		Func    *Func
		Args    []Arg
		Results []string
	}
)

// A Region is a strided place in a block, in elements.
type Region struct {
	Mem     string
	Offset  ir.Exp
	Strides []ir.Exp
}

// An Axis is an index of a space, which runs from 0 below Size.
type Axis struct {
	Var  string
	Size ir.Exp
}

// An Arg is a scalar expression, or (if Mem is set) a memory variable.
type Arg struct {
	Mem string
	E   ir.Exp
}

// A Property is a property of the device that a Query requests.
type Property string

// The properties.
const (
	DeviceItems Property = "items" // work-items that the device has room for at once
	DeviceWave  Property = "wave"  // work-items that share each access of memory; 1 on processors
	// DeviceWaits is 1 if a running work-group may wait for one that began before it.
	DeviceWaits Property = "waits"
	// DeviceSeveral is not 0 if work-items should do several turns of a loop (For.Each):
	// the number of work-items that the device has room for at once.
	DeviceSeveral Property = "several"
	DeviceWide    Property = "wide"  // 1 if there are atomic operations on 64 bits
	DeviceLocal   Property = "local" // bytes of local memory that a work-group may have
)

// A Kernel is the code of one work-item. It may use the scalars LocalID, LocalSize,
// GroupID and NumGroups (all i64), which are always declared.
type Kernel struct {
	Name   string
	Params []Slot
	Vars   []Var
	Ptrs   []string // memory variables of the work-item (pointers)
	Locals []Local
	Body   []Stmt
	// Barriers tells that the body holds a Barrier, so that no work-item may
	// leave early.
	Barriers bool
	// Leaves tells that a Barrier has Leave set.
	Leaves bool
	// Sized tells that each launch says how many work-items a group has; else they are
	// GroupSize.
	Sized bool
	// Alive is a variable, none of Vars, that tells in a kernel of groups whether the group
	// goes on: it does not where an earlier kernel reported a fault. "" in other kernels.
	Alive string
	// Near are the Ptrs that point into local memory.
	Near map[string]bool
	// Own are the Ptrs that point into Rooms.
	Own   map[string]bool
	Rooms []Room
	// Held are the memory variables that may hold a block of the device heap. If there are any, the
	// kernel takes the heap as an argument, after the fault buffer. A work-item that leaves a
	// Region, or the kernel, by a failing Check drops the blocks that it holds there.
	Held []Held
	// Apart are memory parameters of which no byte that the kernel writes is one of
	// another memory parameter's.
	Apart map[string]bool
	// Written are the memory parameters that the kernel writes, where none of its Ptrs may
	// point into one.
	Written map[string]bool
	// Contract tells that x * y + z may be rounded once.
	Contract bool
	// Restrict: the bytes that the kernel writes are reached through one parameter only.
	Restrict bool
	// Parts are memory parameters of which the kernel may leave elements as they were:
	// destinations of a scatter.
	Parts []string
	// Doc describes the kernel's work in one line; it becomes a comment.
	Doc string
}

// OnlyReads tells that the kernel writes nothing of a memory parameter's block.
func (k *Kernel) OnlyReads(mem string) bool {
	return k.Written != nil && !k.pointers() && !k.Written[mem]
}

// pointers reports whether some of the Ptrs may point into the device's memory.
func (k *Kernel) pointers() bool {
	return slices.ContainsFunc(k.Ptrs, func(m string) bool { return !k.Near[m] && !k.Own[m] })
}

// A Room is an array of bytes that a work-item has for itself.
type Room struct {
	Name  string
	Bytes int64
}

// A Held is a memory variable of a kernel that may hold a block of the device heap. Counted:
// several variables may share its block, which then has a count of its references.
type Held struct {
	Mem     string
	Counted bool
}

// Names of the scalars that every kernel has.
const (
	LocalID   = "local_id"
	LocalSize = "local_size"
	GroupID   = "group_id"
	NumGroups = "num_groups"
)

// A Local is an array in the work-group's local memory; Load and Store name it
// like a block.
type Local struct {
	Name string
	Prim ir.Prim
	Len  int
}

// Statements of kernels only.
type (
	// A failing Check inside a KRegion leaves it; execution continues after it.
	KRegion struct {
		Body []Stmt
		// Together: in a kernel of groups, a check fails in all work-items or in none, and
		// the group ends (Kernel.Alive).
		Together bool
	}
	// Barrier waits for the work-group, with a fence on local and global memory. With Leave the
	// group ends (Kernel.Alive) if one of its work-items has left a Region by a failing Check. With
	// Wave it may wait for the waveItems neighbouring work-items of a wave only, with a fence on local
	// memory.
	Barrier struct{ Leave, Wave bool }
	// PtrAt makes a memory variable point Off bytes behind the beginning of Base, a
	// parameter or a Room: a block of the group or of the work-item, of Bytes bytes.
	PtrAt struct {
		Dst, Base  string
		Off, Bytes ir.Exp
	}
	// Move reads Len neighbouring elements, from Off on, into a Room (from element Behind on, if that
	// is set), or with Store writes them from there. Only the first Count of them (at least 1) are in
	// the block. In the room, copies of the first element replace the others. If Even holds, Off is a
	// multiple of the elements that are moved at once. With Group the work-items of the group do this
	// together, and Room is in local memory. With Near, Mem is there, and has all elements.
	Move struct {
		Room, Mem string
		Prim      ir.Prim
		Off       ir.Exp
		Len       int64
		Count     ir.Exp
		Even      ir.Exp
		Behind    ir.Exp
		Store     bool

		Group, Near bool
	}
	// Ticket takes the next number, from 0, of a counter: the i32 at Off. Work-groups get numbers
	// in the order of their requests. Behind: a work-group with a later number sees all earlier
	// writes of the work-item.
	Ticket struct {
		Dst, Mem string
		Off      ir.Exp
		Behind   bool
	}
	// Raise writes the u64 at Off, whose upper half is a flag, where another group may
	// read it at the same time. It tells nothing of other writes.
	Raise struct {
		Mem string
		Off ir.Exp
		Val ir.Exp
	}
	// Await reads neighbouring u64, from Off on, until all have the same upper half, and that
	// is not 0. The work-group that raises them must have begun before.
	Await struct {
		Dsts []string
		Mem  string
		Off  ir.Exp
	}
	// Atomic combines values into elements of blocks, as one indivisible step for other work-items.
	// It binds Old[i] to the element at Offs[i] of Mems[i], Body computes New[i] from it, and
	// New[i] is stored. Simple names the operation if the device may have an instruction for it
	// ("+", "min", "max", "&", "|", "^": New[0] = Old[0] op Val; for floats only "+"), and is ""
	// otherwise. Lock names a block of Locks i32, or an array of NearLocks in local memory. All are
	// 0 between atomics ("" if the device never needs one). LockOff modulo their number chooses the
	// lock to hold, if one is needed: for more than one block, and for 64-bit elements on a device
	// without 64-bit atomics. A failing Check
	// in Body leaves the Atomic.
	Atomic struct {
		Mems    []string
		Prims   []ir.Prim
		Offs    []ir.Exp
		Old     []string
		Body    []Stmt
		New     []ir.Exp
		Simple  string
		Val     ir.Exp
		Lock    string
		LockOff ir.Exp
	}
)
