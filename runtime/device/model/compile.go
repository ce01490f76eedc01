package model

import (
	"math/bits"
)

// A frame holds the variables of a call, and the work-item that runs it.
type frame struct {
	item   *run
	slots  []uint64
	result uint64
	site   int    // the statement that runs
	temp   uint64 // a hash of the results of operations and calls in it
}

// note enters a value that the running statement has got.
func (f *frame) note(v uint64) uint64 {
	f.temp = (f.temp ^ (v + 1)) * 0x9e3779b97f4a7c15
	return v
}

// An operand is a compiled expression; wide tells that it is a ulong.
type operand struct {
	eval func(*frame) uint64
	wide bool
}

// control is how a statement ends.
type control int

const (
	goOn control = iota
	doBreak
	doContinue
	doReturn
)

type statement func(*frame) control

// A routine is a compiled function.
type routine struct {
	params int
	slots  int
	wide   bool
	body   statement
}

func (r *routine) call(item *run, args []uint64) uint64 {
	f := &frame{item: item, slots: make([]uint64, r.slots)}
	copy(f.slots, args)
	item.stack = append(item.stack, f)
	r.body(f)
	item.stack = item.stack[:len(item.stack)-1]
	return f.result
}

// A compiler compiles one function at a time.
type compiler struct {
	parsed   map[string]*function
	routines map[string]*routine
	names    []map[string]variable
	slots    int
	sites    *int // statements so far, of all functions
	wide     bool // the function's result
}

type variable struct {
	slot int
	wide bool
}

// compile returns the routines of a source.
func compile(src string) (routines map[string]*routine, err error) {
	defer func() {
		if e := recover(); e != nil {
			r, ours := e.(refusal)
			if !ours {
				panic(e)
			}
			err = r.error
		}
	}()
	parsed := (&parser{toks: preprocess(src)}).file()
	routines = map[string]*routine{}
	for name, f := range parsed {
		routines[name] = &routine{params: len(f.params), wide: f.wide}
	}
	sites := 0
	for name, f := range parsed {
		c := &compiler{sites: &sites, parsed: parsed, routines: routines, names: []map[string]variable{{}}, wide: f.wide}
		for _, p := range f.params {
			c.declare(p.name, p.wide)
		}
		routines[name].body = c.stmt(f.body)
		routines[name].slots = c.slots
	}
	return routines, nil
}

func (c *compiler) declare(name string, wide bool) variable {
	v := variable{c.slots, wide}
	c.names[len(c.names)-1][name] = v
	c.slots++
	return v
}

func (c *compiler) lookup(name string, line int) variable {
	for i := len(c.names) - 1; i >= 0; i-- {
		if v, ok := c.names[i][name]; ok {
			return v
		}
	}
	refuse(line, "%q is not declared", name)
	return variable{}
}

// stmt compiles a statement. It notes in the frame that it runs, which together
// with the variables tells where the work-item is.
func (c *compiler) stmt(n *node) statement {
	s := c.statement(n)
	*c.sites++
	site := *c.sites
	return func(f *frame) control { f.site, f.temp = site, 0; return s(f) }
}

func (c *compiler) statement(n *node) statement {
	switch n.op {
	case "block":
		c.names = append(c.names, map[string]variable{})
		from := c.slots
		list := c.stmts(n.kids)
		to := c.slots
		c.names = c.names[:len(c.names)-1]
		return func(f *frame) control {
			k := goOn
			for i := 0; i < len(list) && k == goOn; i++ {
				k = list[i](f)
			}
			clear(f.slots[from:to]) // dead values would keep equal states apart
			return k
		}
	case "if":
		cond := c.expr(n.kids[0])
		arms := c.stmts(n.kids[1:])
		return func(f *frame) control {
			if cond.eval(f) != 0 {
				return arms[0](f)
			}
			if len(arms) > 1 {
				return arms[1](f)
			}
			return goOn
		}
	case "while":
		cond := c.expr(n.kids[0])
		body := c.stmt(n.kids[1])
		return c.loop(cond, nil, body)
	case "for":
		c.names = append(c.names, map[string]variable{})
		defer func() { c.names = c.names[:len(c.names)-1] }()
		first := c.stmt(n.kids[0])
		cond := c.expr(n.kids[1])
		rest := c.stmts(n.kids[2:])
		body := c.loop(cond, rest[0], rest[1])
		return func(f *frame) control { first(f); return body(f) }
	case "return":
		if len(n.kids) == 0 {
			return func(*frame) control { return doReturn }
		}
		v := c.expr(n.kids[0])
		wide := c.wide
		return func(f *frame) control { f.result = narrow(v.eval(f), wide); return doReturn }
	case "break":
		return func(*frame) control { return doBreak }
	case "continue":
		return func(*frame) control { return doContinue }
	case "call":
		v := c.expr(n.kids[0])
		return func(f *frame) control { v.eval(f); return goOn }
	}
	// A declaration or an assignment.
	v := c.expr(n.kids[0])
	var to variable
	if n.op == "assign" {
		to = c.lookup(n.name, n.line)
	} else {
		to = c.declare(n.name, n.op == "declare ulong")
	}
	return func(f *frame) control { f.slots[to.slot] = narrow(v.eval(f), to.wide); return goOn }
}

func (c *compiler) stmts(kids []*node) (list []statement) {
	for _, k := range kids {
		list = append(list, c.stmt(k))
	}
	return list
}

func (c *compiler) loop(cond operand, step, body statement) statement {
	*c.sites++
	site := *c.sites
	return func(f *frame) control {
		for {
			f.site, f.temp = site, 0
			if cond.eval(f) == 0 {
				return goOn
			}
			switch body(f) {
			case doBreak:
				return goOn
			case doReturn:
				return doReturn
			}
			if step != nil {
				step(f)
			}
			f.item.tick()
		}
	}
}

func narrow(v uint64, wide bool) uint64 {
	if wide {
		return v
	}
	return v & 0xffffffff
}

func (c *compiler) expr(n *node) operand {
	var k []operand
	for _, kid := range n.kids {
		k = append(k, c.expr(kid))
	}
	switch n.op {
	case "number":
		v, wide, err := number(n.name)
		if err != nil {
			refuse(n.line, "%v", err)
		}
		return operand{func(*frame) uint64 { return v }, wide}
	case "name":
		v := c.lookup(n.name, n.line)
		return operand{func(f *frame) uint64 { return f.slots[v.slot] }, v.wide}
	case "cast":
		wide := n.name == "ulong"
		return operand{func(f *frame) uint64 { return narrow(k[0].eval(f), wide) }, wide}
	case "unary~":
		return operand{func(f *frame) uint64 { return narrow(^k[0].eval(f), k[0].wide) }, k[0].wide}
	case "unary-":
		return operand{func(f *frame) uint64 { return narrow(-k[0].eval(f), k[0].wide) }, k[0].wide}
	case "unary!":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) == 0) }, false}
	case "?":
		return operand{func(f *frame) uint64 {
			if k[0].eval(f) != 0 {
				return k[1].eval(f)
			}
			return k[2].eval(f)
		}, k[1].wide || k[2].wide}
	case "&&":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) != 0 && k[1].eval(f) != 0) }, false}
	case "||":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) != 0 || k[1].eval(f) != 0) }, false}
	case "apply":
		return c.apply(n, k)
	}
	return arith(n, k[0], k[1])
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// operators give a number as wide as the wider operand.
var operators = map[string]func(x, y uint64) uint64{
	"|": func(x, y uint64) uint64 { return x | y },
	"^": func(x, y uint64) uint64 { return x ^ y },
	"&": func(x, y uint64) uint64 { return x & y },
	"+": func(x, y uint64) uint64 { return x + y },
	"-": func(x, y uint64) uint64 { return x - y },
	"*": func(x, y uint64) uint64 { return x * y },
	"/": func(x, y uint64) uint64 { return x / y },
	"%": func(x, y uint64) uint64 { return x % y },
}

var comparisons = map[string]func(x, y uint64) bool{
	"==": func(x, y uint64) bool { return x == y },
	"!=": func(x, y uint64) bool { return x != y },
	"<":  func(x, y uint64) bool { return x < y },
	">":  func(x, y uint64) bool { return x > y },
	"<=": func(x, y uint64) bool { return x <= y },
	">=": func(x, y uint64) bool { return x >= y },
}

func arith(n *node, a, b operand) operand {
	if op := operators[n.op]; op != nil {
		wide := a.wide || b.wide
		return operand{func(f *frame) uint64 { return narrow(op(a.eval(f), b.eval(f)), wide) }, wide}
	}
	if test := comparisons[n.op]; test != nil {
		return operand{func(f *frame) uint64 { return truth(test(a.eval(f), b.eval(f))) }, false}
	}
	if n.op != "<<" && n.op != ">>" {
		refuse(n.line, "operator %q is not of the model's language", n.op)
	}
	// The result has the type of the left side, and the count is taken
	// within its width, as OpenCL says.
	mask, left := uint64(31), n.op == "<<"
	if a.wide {
		mask = 63
	}
	return operand{func(f *frame) uint64 {
		x, y := a.eval(f), b.eval(f)&mask
		if left {
			return narrow(x<<y, a.wide)
		}
		return x >> y
	}, a.wide}
}

// apply compiles a call: of a shared operation, or of a function.
func (c *compiler) apply(n *node, k []operand) operand {
	args := func(f *frame) []uint64 {
		v := make([]uint64, len(k))
		for i := range k {
			v[i] = k[i].eval(f)
		}
		return v
	}
	if n.name == "memc_const" {
		n.name = "memc_load" // there are no caches here
	}
	if arity, ok := shared[n.name]; ok {
		if arity != len(k) {
			refuse(n.line, "%s takes %d arguments", n.name, arity)
		}
		return operand{func(f *frame) uint64 { return f.note(f.item.shared(n.name, n.line, args(f))) }, false}
	}
	switch n.name {
	case "memc_log2":
		return operand{func(f *frame) uint64 { return uint64(bits.Len64(k[0].eval(f))) - 1 }, false}
	case "memc_group", "memc_item":
		return operand{func(f *frame) uint64 { return uint64(f.item.number) }, false}
	}
	r := c.routines[n.name]
	if r == nil || r.params != len(k) {
		refuse(n.line, "there is no function %s with %d parameters", n.name, len(k))
	}
	params := c.parsed[n.name].params
	return operand{func(f *frame) uint64 {
		v := args(f)
		for i := range v {
			v[i] = narrow(v[i], params[i].wide)
		}
		return f.note(r.call(f.item, v))
	}, r.wide}
}
