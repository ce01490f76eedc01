package model

import (
	"fmt"
	"math/bits"
)

// A frame holds the variables of a call, and the work-item that runs it.
type frame struct {
	item   *run
	slots  []uint64
	result uint64
	site   int    // the statement that runs
	temp   uint64 // a hash of what operations and calls have returned in it
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

// compile gives the routines of a source.
func compile(src string) (map[string]*routine, error) {
	toks, err := preprocess(src)
	if err != nil {
		return nil, err
	}
	parsed, err := (&parser{toks: toks}).file()
	if err != nil {
		return nil, err
	}
	routines := map[string]*routine{}
	for name, f := range parsed {
		routines[name] = &routine{params: len(f.params), wide: f.wide}
	}
	sites := 0
	for name, f := range parsed {
		c := &compiler{sites: &sites, parsed: parsed, routines: routines, names: []map[string]variable{{}}, wide: f.wide}
		for _, p := range f.params {
			c.declare(p.name, p.wide)
		}
		body, err := c.stmt(f.body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		routines[name].body, routines[name].slots = body, c.slots
	}
	return routines, nil
}

func (c *compiler) declare(name string, wide bool) variable {
	v := variable{c.slots, wide}
	c.names[len(c.names)-1][name] = v
	c.slots++
	return v
}

func (c *compiler) lookup(name string, line int) (variable, error) {
	for i := len(c.names) - 1; i >= 0; i-- {
		if v, ok := c.names[i][name]; ok {
			return v, nil
		}
	}
	return variable{}, fmt.Errorf("line %d: %q is not declared", line, name)
}

// stmt compiles a statement. It notes in the frame that it runs, which together
// with the variables tells where the work-item is.
func (c *compiler) stmt(n *node) (statement, error) {
	s, err := c.statement(n)
	*c.sites++
	site := *c.sites
	return func(f *frame) control { f.site, f.temp = site, 0; return s(f) }, err
}

func (c *compiler) statement(n *node) (statement, error) {
	switch n.op {
	case "block":
		c.names = append(c.names, map[string]variable{})
		from := c.slots
		list, err := c.stmts(n.kids)
		to := c.slots
		c.names = c.names[:len(c.names)-1]
		return func(f *frame) control {
			k := goOn
			for i := 0; i < len(list) && k == goOn; i++ {
				k = list[i](f)
			}
			clear(f.slots[from:to]) // dead values would keep equal states apart
			return k
		}, err
	case "if":
		cond, err := c.expr(n.kids[0])
		if err != nil {
			return nil, err
		}
		arms, err := c.stmts(n.kids[1:])
		return func(f *frame) control {
			if cond.eval(f) != 0 {
				return arms[0](f)
			}
			if len(arms) > 1 {
				return arms[1](f)
			}
			return goOn
		}, err
	case "while":
		cond, err := c.expr(n.kids[0])
		if err != nil {
			return nil, err
		}
		body, err := c.stmt(n.kids[1])
		return c.loop(cond, nil, body), err
	case "for":
		c.names = append(c.names, map[string]variable{})
		defer func() { c.names = c.names[:len(c.names)-1] }()
		first, err := c.stmt(n.kids[0])
		if err != nil {
			return nil, err
		}
		cond, err := c.expr(n.kids[1])
		if err != nil {
			return nil, err
		}
		rest, err := c.stmts(n.kids[2:])
		if err != nil {
			return nil, err
		}
		body := c.loop(cond, rest[0], rest[1])
		return func(f *frame) control { first(f); return body(f) }, nil
	case "return":
		if len(n.kids) == 0 {
			return func(*frame) control { return doReturn }, nil
		}
		v, err := c.expr(n.kids[0])
		wide := c.wide
		return func(f *frame) control { f.result = narrow(v.eval(f), wide); return doReturn }, err
	case "break":
		return func(*frame) control { return doBreak }, nil
	case "continue":
		return func(*frame) control { return doContinue }, nil
	case "call":
		v, err := c.expr(n.kids[0])
		return func(f *frame) control { v.eval(f); return goOn }, err
	}
	// A declaration or an assignment.
	v, err := c.expr(n.kids[0])
	if err != nil {
		return nil, err
	}
	var to variable
	if n.op == "assign" {
		to, err = c.lookup(n.name, n.line)
	} else {
		to = c.declare(n.name, n.op == "declare ulong")
	}
	return func(f *frame) control { f.slots[to.slot] = narrow(v.eval(f), to.wide); return goOn }, err
}

func (c *compiler) stmts(kids []*node) (list []statement, err error) {
	for _, k := range kids {
		s, err := c.stmt(k)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
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

func (c *compiler) expr(n *node) (operand, error) {
	var k []operand
	for _, kid := range n.kids {
		o, err := c.expr(kid)
		if err != nil {
			return operand{}, err
		}
		k = append(k, o)
	}
	switch n.op {
	case "number":
		v, wide, err := number(n.name)
		return operand{func(*frame) uint64 { return v }, wide}, err
	case "name":
		v, err := c.lookup(n.name, n.line)
		return operand{func(f *frame) uint64 { return f.slots[v.slot] }, v.wide}, err
	case "cast":
		wide := n.name == "ulong"
		return operand{func(f *frame) uint64 { return narrow(k[0].eval(f), wide) }, wide}, nil
	case "unary~":
		return operand{func(f *frame) uint64 { return narrow(^k[0].eval(f), k[0].wide) }, k[0].wide}, nil
	case "unary-":
		return operand{func(f *frame) uint64 { return narrow(-k[0].eval(f), k[0].wide) }, k[0].wide}, nil
	case "unary!":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) == 0) }, false}, nil
	case "?":
		return operand{func(f *frame) uint64 {
			if k[0].eval(f) != 0 {
				return k[1].eval(f)
			}
			return k[2].eval(f)
		}, k[1].wide || k[2].wide}, nil
	case "&&":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) != 0 && k[1].eval(f) != 0) }, false}, nil
	case "||":
		return operand{func(f *frame) uint64 { return truth(k[0].eval(f) != 0 || k[1].eval(f) != 0) }, false}, nil
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

func arith(n *node, a, b operand) (operand, error) {
	wide := a.wide || b.wide
	var op func(x, y uint64) uint64
	switch n.op {
	case "|":
		op = func(x, y uint64) uint64 { return x | y }
	case "^":
		op = func(x, y uint64) uint64 { return x ^ y }
	case "&":
		op = func(x, y uint64) uint64 { return x & y }
	case "+":
		op = func(x, y uint64) uint64 { return x + y }
	case "-":
		op = func(x, y uint64) uint64 { return x - y }
	case "*":
		op = func(x, y uint64) uint64 { return x * y }
	case "/":
		op = func(x, y uint64) uint64 { return x / y }
	case "%":
		op = func(x, y uint64) uint64 { return x % y }
	case "<<", ">>":
		// The result has the type of the left side, and the count is taken
		// within its width, as OpenCL says.
		mask := uint64(31)
		if a.wide {
			mask = 63
		}
		left := n.op == "<<"
		return operand{func(f *frame) uint64 {
			x, y := a.eval(f), b.eval(f)&mask
			if left {
				return narrow(x<<y, a.wide)
			}
			return x >> y
		}, a.wide}, nil
	}
	if op != nil {
		return operand{func(f *frame) uint64 { return narrow(op(a.eval(f), b.eval(f)), wide) }, wide}, nil
	}
	var test func(x, y uint64) bool
	switch n.op {
	case "==":
		test = func(x, y uint64) bool { return x == y }
	case "!=":
		test = func(x, y uint64) bool { return x != y }
	case "<":
		test = func(x, y uint64) bool { return x < y }
	case ">":
		test = func(x, y uint64) bool { return x > y }
	case "<=":
		test = func(x, y uint64) bool { return x <= y }
	case ">=":
		test = func(x, y uint64) bool { return x >= y }
	default:
		return operand{}, fmt.Errorf("line %d: operator %q is not of the model's language", n.line, n.op)
	}
	return operand{func(f *frame) uint64 { return truth(test(a.eval(f), b.eval(f))) }, false}, nil
}

// apply compiles a call: of a shared operation, or of a function.
func (c *compiler) apply(n *node, k []operand) (operand, error) {
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
			return operand{}, fmt.Errorf("line %d: %s takes %d arguments", n.line, n.name, arity)
		}
		return operand{func(f *frame) uint64 { return f.note(f.item.shared(n.name, n.line, args(f))) }, false}, nil
	}
	switch n.name {
	case "memc_log2":
		return operand{func(f *frame) uint64 { return uint64(bits.Len64(k[0].eval(f))) - 1 }, false}, nil
	case "memc_group", "memc_item":
		return operand{func(f *frame) uint64 { return uint64(f.item.number) }, false}, nil
	}
	r := c.routines[n.name]
	if r == nil || r.params != len(k) {
		return operand{}, fmt.Errorf("line %d: there is no function %s with %d parameters", n.line, n.name, len(k))
	}
	params := c.parsed[n.name].params
	return operand{func(f *frame) uint64 {
		v := args(f)
		for i := range v {
			v[i] = narrow(v[i], params[i].wide)
		}
		return f.note(r.call(f.item, v))
	}, r.wide}, nil
}
