package exec

import (
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/runtime"
)

// A Step is one operation of a run on blocks: a launch, a copy, or the transfer of an element, an
// argument or a result. A block that is written but not read keeps none of its earlier contents,
// except those in Parts, which may be written in part only.
type Step struct {
	Reads, Writes, Parts []*runtime.Block
}

// Watch has f told of every step of the calls that follow, in order; with nil
// nobody is. Blocks may be gone when the call is over, but are never used for
// another one. Not to be called while a call runs.
func (p *Prepared) Watch(f func(Step)) { p.watch = f }

// Argument reports whether a block holds an argument, and which.
func (p *Prepared) Argument(b *runtime.Block) (at int, ok bool) {
	at = b.Tag() - p.argTag
	return at, at >= 0 && at < len(p.tags)-(p.argTag-p.tagBase)
}

// Origin returns the function and the name of a block's alloc, "" for what no alloc
// of the program asks for.
func (p *Prepared) Origin(b *runtime.Block) (fn, name string) {
	site := b.Tag() - p.tagBase
	for _, f := range p.prog.Funcs {
		imp.Each(f.Body, func(a *imp.Alloc) {
			if a.Site == site {
				fn, name = p.nameOf(f), a.Name
			}
		})
	}
	return fn, name
}

// nameOf names a function as the program does, as far as that is known: C has
// names of its own.
func (p *Prepared) nameOf(f *imp.Func) string {
	for _, e := range p.prog.Entries {
		if e.Func == f {
			return e.Name
		}
	}
	return f.Name
}

// tell tells of a step. Slots are no blocks of the program's, and nobody is told of them.
func (r *run) tell(reads, writes []*runtime.Block) {
	if r.p.watch == nil || len(reads) > 0 && r.p.faults.Is(reads[0]) {
		return
	}
	r.p.watch(Step{Reads: reads, Writes: writes})
}

func one(b *runtime.Block) []*runtime.Block { return []*runtime.Block{b} }

// tellLaunch tells of a launch with the blocks among its arguments.
func (r *run) tellLaunch(given []runtime.Arg, uses []use) {
	if r.p.watch == nil {
		return
	}
	var s Step
	for i, a := range given[len(given)-len(uses):] {
		if a.Block == nil || r.p.faults.Is(a.Block) {
			continue
		}
		if uses[i].reads || !uses[i].writes {
			s.Reads = append(s.Reads, a.Block)
		}
		if uses[i].writes {
			s.Writes = append(s.Writes, a.Block)
		}
		if uses[i].part {
			s.Parts = append(s.Parts, a.Block)
		}
	}
	r.p.watch(s)
}

// tellCopy tells of a copy of that many bytes. One that fills only a part of its
// block keeps the rest, as if it had read it.
func (r *run) tellCopy(to, from *runtime.Block, bytes int64) {
	if r.p.watch == nil {
		return
	}
	s := Step{Reads: one(from), Writes: one(to)}
	if bytes < to.Size() {
		s.Reads = append(s.Reads, to)
	}
	r.p.watch(s)
}

// A use is a kernel's use of a parameter.
type use struct{ reads, writes, part bool }

// kernelUses tells what a kernel does with each of its parameters. What it keeps
// a pointer to counts as read and written.
func kernelUses(k *imp.Kernel) []use {
	at := map[string]int{}
	for i, p := range k.Params {
		if p.Mem {
			at[p.Name] = i
		}
	}
	uses := make([]use, len(k.Params))
	note := func(name string, u use) {
		if i, ok := at[name]; ok {
			uses[i].reads = uses[i].reads || u.reads
			uses[i].writes = uses[i].writes || u.writes
		}
	}
	imp.Each(k.Body, func(s imp.Stmt) {
		switch s := s.(type) {
		case *imp.Load:
			note(s.Mem, use{reads: true})
		case *imp.Move:
			note(s.Mem, use{reads: !s.Store, writes: s.Store})
		case *imp.Ticket:
			note(s.Mem, use{reads: true, writes: true})
		case *imp.Raise:
			note(s.Mem, use{writes: true})
		case *imp.Await:
			note(s.Mem, use{reads: true})
		case *imp.Upload:
			note(s.Mem, use{writes: true})
		case *imp.Store:
			note(s.Mem, use{writes: true})
		case *imp.SetMem:
			note(s.Src, use{reads: true, writes: true})
		case *imp.PtrAt:
			note(s.Base, use{reads: true, writes: true})
		case *imp.Atomic:
			for _, m := range append([]string{s.Lock}, s.Mems...) {
				note(m, use{reads: true, writes: true})
			}
		}
	})
	for _, m := range k.Parts {
		if i, ok := at[m]; ok {
			uses[i].part = true
		}
	}
	return uses
}
