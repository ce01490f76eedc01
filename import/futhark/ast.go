package futhark

import "github.com/memc-lang/memc/ir/diag"

// The tree mirrors the dump: one Go type per construct, names as written.

// A file is a whole dump.
type file struct {
	types  map[string]*opaque
	names  []string // of types, as they stand there
	consts []*stm
	funs   []*fun
}

// An opaque is an entry of the "types" section: the values it is made of, in
// the order in which a function takes them. The rest only an API needs to know
// (signature.go).
type opaque struct {
	parts    []extType
	kind     string   // record, opaque, sum, record_array, array
	fields   []string // of a record or an array of records: the names of parts
	rank     int      // of an array
	elem     string   // of an array: the type of its elements
	variants []variant
	span     diag.Span

	flat       []extType // down to scalars and arrays, once that is known
	flattening bool      // while it is found out
}

// A variant is a constructor of a sum: the types of what it holds, and which of
// the sum's values hold each of them.
type variant struct {
	name    string
	payload []extType
	slots   [][]int
}

// An extType is a type of the source language in an entry's signature: a
// primitive (maybe unsigned) of some rank, or the name of an opaque type.
type extType struct {
	prim   string
	rank   int
	opaque string
	uniq   bool
	span   diag.Span
}

type fun struct {
	name    string
	entry   string // the entry's name; "" where it is none
	params  []*param
	rets    []*typ
	sig     []extType
	sigName []string
	sigRets []extType
	attrs   []string
	body    *body
	span    diag.Span

	words map[string]bool // all names in it, of functions too
	// Note [Constants that several functions need]
	needs []*stm        // calls that give it constants
	own   map[*stm]bool // heavy constants that it computes itself
	given map[*stm]bool // sizes that it does not compute
}

type param struct {
	name string
	typ  *typ
	span diag.Span
}

// A typ is a type with its place. Kinds: a primitive, an array (len(shape) >
// 0), a block (prim "mem"), an accumulator (prim "acc").
type typ struct {
	prim  string
	shape []operand
	uniq  bool
	space string    // of a block: "", "device", "shared", "f32" (register-like)
	place *place    // of an array
	acc   string    // of an accumulator: its certificate
	parts []*typ    // of an accumulator: the element types
	span  diag.Span // of the whole type
}

// A place is a block and an LMAD. mem "" with ext >= 0 names result ext of the
// same list.
type place struct {
	mem     string
	ext     int
	offset  *lexp
	strides []*lexp
	span    diag.Span
}

// A lexp is an index expression: a leaf, or an operator in prefix form.
type lexp struct {
	leaf *operand
	op   string
	args []*lexp
	span diag.Span
}

// An operand is a variable or a constant; ext >= 0 is "?k".
type operand struct {
	name  string
	konst string // the literal as written, with its suffix
	ext   int
	certs []string  // only where it is a body's result
	tile  []tileDim // of a kernel's result that is a part of an array
	span  diag.Span
}

// A tileDim tells, of one dimension of an array of n elements, how many each
// group of threads gives: block of them, or block times register.
type tileDim struct {
	n, block operand
	register *operand
}

type body struct {
	stms   []*stm
	result []operand
	span   diag.Span
}

type stm struct {
	pat   []*param
	attrs []string
	certs []string
	exp   exp
	loc   string // the source location, where the dump has it
	span  diag.Span
	words map[string]bool // of a constant: all names in it
	heavy bool            // of a constant: it takes arrays or kernels
}

// An exp is the right-hand side of a statement.
type exp interface{}

type (
	eOperand struct{ x operand }
	eLit     struct {
		elems []operand
		elem  *typ
	}
	ePrim struct { // a scalar operation, also a conversion: sext from .. to
		op   string
		args []operand
		to   string
		span diag.Span
	}
	eIndex struct {
		x    string
		item []item
		flat bool
		off  operand // of a flat slice
		span diag.Span
	}
	eUpdate struct {
		x    string
		item []item
		flat bool
		off  operand
		safe bool
		val  operand
		span diag.Span
	}
	eAlloc struct {
		size  operand
		space string
	}
	eReplicate struct {
		shape []operand
		x     operand
	}
	eIota struct {
		prim             string
		n, start, stride operand
	}
	eScratch struct {
		prim  string
		shape []operand
	}
	eConcat struct {
		dim  int
		args []operand
	}
	eManifest struct {
		x    operand
		perm []int
	}
	eRearrange struct {
		x    operand
		perm []int
	}
	eReshape struct {
		x     operand
		shape []operand
	}
	eAssert struct {
		cond operand
		msg  []interface{} // string or operand
	}
	eSize struct { // get_size, get_size_max, calc_num_tblocks, cmp_size, user_param
		what  string
		name  string
		class string // of the parameter; "" where none is asked for
		args  []operand
		span  diag.Span
	}
	eIf struct {
		equiv   bool
		cond    operand
		yes, no *body
		types   []*typ
	}
	eMatch struct {
		equiv bool
		on    []operand
		cases []matchCase
		dflt  *body
		types []*typ
	}
	eLoop struct {
		params  []*param
		init    []operand
		loopVar string
		varPrim string
		bound   operand
		while   string
		body    *body
	}
	eApply struct {
		fn   string
		args []operand
		rets []*typ
		span diag.Span
	}
	eWithAcc struct {
		inputs []accInput
		lam    *lambda
	}
	eUpdateAcc struct {
		acc    string
		index  []operand
		value  []operand
		unsafe bool
	}
	eSeg struct {
		kind  string // segmap, segred, segscan, seghist
		level string // thread, block, inblock
		space []segDim
		flat  string // the thread's number over all dims
		types []*typ
		body  *body
		ops   []segOp
		post  *lambda
		span  diag.Span
	}
	eGPU struct {
		types []*typ
		body  *body
	}
)

type item struct {
	fixed          bool
	x              operand // index, or start
	length, stride operand
}

type matchCase struct {
	pats []operand // name "_" for any
	body *body
}

type segDim struct {
	name  string
	bound operand
	span  diag.Span
}

type segOp struct {
	neutral     []operand
	shape       []operand // of a vectorised operator
	commutative bool
	lam         *lambda
	hist        []operand // shape of the histogram
	dests       []operand
}

type lambda struct {
	params []*param
	rets   []*typ
	body   *body
}

type accInput struct {
	shape   []operand
	arrays  []operand
	lam     *lambda
	neutral []operand
}
