// Package part lets a slow test look at a part of its many cases. With MEMC_ALL=1 it looks at all of them
// (scripts/compilers).
package part

import "os"

// All reports whether tests shall look at all of their cases.
func All() bool { return os.Getenv("MEMC_ALL") != "" }

// Of reports whether a test that looks at each n-th of its cases looks at the k-th.
func Of(k, n int) bool { return k%n == 0 || All() }
