package driver

import (
	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// Warnings tells what places that are written by hand may do wrong, and surely do: arrays
// that are overwritten while they are needed, threads that meet. What a compiler placed
// is not looked at.
func Warnings(f *diag.File, p *ir.Program) []*diag.Diagnostic {
	if futhark.Recognises(f) {
		return nil
	}
	list := memcheck.Check(p).List(nil).All
	p.SpeakIn(list...)
	for _, d := range list {
		d.Severity = diag.Warning
	}
	return list
}

// PlacesByHand returns what the checker finds of the places of a program before any pass: what it
// cannot prove, and what is wrong there, which is the user's error.
func PlacesByHand(p *ir.Program) (unproven []*diag.Diagnostic, wrong error) {
	found := memcheck.Check(p).List(nil).All
	p.SpeakIn(found...)
	list := &diag.List{File: p.File}
	for _, d := range found {
		if d.Severity == diag.Error {
			list.All = append(list.All, d)
		} else {
			unproven = append(unproven, d)
		}
	}
	return unproven, list.Err()
}

// CheckMemory checks that a program is memory-correct, in its explicit form. The
// list holds what is wrong and what cannot be proven right.
func CheckMemory(f *diag.File) (*diag.List, error) {
	p, _, err := Explicit(f, []*transform.Pass{explicit.Pass}, pipeline.Options{Verify: true})
	if err != nil {
		return nil, err
	}
	list := memcheck.Check(p).List(nil)
	p.SpeakIn(list.All...)
	return list, nil
}
