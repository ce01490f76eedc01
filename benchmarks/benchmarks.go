// Package benchmarks contains the field's benchmarks as memc programs, with inputs to run them on:
// the benchmarks of Accelerate, FinPar, Java Grande, Parboil, Rodinia and the thesis on memory
// block merging (chapter 10).
//
// A benchmark NAME is the program NAME/NAME.ir, written from the published algorithm in
// memory-agnostic form, and a list of data sets. A data set is a function that makes arguments from
// sizes, the same ones at every call and on every machine (splitmix64), or reference data in
// NAME/data. Oracles in plain Go, in this package's tests, compute the right results; they share no
// code with memc. The tests also keep NAME/data/tiny.in and tiny.out, which the program's test
// block names, so that `memc test benchmarks` checks it by value, by memory and on OpenCL.
//
// The package knows values only. It must not import a compiler or the runtime.
package benchmarks

import (
	"embed"
	"fmt"

	"github.com/memc-lang/memc/internal/base/value"
)

//go:embed */*.ir */data
var files embed.FS

// A Benchmark is a program with data sets.
type Benchmark struct {
	Name string
	Sets []Set
}

// A Set is a data set: tiny for tests, small for a processor, medium and large
// for a GPU.
type Set struct {
	Name string
	Args func() []value.Value
}

// All returns every benchmark, by name.
func All() []Benchmark { return append([]Benchmark(nil), all...) }

// Lookup returns the benchmark of that name.
func Lookup(name string) (Benchmark, bool) {
	for _, b := range all {
		if b.Name == name {
			return b, true
		}
	}
	return Benchmark{}, false
}

// Path is the program's file, from the root of the repository.
func (b Benchmark) Path() string { return fmt.Sprintf("benchmarks/%s/%s.ir", b.Name, b.Name) }

// Source returns the program's text.
func (b Benchmark) Source() string {
	text, err := files.ReadFile(b.Name + "/" + b.Name + ".ir")
	if err != nil {
		panic(err) // the list names a program that is not there; a test reads all
	}
	return string(text)
}

// Roofline returns the path and the text of the program that memc bench roofline measures.
func Roofline() (path, source string) {
	const name = "roofline/roofline.ir"
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return "benchmarks/" + name, string(text)
}

// Set returns the data set of that name.
func (b Benchmark) Set(name string) (Set, bool) {
	for _, s := range b.Sets {
		if s.Name == name {
			return s, true
		}
	}
	return Set{}, false
}
