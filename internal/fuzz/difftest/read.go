package difftest

import (
	"fmt"
	"path/filepath"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Read makes a subject of a file: its entry and inputs come from its test
// block. The comments go: what Reduce gives has a test block of its own.
func Read(f *diag.File) (*Subject, error) {
	p, list := driver.Check(f)
	if err := list.Err(); err != nil {
		return nil, list
	}
	blocks, err := filetest.Blocks(f.Text, filepath.Dir(f.Name))
	if err != nil {
		return nil, err
	}
	s := &Subject{Name: f.Name, Entry: "main"}
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput {
				continue
			}
			if len(s.Inputs) > 0 && c.Entry != s.Entry {
				continue // one entry at a time: the first one's
			}
			s.Entry = c.Entry
			entry := p.Func(c.Entry)
			if entry == nil || !entry.Entry {
				return nil, fmt.Errorf("%s:%d: there is no entry %q", f.Name, c.Line, c.Entry)
			}
			args, err := filetest.ReadValues(f.Name, c.Input, entry)
			if err != nil {
				return nil, err
			}
			s.Inputs = append(s.Inputs, args)
		}
	}
	if len(s.Inputs) == 0 {
		return nil, fmt.Errorf("%s: no test block with an input: write `-- input { .. }` and `-- output auto` below a line `-- ==`", f.Name)
	}
	uncomment(p)
	s.Text = p.String()
	return s, nil
}

func uncomment(p *ir.Program) {
	p.Tail = nil
	for _, f := range p.Funcs {
		f.Lead = nil
	}
	for _, b := range allBodies(p) {
		b.Lead, b.Trail = nil, ""
		for _, s := range b.Stmts {
			s.Lead, s.Trail, s.Blank = nil, "", false
		}
	}
}
