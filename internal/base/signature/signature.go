// Package signature describes what a program offers to the outside in the terms
// of the language that it was written in: entries, and the types of their
// arguments and results.
//
// Purpose. memc's own entries take scalars and arrays. A source language has
// more: records, tuples, sums, arrays of them, abstract types. Its compiler turns
// each value of such a type into several values of memc, its parts. An Interface
// keeps the original types, so that memc can offer an API of that language around
// its entries (codegen/futharkapi).
//
// Source. The types are those of Futhark's C API (docs/c-api.md); import/futhark
// reads an Interface from a dump.
//
// Invariants. Types refer to each other only by name, so an Interface is a tree of
// texts. Check says whether every name is defined. Values of type unit have no
// parts.
//
// Before, in Futhark:                     After, an entry of memc:
//
//	type point = {x: f32, y: f32}          entry norm (x: f32, y: f32) : f32
//	entry norm (p: point): f32
//
// It imports ir, for the primitive types, and nothing else.
package signature

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
)

// An Interface is the set of a program's entries and types.
type Interface struct {
	Types   []*Type
	Entries []*Entry
	Tuning  []Tuning
}

// A Kind is the set of operations on values of a type.
type Kind uint8

// The kinds.
const (
	Opaque      Kind = iota // nothing is known of it but its parts
	Record                  // has fields; also a tuple, whose fields are 0, 1, ..
	Sum                     // is one of several variants; its first part says which
	Array                   // has elements of type Elem
	RecordArray             // has elements of type Elem, a record, and is a record of arrays
)

// A Type is a type of the source language that is no scalar and no array of
// scalars.
type Type struct {
	Name     string
	Kind     Kind
	Parts    []Part    // the parts of a value, in order
	Fields   []Field   // Record and RecordArray
	Variants []Variant // Sum
	Elem     string    // Array and RecordArray: the type of the elements
	Rank     int       // of those: the number of dimensions
}

// A Part is a scalar (Rank 0) or an array of scalars.
type Part struct {
	Prim ir.Prim
	Rank int
}

// A Ref is the type of an argument, a result or a field: the name of a Type, or
// a Part, or unit.
type Ref struct {
	Opaque string
	Part   Part // where Opaque is ""
	Unit   bool // there is no value
	Unique bool // of an argument: it is consumed; of a result: it has no aliases
}

// A Field is a field of a record; the parts of the fields, in order, are those of
// the record.
type Field struct {
	Name string
	Type Ref
}

// A Variant is a constructor of a sum.
type Variant struct {
	Name    string
	Payload []Payload
}

// A Payload is one of the values that a constructor holds, and which of the parts
// of the sum hold it.
type Payload struct {
	Type  Ref
	Parts []int
}

// An Entry is an entry point.
type Entry struct {
	Name       string // in the source
	Func       string // of the program's entry
	Inputs     []Input
	Outputs    []Ref
	Tuning     []int // indices in Interface.Tuning
	Attributes []string
}

// An Input is a parameter of an entry.
type Input struct {
	Name string
	Type Ref
}

// A Tuning is a parameter that a user of the source language's compiler can set.
type Tuning struct{ Name, Class string }

// Lookup returns the type of a name, or nil.
func (in *Interface) Lookup(name string) *Type {
	for _, t := range in.Types {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Parts returns the parts of a value.
func (in *Interface) Parts(r Ref) []Part {
	switch {
	case r.Unit:
		return nil
	case r.Opaque == "":
		return []Part{r.Part}
	}
	if t := in.Lookup(r.Opaque); t != nil {
		return t.Parts
	}
	return nil
}

// String returns the type in Futhark's notation without sizes: []f32, point.
func (r Ref) String() string {
	switch {
	case r.Unit:
		return "unit"
	case r.Opaque != "":
		return r.Opaque
	}
	return r.Part.String()
}

// String returns the type in Futhark's notation without sizes.
func (p Part) String() string {
	s := p.Prim.String()
	for range p.Rank {
		s = "[]" + s
	}
	return s
}

// Check tells what does not hang together: types that are not defined, fields
// and payloads whose parts are not those of their type.
func (in *Interface) Check() error {
	for _, t := range in.Types {
		if err := in.checkType(t); err != nil {
			return fmt.Errorf("type %q: %w", t.Name, err)
		}
	}
	for _, e := range in.Entries {
		for _, i := range e.Inputs {
			if err := in.known(i.Type); err != nil {
				return fmt.Errorf("entry %q: %w", e.Name, err)
			}
		}
		for _, o := range e.Outputs {
			if err := in.known(o); err != nil {
				return fmt.Errorf("entry %q: %w", e.Name, err)
			}
		}
		for _, k := range e.Tuning {
			if k < 0 || k >= len(in.Tuning) {
				return fmt.Errorf("entry %q has no tuning parameter %d", e.Name, k)
			}
		}
	}
	return nil
}

func (in *Interface) known(r Ref) error {
	if r.Opaque != "" && in.Lookup(r.Opaque) == nil {
		return fmt.Errorf("the type %q is not defined", r.Opaque)
	}
	return nil
}

func (in *Interface) checkType(t *Type) error {
	var of []Part
	for _, f := range t.Fields {
		if err := in.known(f.Type); err != nil {
			return err
		}
		of = append(of, in.Parts(f.Type)...)
	}
	if (t.Kind == Record || t.Kind == RecordArray) && !equal(of, t.Parts) {
		return fmt.Errorf("its fields have the parts %v, and it has %v", of, t.Parts)
	}
	for _, v := range t.Variants {
		for _, p := range v.Payload {
			if err := in.known(p.Type); err != nil {
				return err
			}
			var held []Part
			for _, i := range p.Parts {
				if i < 0 || i >= len(t.Parts) {
					return fmt.Errorf("variant %q lies in part %d of %d", v.Name, i, len(t.Parts))
				}
				held = append(held, t.Parts[i])
			}
			if !equal(held, in.Parts(p.Type)) {
				return fmt.Errorf("variant %q holds %s in the parts %v", v.Name, p.Type, held)
			}
		}
	}
	switch t.Kind {
	case Sum:
		if len(t.Parts) == 0 || t.Parts[0].Rank > 0 || !t.Parts[0].Prim.Integer() {
			return fmt.Errorf("its first part does not say which variant a value is")
		}
	case Array, RecordArray:
		return in.checkElements(t)
	}
	return nil
}

// checkElements: the parts of an array are those of its elements, with its
// dimensions in front.
func (in *Interface) checkElements(t *Type) error {
	e := in.Lookup(t.Elem)
	if e == nil {
		return fmt.Errorf("the type %q of its elements is not defined", t.Elem)
	}
	var of []Part
	for _, p := range e.Parts {
		of = append(of, Part{p.Prim, p.Rank + t.Rank})
	}
	if t.Rank < 1 || !equal(of, t.Parts) {
		return fmt.Errorf("%d dimensions of %q have the parts %v, and it has %v", t.Rank, t.Elem, of, t.Parts)
	}
	return nil
}

func equal(a, b []Part) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
