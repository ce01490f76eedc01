package explain

import (
	"slices"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// A Remark is the story of one candidate, with its worth.
type Remark struct {
	pipeline.Remark
	Func string `json:"func"`
	// Bytes is the size of the array that is copied, or of the block that is kept: what
	// the rewrite saves, or would have saved. It is nil where the text has no such name, and of
	// passes whose rewrites save no memory.
	Bytes *Size `json:"bytes,omitempty"`
}

// A Code is the short name of a reason to refuse.
type Code struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Meaning string `json:"meaning"`
	Example string `json:"example"`
}

// remarks turns the passes' remarks into stories.
func (x *Explanation) remarks() {
	for _, m := range x.report.Structured() {
		r := &Remark{Remark: m}
		for _, f := range x.final.Funcs {
			if f.Span.Start <= m.Span().Start {
				r.Func = f.Name
			}
		}
		r.Bytes = x.worth(r)
		x.Remarks = append(x.Remarks, r)
	}
}

// savers are the passes whose rewrites save a copy, an array, or a block.
var savers = []string{"simplify", "fuse", "coalesce", "reuse", "workers"}

// worth returns the size of a remark's subject: the first of its names that has one,
// looked up as the pass found it.
func (x *Explanation) worth(r *Remark) *Size {
	if !slices.Contains(savers, r.Pass) {
		return nil
	}
	at := 0
	for k, s := range x.Stages {
		if s.Pass == r.Pass && k > 0 {
			at = k - 1
		}
	}
	for _, name := range r.Names {
		for k := at; k < len(x.Stages); k++ {
			f := x.Stages[k].function(r.Func)
			if f == nil {
				continue
			}
			if a := f.Arrays[name]; a != nil {
				return &a.Bytes
			}
			if b := f.Blocks[name]; b != nil && b.Size != nil {
				return b.Size
			}
		}
	}
	return nil
}
