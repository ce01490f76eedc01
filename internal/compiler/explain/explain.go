package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// An Explanation shows the effects of a pipeline on one program.
type Explanation struct {
	File    string    `json:"file"`
	Stages  []*Stage  `json:"stages"`
	Remarks []*Remark `json:"remarks"`
	// Codes maps the codes of refusals to their meanings.
	Codes []Code `json:"codes"`
	// Functions holds the counts and peaks of --stats=json.
	Functions []pipeline.FuncReport `json:"functions"`
	Kernels   []Kernel              `json:"kernels"`
	// Sizes are values that the reader gave for sizes.
	Sizes map[string]int64 `json:"sizes"`
	// Run is a measured run, or nil.
	Run *Run `json:"run,omitempty"`

	report *pipeline.Report
	final  *ir.Program
	lone   []imp.Lone // kernels of groups in which one thread does the work of a group
	// lines tells where a function's name is bound in the source: by function, then name.
	lines map[string]map[string]int
	shown func(text string) string // spells names for users (ir.Program.Shown)
}

// maxLines bounds the text of a program that is kept after every pass. Of a longer one
// only the first explicit text and the last are kept.
const maxLines = 6000

// New checks a file, runs passes over it, and collects their effects.
func New(f *diag.File, passes []*transform.Pass) (*Explanation, error) {
	p, list := driver.Check(f)
	if err := list.Err(); err != nil {
		return nil, err
	}
	x := &Explanation{File: f.Name, Codes: Codes, lines: map[string]map[string]int{}, Kernels: []Kernel{}, Remarks: []*Remark{}}
	x.note(p)
	texts := []stageText{{text: p.String(), doc: "the program as written, with the types that memc found"}}
	var err error
	x.report, err = pipeline.Run(p, passes, pipeline.Options{
		Verify: true, Footprints: true,
		After: func(pass *transform.Pass, before, after string) {
			texts = append(texts, stageText{pass: pass.Name, doc: pass.Doc, text: after, same: before == after})
		},
	})
	if err != nil {
		return nil, err
	}
	x.final, x.shown = p, p.Shown()
	x.note(p)
	x.Functions = x.report.Functions
	if err := x.stages(texts); err != nil {
		return nil, err
	}
	x.remarks()
	return x, x.kernels()
}

// note keeps the source lines of what a program binds; what passes made has the line of
// the statement that it was made for.
func (x *Explanation) note(p *ir.Program) {
	if p.File == nil {
		return
	}
	for _, f := range p.Funcs {
		lines := x.lines[f.Name]
		if lines == nil {
			lines = map[string]int{}
			x.lines[f.Name] = lines
		}
		bind := func(name string, at diag.Span) {
			if _, known := lines[name]; !known && at.Known() {
				lines[name], _ = p.File.Position(at.Start)
			}
		}
		for _, e := range f.Params {
			bind(e.Name, f.Span)
			if e.Type.Place != nil {
				bind(e.Type.Place.Mem, f.Span)
			}
		}
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			for _, e := range s.Pat {
				bind(e.Name, s.Span)
				for _, n := range ir.ExistNames(e.Type.Place) {
					bind(n, s.Span)
				}
			}
			ir.Elems(s.Op, func(e *ir.Elem) { bind(e.Name, s.Span) })
			ir.Binds(s.Op, func(n string) { bind(n, s.Span) })
			return true
		})
	}
}

type stageText struct {
	pass, doc, text string
	same            bool
}

// stages makes a stage of every text that differs from the one before.
func (x *Explanation) stages(texts []stageText) error {
	long := strings.Count(texts[len(texts)-1].text, "\n") > maxLines
	for k, t := range texts {
		if k > 0 && t.same || long && k > 1 && k < len(texts)-1 {
			if k > 0 && t.same && len(x.Stages) > 0 {
				last := x.Stages[len(x.Stages)-1]
				last.Unchanged = append(last.Unchanged, t.pass)
			}
			continue
		}
		s, err := newStage(t)
		if err != nil {
			return fmt.Errorf("after %s: %w", t.pass, err)
		}
		if k > 0 {
			s.Rewrites = x.report.Passes[k-1].Rewrites
		}
		x.Stages = append(x.Stages, s)
	}
	x.align()
	for _, s := range []*Stage{x.explicit(), x.last()} {
		if s != nil {
			s.charts(x)
		}
	}
	return nil
}

// explicit returns the first stage in which a function has its memory, or nil.
func (x *Explanation) explicit() *Stage {
	for _, s := range x.Stages {
		if slices.ContainsFunc(s.prog.Funcs, ir.IsExplicit) {
			return s
		}
	}
	return nil
}

func (x *Explanation) last() *Stage { return x.Stages[len(x.Stages)-1] }

// beforeReuse returns the last stage in which every block still has storage of its own.
func (x *Explanation) beforeReuse() *Stage { return x.Stages[x.stageBefore("reuse")] }

// stageBefore returns the number of the stage that a pass found, or of the last one where the pass
// did not run.
func (x *Explanation) stageBefore(pass string) int {
	for k, s := range x.Stages {
		switch {
		case s.Pass == pass && k > 0:
			return k - 1
		case slices.Contains(s.Unchanged, pass):
			return k
		}
	}
	return len(x.Stages) - 1
}

// Program returns the program after all passes.
func (x *Explanation) Program() *ir.Program { return x.final }
