package exec

import (
	"fmt"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// tagBlocks registers the program's allocation sites with the context: those of
// its Alloc statements by their number, then one per argument's position.
func (p *Prepared) tagBlocks() {
	p.tags = make([]runtime.TagInfo, p.prog.Sites)
	note := func(i int, name string, span diag.Span) {
		for len(p.tags) <= i {
			p.tags = append(p.tags, runtime.TagInfo{})
		}
		p.tags[i] = runtime.TagInfo{Name: name, Line: p.line(span)}
	}
	for _, f := range p.prog.Funcs {
		imp.Each(f.Body, func(a *imp.Alloc) { note(a.Site, blockName(a), a.Span) })
	}
	args := len(p.tags)
	for _, e := range p.prog.Entries {
		for i, q := range e.Params {
			if len(p.prog.Entries) > 1 {
				note(args+i, fmt.Sprintf("argument %d", i), diag.Span{})
			} else {
				note(args+i, "argument `"+q.Name+"`", q.Span)
			}
		}
	}
	p.tagBase = p.ctx.RegisterTags(p.tags)
	p.argTag = p.tagBase + args
}

// line returns "file:line" of a span, "" where it is unknown.
func (p *Prepared) line(span diag.Span) string {
	if p.prog.File == nil || !span.Known() {
		return ""
	}
	line, _ := p.prog.File.Position(span.Start)
	return fmt.Sprintf("%s:%d", p.prog.File.Name, line)
}

func blockName(a *imp.Alloc) string {
	if a.Name == "" {
		return "a temporary block"
	}
	return "block `" + a.Name + "`"
}
