package index

// Names is a table with one entry for each name of a function. Its entries lie in the order in
// which the text binds the names, so a walk through the function meets them one after another: all
// tables share the index's one map from names to numbers.
//
// A name that the function does not bind has an entry too, once At was asked for it.
type Names[T any] struct {
	x      *Function
	bound  []T // by number
	others map[string]*T
}

// MakeNames returns a table of zero values.
func MakeNames[T any](x *Function) Names[T] { return Names[T]{x: x, bound: make([]T, len(x.defs))} }

// Of returns the entry of a name. It is nil if the function does not bind the name, and At was not
// asked for it.
func (t *Names[T]) Of(name string) *T {
	if n, ok := t.x.numbers[name]; ok {
		return &t.bound[n]
	}
	return t.others[name]
}

// At returns the entry of a name.
func (t *Names[T]) At(name string) *T {
	e := t.Of(name)
	if e == nil {
		if t.others == nil {
			t.others = map[string]*T{}
		}
		e = new(T)
		t.others[name] = e
	}
	return e
}

// Get returns the value of a name's entry, or the zero value.
func (t *Names[T]) Get(name string) (value T) {
	if e := t.Of(name); e != nil {
		value = *e
	}
	return value
}
