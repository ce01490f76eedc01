// Package progen writes random valid programs, each determined by a seed: the generator of the
// differential tests (docs/testing.md).
//
// The programs are memory-agnostic text that covers the whole language. They are well typed by
// construction. The generator tracks the shape of every array (its dims are constants or names in
// scope), which arrays may share memory, which were consumed, which index variables run below
// which size, and how large every size can get. Most programs do not fail at run time: an index is
// a variable that runs below that dim, or fmod brings it into range under a guard; a divisor is
// made odd; slices come from a list of parts that are known to fit. Programs with the trait "wild"
// may fail (hostile.go): a number without bounds determines their sizes.
//
// Floating-point values that a device may combine in another order (reductions, scans, histograms)
// are small whole numbers, so every order gives the same result. Functions whose last digits may
// differ between devices are left out.
//
// A generator is useless if it never makes the compiler work. So Coverage counts the constructs of
// the parsed programs, and not those that the generator believes that it wrote.
//
// The package must not import any pass or back-end.
package progen
