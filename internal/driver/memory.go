package driver

import (
	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/memcheck"
	"github.com/memc-lang/memc/internal/pipeline"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// CheckMemory checks that a program is memory-correct, in its explicit form. The
// list holds what is wrong and what cannot be proven right.
func CheckMemory(f *diag.File) (*diag.List, error) {
	p, _, err := Explicit(f, []*transform.Pass{explicit.Pass}, pipeline.Options{Verify: true})
	if err != nil {
		return nil, err
	}
	return memcheck.Check(p).List(nil), nil
}
