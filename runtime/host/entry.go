package host

import "fmt"

// An Entry describes a function that can be called from outside, as far as its
// arguments must be checked.
type Entry struct {
	Name   string
	Number int // in the program, from 0
	Params []Param
	Sizes  []string // the size variables, in the order in which the function takes them
}

// A Param describes a parameter. A scalar has no Shape.
type Param struct {
	Name     string
	Type     string // as the program writes it: "[n][3]f32"
	Shape    []Dim
	Consumed bool // the call may write into the argument
	Pos      Pos
}

// A Dim is a dimension: a size variable, or (where it has no name) a fixed size.
type Dim struct {
	Name string
	Size int64
}

// A Given is what an argument tells of sizes: the shape of an array, or the
// value of an i64 scalar, which binds the size of its name.
type Given struct {
	Array  any // a pointer to the array, by which it is known; nil: a value
	Shape  []int64
	Scalar bool
	Value  int64
}

// A BindError tells that an argument does not fit.
type BindError struct {
	Param int // -1: it is no argument's
	Msg   string
}

func (e *BindError) Error() string { return e.Msg }

// size is the value of a size variable and where it comes from.
type size struct {
	val  int64
	from string // the array argument that bound it; "" for a scalar argument
}

// Twice finds a parameter that consumes an array that another one is given, too; nil: there is none.
// Which of them comes first makes no difference.
func (e *Entry) Twice(given []Given) *BindError {
	for i, q := range e.Params {
		for k, g := range given {
			if q.Consumed && k != i && g.Array != nil && g.Array == given[i].Array {
				return &BindError{i, fmt.Sprintf("arguments `%s` and `%s` are one array, which `%s` consumes",
					e.Params[min(i, k)].Name, e.Params[max(i, k)].Name, q.Name)}
			}
		}
	}
	return nil
}

// Bind takes the size variables from the arguments' shapes, which must agree. A
// given shape has the rank of its parameter.
func (e *Entry) Bind(given []Given) ([]int64, *BindError) {
	bound := map[string]size{}
	for i, q := range e.Params {
		if given[i].Scalar {
			bound[q.Name] = size{val: given[i].Value}
		}
	}
	for i, q := range e.Params {
		for k, d := range q.Shape {
			have := given[i].Shape[k]
			if d.Name == "" {
				if have != d.Size {
					return nil, &BindError{i, fmt.Sprintf("argument `%s` has size %d in dimension %d, but %d is expected", q.Name, have, k, d.Size)}
				}
				continue
			}
			s, ok := bound[d.Name]
			if !ok {
				bound[d.Name] = size{have, q.Name}
				continue
			}
			if s.val != have {
				from := ""
				if s.from != "" {
					from = " (from `" + s.from + "`)"
				}
				return nil, &BindError{i, fmt.Sprintf("argument `%s` has size %d in dimension %d, but `%s` is %d%s", q.Name, have, k, d.Name, s.val, from)}
			}
		}
	}
	sizes := make([]int64, len(e.Sizes))
	for i, name := range e.Sizes {
		s, ok := bound[name]
		if !ok {
			return nil, &BindError{-1, fmt.Sprintf("size `%s` of `%s` is bound by no argument", name, e.Name)}
		}
		sizes[i] = s.val
	}
	return sizes, nil
}
