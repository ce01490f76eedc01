package exec

import (
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/runtime"
)

// An access is what a work-item reads or writes of a parameter's block outside of loops, and
// whether loops may make it more.
type access struct {
	bytes int64
	loops bool
}

func (a *access) add(bytes int64, loop bool) {
	a.bytes += bytes
	a.loops = a.loops || loop
}

// moved returns the bytes that so many work-items touch of a block: no more than it has,
// which is also the figure where loops decide.
func (a access) moved(items int64, b *runtime.Block) int64 {
	if a.loops {
		return b.Size()
	}
	return min(a.bytes*items, b.Size())
}

// traffic tells how many bytes a launch may touch (Timing.Bytes), by its arguments.
func traffic(k *imp.Kernel) func(items int64, args []runtime.Arg) int64 {
	reads, writes := make([]access, len(k.Params)), make([]access, len(k.Params))
	at := map[string]int{}
	for i, p := range k.Params {
		if p.Mem {
			at[p.Name] = i
		}
	}
	note := func(list []access, mem string, bytes int64, loop bool) {
		if i, ok := at[mem]; ok {
			list[i].add(bytes, loop)
		}
	}
	var walk func(body []imp.Stmt, loop bool)
	walk = func(body []imp.Stmt, loop bool) {
		for _, s := range body {
			switch s := s.(type) {
			case *imp.Load:
				note(reads, s.Mem, s.Prim.Size(), loop)
			case *imp.Store:
				note(writes, s.Mem, s.Prim.Size(), loop)
			case *imp.Move:
				list := reads
				if s.Store {
					list = writes
				}
				note(list, s.Mem, s.Len*s.Prim.Size(), loop)
			case *imp.SetMem: // through a pointer, anything
				note(reads, s.Src, 0, true)
			case *imp.Atomic:
				for i, m := range s.Mems {
					note(reads, m, s.Prims[i].Size(), loop)
					note(writes, m, s.Prims[i].Size(), loop)
				}
				walk(s.Body, loop)
			case *imp.If:
				walk(s.Then, loop)
				walk(s.Else, loop)
			case *imp.For:
				walk(s.Body, true)
			case *imp.While:
				walk(s.Body, true)
			case *imp.KRegion:
				walk(s.Body, loop)
			}
		}
	}
	walk(k.Body, false)
	return func(items int64, args []runtime.Arg) (total int64) {
		for i, a := range args {
			if a.Block != nil {
				total += reads[i].moved(items, a.Block) + writes[i].moved(items, a.Block)
			}
		}
		return total
	}
}
