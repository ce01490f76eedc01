// Package progen writes random valid programs, deterministic from a seed: the
// generator of the differential tests (docs/testing.md).
//
// The programs are memory-agnostic text that covers the whole language. They are
// well typed by construction: the generator tracks the shape of every array (its
// dims are constants or names in scope), which arrays may share memory and which
// were consumed, which index variables run below which size, and how large every
// size can get. Most do not fail at run time: an index is a variable that runs
// below that dim, or is brought into range by fmod under a guard; a divisor is made
// odd; slices are taken from a list of parts known to fit. Those with the trait "wild"
// may (hostile.go): their sizes are computed by a number that may be anything.
//
// Floating-point values that a device may combine in another order (reductions,
// scans, histograms) are small whole numbers, so that every order gives the
// same; functions whose last digits may differ between devices are left out.
//
// A generator that never makes the compiler work is useless: Coverage counts the
// constructs of what was generated, from the parsed program and not from what
// the generator believes that it wrote.
//
// The package must not import any pass or back-end.
package progen
